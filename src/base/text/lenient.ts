/** Reads of what others wrote that never throw: each tells by its result that the value is not what it was read for. */

/** Returns undefined where the text is not JSON. */
export function parseJsonOrUndefined(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Returns the part of an address decoded, or as it is where its percent signs encode nothing. */
export function decodePercentOrSame(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** True also for lists, whose members are read by name just as well. */
export function isObjectValue(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** False for lists. */
export function isPlainData(value: unknown): value is Readonly<Record<string, unknown>> {
	return isObjectValue(value) && !Array.isArray(value);
}

export function textOrEmpty(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** Returns undefined for what is no text, and for an empty one. */
export function nonEmptyText(value: unknown): string | undefined {
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the text without the mark that some editors put before it. */
export function withoutByteOrderMark(text: string): string {
	return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
