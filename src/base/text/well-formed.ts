/** A lone half of a surrogate pair as `JSON.stringify` escapes it; an escaped backslash is matched so that it is passed over. */
const BACKSLASH_OR_HALF = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** JSON of a value, with U+FFFD in place of each half of a surrogate pair: strict readers refuse a text that has one. */
export function stringifyWellFormed(value: unknown): string {
	const json = JSON.stringify(value);
	return json.includes('\\ud')
		? json.replaceAll(BACKSLASH_OR_HALF, (found) => (found === '\\\\' ? found : '\ufffd'))
		: json;
}

/** Line of the first half of a surrogate pair, counted from 1; undefined: there is none. */
export function lineOfHalfPair(text: string): number | undefined {
	if (text.isWellFormed()) {
		return undefined;
	}
	const before = text.toWellFormed();
	let at = 0;
	while (text.charCodeAt(at) === before.charCodeAt(at)) {
		at += 1;
	}
	return text.slice(0, at).split('\n').length;
}
