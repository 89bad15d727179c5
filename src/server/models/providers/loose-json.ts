/** Members of what a vendor sends, where they are what they should be. Vendors add and forget members, so nothing is refused for its shape. */

export type JsonObject = Readonly<Record<string, unknown>>;

const EMPTY_JSON_OBJECT: JsonObject = {};

/** An object without members in the place of anything else. */
export function objectOrEmpty(value: unknown): JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as JsonObject)
		: EMPTY_JSON_OBJECT;
}

export function listOrEmpty(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
