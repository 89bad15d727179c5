/** Matching of our own search: lines of one file against a compiled query. */
import { toErrorMessage } from '../../base/text/message-of.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { shownLine, shownLines } from './matching-line.ts';
import { readPattern } from './pattern.ts';
import type { TextMatch, TextQuery } from './search-engine.ts';

type FoundLine = Omit<TextMatch, 'path'>;

interface CompiledQuery {
	readonly pattern: RegExp;
	readonly spansLines: boolean;
}

export function compileQuery(query: Pick<TextQuery, 'query' | 'literal' | 'caseSensitive'>): CompiledQuery {
	const { source, ignoresCase, spansLines, dotAll } = readPattern(query);
	const flags = (ignoresCase ? 'i' : '') + (spansLines ? 'gm' : '') + (dotAll ? 's' : '');
	try {
		return { pattern: new RegExp(source, `${flags}u`), spansLines };
	} catch {
		// The Unicode mode refuses escapes that are merely needless, which ripgrep accepts.
	}
	try {
		return { pattern: new RegExp(source, flags), spansLines };
	} catch (error) {
		const why = toErrorMessage(error);
		throw new ProwessError(
			'INVALID_PARAMS',
			`the pattern ${JSON.stringify(query.query)} is not a regular expression: ${why}`,
			{
				query: query.query,
				said: text('{pattern} is not a regular expression: {why}', { pattern: JSON.stringify(query.query), why }),
			},
			error,
		);
	}
}

/** Lines of a text that match, and those around them; at most `most` matches. */
export function matchLines(text: string, query: CompiledQuery, most: number, context: number): FoundLine[] {
	const matches = query.spansLines
		? matchesAcross(text, query.pattern, most)
		: matchesWithin(text, query.pattern, most);
	return context === 0 || matches.length === 0 ? matches : withContext(matches, text.split('\n'), context);
}

function matchesWithin(text: string, pattern: RegExp, most: number): FoundLine[] {
	const found: FoundLine[] = [];
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

function matchesAcross(text: string, pattern: RegExp, most: number): FoundLine[] {
	const found: FoundLine[] = [];
	let line = 1;
	let counted = 0;
	let shownTo = 0;
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match !== null && found.length < most; match = pattern.exec(text)) {
		const start = text.lastIndexOf('\n', match.index - 1) + 1;
		const last = match.index + Math.max(1, match[0].length) - 1;
		const newline = text.indexOf('\n', last);
		const end = newline === -1 ? text.length : newline;
		if (start >= shownTo && start < text.length) {
			line += text.slice(counted, start).split('\n').length - 1;
			counted = start;
			found.push({ line, text: shownLines(text.slice(start, end), match.index - start) });
			shownTo = end + 1;
		}
		pattern.lastIndex += match[0] === '' ? 1 : 0;
	}
	return found;
}

function withContext(matches: readonly FoundLine[], lines: readonly string[], context: number): FoundLine[] {
	const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
	const found: FoundLine[] = [];
	let shown = 0;
	const addContext = (from: number, to: number) => {
		for (let line = Math.max(from, shown + 1); line <= Math.min(to, count); line++) {
			found.push({ line, text: shownLine(lines[line - 1] ?? '', 0), isContext: true });
			shown = line;
		}
	};
	for (const [index, match] of matches.entries()) {
		const last = match.line + match.text.split('\n').length - 1;
		addContext(match.line - context, match.line - 1);
		found.push(match);
		shown = last;
		addContext(last + 1, Math.min(last + context, (matches[index + 1]?.line ?? count + 1) - 1));
	}
	return found;
}
