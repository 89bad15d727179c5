/** A tool of a skill that runs in a worker, as far as its text tells. */

export interface ToolInput {
	readonly name: string;
	/** `any`: its text does not say. */
	readonly type: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'any';
	readonly items?: 'string' | 'number' | 'boolean' | 'object';
	readonly description?: string;
	readonly required: boolean;
}

export interface WorkerTool {
	readonly name: string;
	/** First line of what is written about it; empty without any. */
	readonly description: string;
	readonly inputs: readonly ToolInput[];
	/** True when it takes others than `inputs`, too. */
	readonly takesMore: boolean;
}
