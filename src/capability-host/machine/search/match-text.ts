/** Matching of our own search: lines of one file against a compiled query. */
import { messageOf } from '../../../base/message-of.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { shownLine } from './matching-line.ts';
import type { TextQuery } from './search-engine.ts';

export function compileQuery({
	query,
	regex,
	caseSensitive,
}: Pick<TextQuery, 'query' | 'regex' | 'caseSensitive'>): RegExp {
	const source = regex ? query : query.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
	const flags = caseSensitive ? '' : 'i';
	try {
		return new RegExp(source, `${flags}u`);
	} catch {
		// The Unicode mode refuses escapes that are merely needless, which ripgrep accepts.
	}
	try {
		return new RegExp(source, flags);
	} catch (error) {
		const why = messageOf(error);
		throw new ProwessError(
			'INVALID_PARAMS',
			`the pattern ${JSON.stringify(query)} is not a regular expression: ${why}`,
			{ query },
			error,
		);
	}
}

/** Undefined for binary files. UTF-16 needs its mark; other bytes that are not UTF-8 are replaced. */
export function decodeForSearch(bytes: Buffer): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) {
		return new TextDecoder('utf-16le').decode(bytes);
	}
	if (bytes[0] === 0xfe && bytes[1] === 0xff) {
		return new TextDecoder('utf-16be').decode(bytes);
	}
	return bytes.includes(0) ? undefined : new TextDecoder('utf-8').decode(bytes);
}

export function matchLines(text: string, pattern: RegExp, most: number): { line: number; text: string }[] {
	const found: { line: number; text: string }[] = [];
	let line = 0;
	for (let start = 0; start < text.length && found.length < most;) {
		const newline = text.indexOf('\n', start);
		const end = newline === -1 ? text.length : newline;
		line++;
		const content = text.slice(start, end).replace(/\r$/, '');
		const match = pattern.exec(content);
		if (match !== null) {
			found.push({ line, text: shownLine(content, match.index) });
		}
		start = end + 1;
	}
	return found;
}
