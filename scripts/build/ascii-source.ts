/**
 * Escapes characters beyond ASCII that esbuild leaves in regular expressions and raw templates, which our sources use.
 * A single such character would make V8 keep the whole source with two bytes for each character, 4 MB instead of 2.
 */
export function asciiSource(source: string): string {
	return source.replaceAll(/(\\*)([^\0-\x7F])/g, (_, slashes: string, char: string) => {
		if (slashes.length % 2 === 1) {
			throw new Error(`a backslash before ${JSON.stringify(char)}: write that character without it`);
		}
		return `${slashes}\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
}
