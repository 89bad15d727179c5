/** JSON with comments and trailing commas, as editors write their settings. */

const JSONC_EXTRAS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g;
const COMMENTS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Throws a SyntaxError. */
export function parseJsonc(text: string): unknown {
	const keepStrings = (part: string) => (part.startsWith('"') ? part : '');
	// Comments first: one may stand between a comma and the bracket that makes it a trailing one.
	return JSON.parse(
		text
			.replace(/^\ufeff/, '')
			.replace(COMMENTS, keepStrings)
			.replace(JSONC_EXTRAS, keepStrings),
	);
}
