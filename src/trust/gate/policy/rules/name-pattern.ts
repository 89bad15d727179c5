/** Patterns for names that are no paths: the tool of a server, the address of a resource, a host, a secret. */
import picomatch from 'picomatch';

/**
 * True when the glob covers the name. A slash in a name is a letter like any other, so `*` matches it, too: `server/*`
 * is every tool of that server, also `a/b`. Every name that the glob covers as a path is covered here, too.
 */
export function namePatternCovers(pattern: string, name: string, { nocase }: { readonly nocase: boolean }): boolean {
	const isGlobMatch = (glob: string, text: string) =>
		picomatch(glob, { dot: true, windows: false, nonegate: true, noextglob: true, nocase })(text);
	if (isGlobMatch(pattern, name)) {
		return true;
	}
	const letter = letterNotIn(pattern + name);
	return isGlobMatch(pattern.replaceAll('/', letter), name.replaceAll('/', letter));
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
