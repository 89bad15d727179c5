/**
 * Makes a text of a model, a file or a program safe for a terminal. Escaped characters become `\u{…}`; line ends and
 * tabs stay.
 */

/** Characters that a terminal would obey, or that would turn the order of the text around. */
const commanding = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** The same, and all that nobody would see: zero-width characters, fillers, tags, variation selectors. */
const invisible =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

/** For answers and messages: does nothing to the terminal. Windows line ends are line ends. */
export function escapeControls(text: string): string {
	return text.replaceAll('\r\n', '\n').replace(commanding, escapeCharacter);
}

/** For what is to be judged: every byte that matters can be seen. */
export function escapeUnseen(text: string): string {
	return text.replace(invisible, escapeCharacter);
}

/** On one line: line ends and tabs are escaped too. */
export function visibleLine(text: string): string {
	return escapeUnseen(text).replace(/[\n\t]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
	return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Quotes a word so that a shell reads it as a single word. */
export function quoteShellWord(word: string): string {
	return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
