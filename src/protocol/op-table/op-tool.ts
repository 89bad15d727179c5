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

/** The host checks every bound again, so the model need not read them; most are left out when `opInputs` is made. */
const unneeded = new Set(['additionalProperties', 'pattern', 'minLength']);

/** The schema as a model is told of it. */
export function trimToolSchema(value: unknown, isProperties = false): unknown {
	if (Array.isArray(value)) {
		return value.map((each) => trimToolSchema(each));
	}
	if (typeof value !== 'object' || value === null) {
		return value;
	}
	// Below `properties` the keys are names of parameters: one may be called "format".
	const kept = Object.entries(value).filter(([key, each]) =>
		isProperties ? !isNotForModels(each) : !unneeded.has(key),
	);
	return Object.fromEntries(
		kept.map(([key, each]) => [key, trimToolSchema(each, key === 'properties' && !isProperties)]),
	);
}

function isNotForModels(property: unknown): boolean {
	return typeof property === 'object' && property !== null && 'notForModels' in property;
}
