/** A matching line as it is shown: without its end, cut around the match when it is long. */
import { LINE_CHARS, LINE_CHARS_BEFORE_MATCH, MATCH_LINES } from './limits.ts';

export function shownLine(line: string, matchIndex: number): string {
	const whole = line.replace(/\r?\n$/, '').replace(/\r$/, '');
	if (whole.length <= LINE_CHARS) {
		return whole;
	}
	const start = Math.max(0, Math.min(matchIndex - LINE_CHARS_BEFORE_MATCH, whole.length - LINE_CHARS));
	const end = start + LINE_CHARS;
	return `${start > 0 ? '…' : ''}${whole.slice(start, end)}${end < whole.length ? '…' : ''}`.toWellFormed();
}

/** Lines of a match that may span several; the match begins in the first. */
export function shownLines(text: string, matchIndex: number): string {
	const lines = text.replace(/\r?\n$/, '').split('\n');
	const shown = lines.slice(0, MATCH_LINES).map((line, index) => shownLine(line, index === 0 ? matchIndex : 0));
	return [
		...shown,
		...(lines.length > MATCH_LINES ? [`[… ${lines.length - MATCH_LINES} more lines of this match]`] : []),
	].join('\n');
}
