/** A matching line as it is shown: without its end, cut around the match when it is long. */
import { withoutKeyLines } from '../secrets/key-lines.ts';
import { EDGE_CHARS, LINE_CHARS, LINE_CHARS_BEFORE_MATCH, MATCH_LINES } from './limits.ts';

export function shownLine(line: string, matchIndex: number): string {
	const found = line.replace(/\r?\n$/, '').replace(/\r$/, '');
	if (found.length <= LINE_CHARS) {
		return found;
	}
	const whole = withoutKeyLines(found);
	const match = whole === found ? matchIndex : withoutKeyLines(found.slice(0, matchIndex)).length;
	const from = Math.max(0, Math.min(match - LINE_CHARS_BEFORE_MATCH, whole.length - LINE_CHARS));
	const to = from + LINE_CHARS;
	// Not within a token: half of a secret does not look like one, and would be shown.
	const start = from - charsOfToken(whole, from - 1, -1);
	const end = to + charsOfToken(whole, to, 1);
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

/**
 * Returns the number of characters by which a token continues from `at` in the given direction; 0 when they are more
 * than `EDGE_CHARS`.
 */
function charsOfToken(text: string, at: number, step: 1 | -1): number {
	let chars = 0;
	while (chars <= EDGE_CHARS && /^[\w.+/=~%-]$/.test(text.charAt(at + chars * step))) {
		chars += 1;
	}
	return chars > EDGE_CHARS ? 0 : chars;
}
