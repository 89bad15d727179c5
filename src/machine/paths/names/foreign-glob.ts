/**
 * Globs in files of other programs: `*`, `?`, `[a-z]` and `{a,b}` within a name, and double stars for any number of
 * folders. Each name is compared by itself and each pair of places once, so that no pattern takes long.
 */

/** Longest pattern that is read, most patterns that its braces stand for, and characters of a path that is compared. */
const GLOB_CHARS = 1_000;
const GLOB_ALTERNATIVES = 100;
/** Most characters of all these patterns: each may be compared with each character of the path. */
const GLOB_EXPANDED_CHARS = 4_000;
const GLOB_PATH_CHARS = 4_096;

/**
 * Tells whether a path (slashes forward) matches. `otherwise`: the answer for a pattern or path that is too long, or in
 * forms that are not read here, such as `!(a)`.
 */
export function foreignGlobCovers(pattern: string, path: string, otherwise: boolean): boolean {
	if (pattern.length > GLOB_CHARS || path.length > GLOB_PATH_CHARS || /[!@+?*]\(|^!/.test(pattern)) return otherwise;
	const alternatives = expandBraces(pattern);
	if (alternatives === undefined) return otherwise;
	const names = splitNames(path).map((name) => [...name]);
	return alternatives.some((each) => coverNames(splitNames(each), names));
}

const splitNames = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.');

/** Undefined: there are more, or longer ones, than are compared. */
function expandBraces(pattern: string): readonly string[] | undefined {
	const done: string[] = [];
	const open = [pattern];
	for (let each = open.pop(); each !== undefined; each = open.pop()) {
		// The innermost braces first, so that none is inside another.
		const [braces, inner = ''] = /\{([^{}]*,[^{}]*)\}/.exec(each) ?? [];
		if (braces === undefined) done.push(each);
		else for (const part of inner.split(',')) open.push(each.replace(braces, () => part));
		if (done.length + open.length > GLOB_ALTERNATIVES) return undefined;
	}
	return done.reduce((sum, { length }) => sum + length, 0) > GLOB_EXPANDED_CHARS ? undefined : done;
}

/** For each number of names whether the globs read so far cover just these. */
function coverNames(globs: readonly string[], names: readonly (readonly string[])[]): boolean {
	let covered = names.map(() => false);
	let isEmptyCovered = true;
	for (const glob of globs) {
		const before = [isEmptyCovered, ...covered];
		if (glob === '**') {
			let isAny = isEmptyCovered;
			covered = covered.map((each) => (isAny ||= each));
		} else {
			const parts = splitParts(glob);
			covered = names.map((letters, n) => before[n] === true && coverName(parts, letters));
			isEmptyCovered = false;
		}
	}
	return covered.at(-1) ?? isEmptyCovered;
}

/** Part of a glob: a star, or a test of one letter. */
type GlobPart = '*' | ((letter: string) => boolean);

/** Reads each letter of the glob once. */
function splitParts(glob: string): readonly GlobPart[] {
	const letters = [...glob];
	const lastClosing = letters.lastIndexOf(']');
	const parts: GlobPart[] = [];
	for (let at = 0; at < letters.length; at++) {
		const letter = letters[at] ?? '';
		if (letter === '*') {
			parts.push('*');
		} else if (letter === '?') {
			parts.push(() => true);
		} else if (letter === '[' && at < lastClosing) {
			const isNot = letters[at + 1] === '!' || letters[at + 1] === '^';
			const from = at + (isNot ? 2 : 1);
			// A bracket at the beginning of a class is part of it.
			const end = letters.indexOf(']', from + 1);
			if (end === -1) {
				parts.push((given) => given === letter);
				continue;
			}
			const isIn = readClass(letters.slice(from, end));
			parts.push((given) => isIn(given) !== isNot);
			at = end;
		} else {
			const wanted = letter === '\\' && at + 1 < letters.length ? (letters[++at] ?? '') : letter;
			parts.push((given) => given === wanted);
		}
	}
	return parts;
}

function readClass(letters: readonly string[]): (letter: string) => boolean {
	const ranges: (readonly [low: string, high: string])[] = [];
	for (let at = 0; at < letters.length; at++) {
		const low = letters[at] ?? '';
		const isRange = letters[at + 1] === '-' && at + 2 < letters.length;
		ranges.push([low, isRange ? (letters[at + 2] ?? '') : low]);
		at += isRange ? 2 : 0;
	}
	return (letter) => ranges.some(([low, high]) => low <= letter && letter <= high);
}

/** Goes back to the last star alone: an earlier one could only take what this one may take, too. */
function coverName(parts: readonly GlobPart[], letters: readonly string[]): boolean {
	let at = 0;
	let from = -1;
	let part = 0;
	let star = -1;
	while (at < letters.length) {
		const wanted = parts[part];
		if (wanted === '*') {
			star = part;
			from = at;
			part += 1;
		} else if (wanted?.(letters[at] ?? '') === true) {
			part += 1;
			at += 1;
		} else if (star >= 0) {
			from += 1;
			at = from;
			part = star + 1;
		} else {
			return false;
		}
	}
	return parts.slice(part).every((each) => each === '*');
}
