/** Page of a text, by lines. Line endings are shown as `\n`; edits match them either way. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import { isCrOnly, toLf } from '../line-ends.ts';
import { PAGE_CHARS, PAGE_LINES } from '../limits.ts';

export interface TextPage {
	readonly text: string;
	readonly startLine: number;
	readonly endLine: number;
	readonly totalLines: number;
	/** Lines follow after this page. */
	readonly truncated: boolean;
}

export function cutPage(path: string, whole: string, offset = 1, limit = PAGE_LINES): TextPage {
	const lines = (isCrOnly(whole) ? whole.replaceAll('\r', '\n') : toLf(whole)).split('\n');
	const endsWithNewline = lines.at(-1) === '';
	if (endsWithNewline) {
		lines.pop();
	}
	if (offset > Math.max(1, lines.length)) {
		throw pastEnd(path, offset, lines.length);
	}
	const shown: string[] = [];
	let chars = 0;
	for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
		if (shown.length > 0 && chars + line.length + 1 > PAGE_CHARS) {
			break;
		}
		shown.push(boundLine(line));
		chars += line.length + 1;
	}
	const endLine = offset - 1 + shown.length;
	const truncated = endLine < lines.length;
	const text = shown.join('\n') + (shown.length > 0 && (truncated || endsWithNewline) ? '\n' : '');
	return { text, startLine: offset, endLine, totalLines: lines.length, truncated };
}

export function pastEnd(path: string, offset: number, totalLines: number): ProwessError {
	const message = `offset ${offset} is past the end: ${path} has ${totalLines} lines`;
	return new ProwessError('INVALID_PARAMS', message, { path, offset, totalLines });
}

/** `line`: all of it, or its first `PAGE_CHARS` characters and more. */
export function boundLine(line: string, length = line.length): string {
	return length <= PAGE_CHARS
		? line
		: `${line.slice(0, PAGE_CHARS).toWellFormed()}[… ${length - PAGE_CHARS} more characters in this line]`;
}
