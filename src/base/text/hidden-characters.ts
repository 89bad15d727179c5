/**
 * Characters that a text hides from whoever reads it: invisible ones, those that reorder a line or act on a terminal, and
 * tags. A model reads them as `\u{…}`, so none of them says to it what a person would not see. Spaces stay, and so does
 * what joins the letters of a script or the parts of an emoji.
 */
const HIDDEN_CHARACTERS =
	/[\0-\x08\v-\x1f\x7f-\x9f\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const ESCAPED = /\\u\{([0-9a-f]{1,6})\}/g;
const MAX_CODE_POINT = 0x10_ffff;

/** The text with each hidden character as `\u{…}`. */
export function escapeHidden(text: string): string {
	return text.replace(HIDDEN_CHARACTERS, (character, at: number) =>
		isVisibleInContext(text, character, at) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
	);
}

/** The text with each hidden character as itself; every other escape stays. */
export function unescapeHidden(text: string): string {
	return text.replace(ESCAPED, (escape, digits: string) => {
		const code = Number.parseInt(digits, 16);
		const character = code > MAX_CODE_POINT ? '' : String.fromCodePoint(code);
		return character !== '' && escapeHidden(character) === escape ? character : escape;
	});
}

/** Lines, from 1, in which a character is hidden. */
export function linesWithHidden(text: string): number[] {
	// A return before the end of a line is part of that end.
	return text.split(/\r?\n/).flatMap((line, index) => (escapeHidden(line) === line ? [] : [index + 1]));
}

/** Characters that are hidden by themselves, and seen in what they are part of. */
function isVisibleInContext(text: string, character: string, at: number): boolean {
	const next = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
	switch (character) {
		case '\r':
			return next === '\n';
		case '\ufe0e':
		case '\ufe0f':
			return isOfEmoji(characterBefore(text, at)) || /[\d#*]/.test(characterBefore(text, at));
		case '\u200c':
			return isBetween(isJoined, text, at, next);
		case '\u200d':
			return isBetween(isJoined, text, at, next) || isBetween(isOfEmoji, text, at, next);
		default:
			return false;
	}
}

function isBetween(is: (character: string) => boolean, text: string, at: number, next: string): boolean {
	return is(characterBefore(text, at)) && is(next);
}

// Made when it is first asked: as a constant each of these takes every start half a millisecond, and hardly a text needs one.
function isJoined(character: string): boolean {
	return /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Kannada}\p{Script=Khmer}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]$/u.test(
		character,
	);
}

function isOfEmoji(character: string): boolean {
	return /^[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\ufe0f]$/u.test(character);
}

function characterBefore(text: string, at: number): string {
	const last = text.charAt(at - 1);
	const isSecondHalf = last >= '\udc00' && last <= '\udfff';
	return isSecondHalf ? text.slice(at - 2, at) : last;
}
