/** Patterns for names that are no paths: the tool of a server, the address of a resource, a host, a secret. */
import picomatch from 'picomatch';

/**
 * Whether the glob covers the name. A slash in a name is a letter like any other, so `*` stands for it, too: `server/*` is every
 * tool of that server, also `a/b`. What the glob covers as a path, it covers here.
 */
export function namePatternCovers(pattern: string, name: string, { nocase }: { readonly nocase: boolean }): boolean {
	const matches = (glob: string, text: string) =>
		picomatch(glob, { dot: true, windows: false, nonegate: true, noextglob: true, nocase })(text);
	if (matches(pattern, name)) {
		return true;
	}
	const letter = letterNotIn(pattern + name);
	return matches(pattern.replaceAll('/', letter), name.replaceAll('/', letter));
}

/** Of the letters that no alphabet uses: whoever chooses a name must not be able to write the one that stands for a slash. */
function letterNotIn(words: string): string {
	let code = 0xe0_00;
	while (words.includes(String.fromCharCode(code))) code += 1;
	return String.fromCharCode(code);
}
