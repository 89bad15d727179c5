/** Patterns for names that are no paths: the tool of a server, the address of a resource, a host, a secret. */
import picomatch from 'picomatch';

/**
 * True when the glob covers the name. A slash in a name is a letter like any other, so `*` matches it, too: `server/*`
 * is every tool of that server, also `a/b`. Every name that the glob covers as a path is covered here, too.
 */
export function namePatternCovers(written: string, called: string, { nocase }: { readonly nocase: boolean }): boolean {
	// A letter with its accent may be one character or two: a rule that tightens means both.
	const [pattern, name] = nocase ? [written.normalize('NFC'), called.normalize('NFC')] : [written, called];
	const isGlobMatch = (glob: string, text: string) => picomatch(glob, createGlobOptions(nocase))(text);
	if (isGlobMatch(pattern, name)) {
		return true;
	}
	const letter = letterNotIn(pattern + name);
	return isGlobMatch(pattern.replaceAll('/', letter), name.replaceAll('/', letter));
}

/** For every pattern of a rule. `flags`: a line end in a name is a letter like any other, also for `**`. */
export function createGlobOptions(nocase: boolean) {
	const flags = nocase ? 'is' : 's';
	return { dot: true, windows: false, nonegate: true, noextglob: true, nocase, flags } as const;
}

/**
 * Returns a letter of the private use area that is not in `words`. The letter that stands for a slash must not occur in
 * a name, or a chosen name could forge it.
 */
function letterNotIn(words: string): string {
	let code = 0xe0_00;
	while (words.includes(String.fromCharCode(code))) code += 1;
	return String.fromCharCode(code);
}
