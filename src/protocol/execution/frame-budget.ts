/** Budget of a frame's JSON: size, depth, keys, numbers and the names of keys. */
import { frameLimits } from './execution.ts';

const UTF8_BYTES_PER_CHAR = 3;

/** Checks a text and its parsed value; undefined when both are within all budgets. */
export function budgetProblem(text: string, value: unknown): string | undefined {
	if (
		text.length > frameLimits.bytes ||
		(text.length * UTF8_BYTES_PER_CHAR > frameLimits.bytes && utf8Length(text) > frameLimits.bytes)
	) {
		return `larger than ${frameLimits.bytes} bytes`;
	}
	const seen = { keys: 0 };
	const problem = checkFrameValue(value, 1, seen);
	if (problem !== undefined) {
		return problem;
	}
	// A colon for each key: as many colons as keys are left means that no key was there twice.
	return countChar(text, ':') !== seen.keys && hasKeyTwice(text) ? 'a key twice in one object' : undefined;
}

function checkFrameValue(value: unknown, depth: number, seen: { keys: number }): string | undefined {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? undefined : 'a number that is too large';
	}
	if (typeof value !== 'object' || value === null) {
		return undefined;
	}
	if (depth > frameLimits.depth) {
		return `deeper than ${frameLimits.depth}`;
	}
	if (Array.isArray(value)) {
		for (const each of value) {
			const problem = checkFrameValue(each, depth + 1, seen);
			if (problem !== undefined) return problem;
		}
		return undefined;
	}
	for (const key in value) {
		if (key === '__proto__' || key === 'constructor') {
			return `a key "${key}"`;
		}
		if (++seen.keys > frameLimits.keys) {
			return `more than ${frameLimits.keys} keys`;
		}
		const problem = checkFrameValue((value as Record<string, unknown>)[key], depth + 1, seen);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function countChar(text: string, char: string): number {
	let count = 0;
	for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) {
		count += 1;
	}
	return count;
}

/** Expects a text that is valid JSON. */
function hasKeyTwice(text: string): boolean {
	/** The keys of each open object; null for an array. */
	const open: (Set<string> | null)[] = [];
	let isKeyNext = false;
	for (let at = 0; at < text.length; at += 1) {
		switch (text[at]) {
			case '{':
				open.push(new Set());
				isKeyNext = true;
				break;
			case '[':
				open.push(null);
				isKeyNext = false;
				break;
			case '}':
			case ']':
				open.pop();
				isKeyNext = false;
				break;
			case ',':
				isKeyNext = open.at(-1) instanceof Set;
				break;
			case '"': {
				const end = findJsonStringEnd(text, at);
				if (isKeyNext) {
					const key = JSON.parse(text.slice(at, end + 1)) as string;
					const keys = open.at(-1);
					if (keys?.has(key) === true) return true;
					keys?.add(key);
					isKeyNext = false;
				}
				at = end;
				break;
			}
			default:
		}
	}
	return false;
}

function findJsonStringEnd(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at += 1) {
		const char = text[at];
		if (char === '"') return at;
		if (char === '\\') at += 1;
	}
	return text.length;
}

function utf8Length(text: string): number {
	let bytes = 0;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		// Each half of a pair counts two of its four bytes.
		bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
	}
	return bytes;
}
