/** A query as a regular expression that both engines read alike. A newline in it means either line end, and that matches may span lines. */
import type { TextQuery } from './search-engine.ts';

interface SearchPattern {
	readonly source: string;
	readonly ignoresCase: boolean;
	readonly spansLines: boolean;
	/** A dot matches line ends, too. */
	readonly dotAll: boolean;
}

const EITHER_LINE_END = String.raw`\r?\n`;
/** Flags at the start, as other dialects have them. */
const LEADING_FLAGS = /^\(\?([ims]+)\)/;

export function readPattern({
	query,
	literal,
	caseSensitive,
}: Pick<TextQuery, 'query' | 'literal' | 'caseSensitive'>): SearchPattern {
	if (literal) {
		const source = query.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll(/\r?\n/g, EITHER_LINE_END);
		return { source, ignoresCase: !caseSensitive, spansLines: query.includes('\n'), dotAll: false };
	}
	const flags = LEADING_FLAGS.exec(query)?.[1] ?? '';
	const written = query.replace(LEADING_FLAGS, '');
	const source = withEitherLineEnd(written);
	const dotAll = flags.includes('s');
	return {
		source,
		ignoresCase: !caseSensitive || flags.includes('i'),
		spansLines: dotAll || source !== written || /\[\\s\\S\]|\[\\S\\s\]/.test(written),
		dotAll,
	};
}

/** Within brackets a newline stands for itself. */
function withEitherLineEnd(pattern: string): string {
	return pattern.replaceAll(/\\r\\n|\\r\?\\n|\\n|\r?\n|\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, (part) =>
		/^(?:\\r\??)?\\n$|^\r?\n$/.test(part) ? EITHER_LINE_END : part,
	);
}
