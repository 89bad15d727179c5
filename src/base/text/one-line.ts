/** Texts of several lines as one, and texts cut to a length. */
import { escapeInvisible } from './escape-invisible.ts';

/** Characters of a text that stands in a title or a row for the whole. */
const TITLE_TEXT_CHARS = 80;

/** Returns the text with each stretch of white space as one space. */
export function joinToLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns a line that others wrote with characters made visible that would hide, reverse or break it. */
export function escapeLine(text: string): string {
	return escapeInvisible(text, 'line');
}

/** Returns the name of a file with line ends and tabs as `\u{…}`, so that it is one name in a list. */
export function nameInList(name: string): string {
	return name.replaceAll(/[\n\r\t]/g, (each) => `\\u{${each.charCodeAt(0).toString(16)}}`);
}

/** Returns text that others wrote as one line, with characters made visible that would hide or reverse it. */
export function escapeToLine(text: string): string {
	return escapeLine(joinToLine(text));
}

/** Returns the beginning of a text as one line, for a title. */
export function shortenToLine(text: string): string {
	return cutText(text.replaceAll(/\s+/g, ' '), TITLE_TEXT_CHARS);
}

/** Returns the spaces and tabs before the first other character of a line. */
export function readIndentation(line: string): string {
	return /^[ \t]*/.exec(line)?.[0] ?? '';
}

export function isBlank(text: string): boolean {
	return text.trim() === '';
}

/** Cuts to at most `max` UTF-16 units, never inside a character, and marks the cut. Redact first, cut second. */
export function cutText(text: string, max: number): string {
	if (text.length <= max) {
		return text;
	}
	const end = max - 1;
	const last = text.charCodeAt(end - 1);
	const splitsPair = last >= 0xd800 && last <= 0xdbff;
	return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
