/**
 * Tool of an op, as a model calls it: its name, and the form of its input. Apart from the ops, for those who must not carry
 * their schemas.
 */

/** Part of JSON Schema that the inputs of ops use. */
export interface JsonSchema {
	readonly type?: string | readonly string[];
	readonly description?: string;
	readonly properties?: Readonly<Record<string, JsonSchema>>;
	readonly additionalProperties?: JsonSchema | boolean;
	readonly required?: readonly string[];
	readonly items?: JsonSchema;
	readonly anyOf?: readonly JsonSchema[];
	readonly enum?: readonly unknown[];
	readonly const?: unknown;
	readonly minLength?: number;
	readonly pattern?: string;
	readonly contentEncoding?: string;
	/** Word of ours: see `notForModels` in `define-op.ts`. */
	readonly notForModels?: true;
}

/** Name by which a model calls an op: providers allow no dots. */
export function toolName(op: string): string {
	return op.replace('.', '_');
}
