/**
 * Escapes what esbuild leaves as it is: characters beyond ASCII in regular expressions and in raw templates, which ours are
 * made of. One such character would make V8 keep the whole source with two bytes for each character, 4 MB instead of 2.
 */
export function asciiSource(source: string): string {
	return source.replaceAll(/(\\*)([^\0-\x7F])/g, (_, slashes: string, char: string) => {
		if (slashes.length % 2 === 1) {
			throw new Error(`a backslash before ${JSON.stringify(char)}: write that character without it`);
		}
		return `${slashes}\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
