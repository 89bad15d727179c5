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
