/**
 * Globs in files of other programs: `*`, `?`, `[a-z]` and `{a,b}` within a name, and double stars for any number of
 * folders. Each name is compared by itself and each pair of places once, so that no pattern takes long.
 */

/** Longest pattern that is read, most patterns that its braces stand for, and characters of a path that is compared. */
const GLOB_CHARS = 1_000;
const GLOB_ALTERNATIVES = 100;
const GLOB_PATH_CHARS = 4_096;

/**
 * Tells whether a path (slashes forward) matches. `otherwise`: the answer for a pattern or path that is too long, or in
 * forms that are not read here, such as `!(a)`.
 */
export function foreignGlobCovers(pattern: string, path: string, otherwise: boolean): boolean {
	if (pattern.length > GLOB_CHARS || path.length > GLOB_PATH_CHARS || /[!@+?*]\(|^!/.test(pattern)) return otherwise;
	const alternatives = expandBraces(pattern);
	if (alternatives === undefined) return otherwise;
	const names = splitNames(path);
	return alternatives.some((each) => coverNames(splitNames(each), names));
}

const splitNames = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.');

/** Undefined: there are more than `GLOB_ALTERNATIVES`. */
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
	return done;
}

/** For each number of names whether the globs read so far cover just these. */
function coverNames(globs: readonly string[], names: readonly string[]): boolean {
	let covered = names.map(() => false);
	let isEmptyCovered = true;
	for (const glob of globs) {
		const before = [isEmptyCovered, ...covered];
		if (glob === '**') {
			let isAny = isEmptyCovered;
			covered = covered.map((each) => (isAny ||= each));
		} else {
			covered = names.map((name, n) => before[n] === true && coverName(glob, name));
			isEmptyCovered = false;
		}
	}
	return covered.at(-1) ?? isEmptyCovered;
}

/** Goes back to the last star alone: an earlier one could only take what this one may take, too. */
function coverName(glob: string, name: string): boolean {
	const parts = glob.match(/\[!?\^?\]?[^\]]*\]|\\?./gsu) ?? [];
	const letters = [...name];
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
		} else if (wanted !== undefined && coverLetter(wanted, letters[at] ?? '')) {
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

function coverLetter(part: string, letter: string): boolean {
	if (part === '?') return true;
	const [, not, letters] = /^\[([!^]?)(.+)\]$/su.exec(part) ?? [];
	if (letters === undefined) return part === letter || part === `\\${letter}`;
	const isIn = [...letters.matchAll(/(.)-(.)|(.)/gsu)].some(([, low, high, one]) =>
		low === undefined || high === undefined ? one === letter : low <= letter && letter <= high,
	);
	return isIn !== (not !== '');
}
