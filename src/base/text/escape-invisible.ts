/**
 * Text as a person must see it before approving: whatever would be invisible, reorder the line or act on a terminal is
 * shown as `\u{…}`. Line ends and tabs stay in texts of several lines; in a single argument they are shown too.
 */
const INVISIBLE =
	/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

export function escapeInvisible(text: string, form: 'line' | 'lines'): string {
	return text.replace(INVISIBLE, (character, offset: number) => {
		const staysInLines = character === '\n' || character === '\t' || (character === '\r' && text[offset + 1] === '\n');
		return form === 'lines' && staysInLines ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
	});
}

/**
 * Escapes one argument. A script of several lines keeps them, so that it can be read; empty lines after a first empty one are
 * escaped, for many would push the rest out of sight.
 */
export function escapeInArgument(text: string): string {
	if (!/\S[^\n]*\n\s*\S/.test(text)) {
		return escapeInvisible(text, 'line');
	}
	const lines = text.split('\n');
	const isEmpty = (index: number) => lines[index]?.trim() === '';
	return lines
		.map((line, index) => {
			const end = index === 0 ? '' : isEmpty(index - 1) && isEmpty(index - 2) ? String.raw`\u{a}` : '\n';
			return end + escapeInvisible(line, 'lines');
		})
		.join('');
}
