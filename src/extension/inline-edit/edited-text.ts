/** Where lines of a file are replaced by others. Pure. */

export interface EditedLines {
	/** Lines to replace, from 0, both of them included. */
	readonly first: number;
	readonly last: number;
}

/** The lines before, those that are meant, and those after. Their joint is the text again. */
export function splitAroundLines(
	text: string,
	{ first, last }: EditedLines,
): { before: string; selected: string; after: string } {
	const lines = text.split('\n');
	return {
		before: lines.slice(0, first).join('\n'),
		selected: lines.slice(first, last + 1).join('\n'),
		after: lines.slice(last + 1).join('\n'),
	};
}

/** The text with `replacement` in the place of those lines, with the line ends that it has. */
export function withLines(text: string, { first, last }: EditedLines, replacement: string): string {
	const end = text.includes('\r\n') ? '\r\n' : '\n';
	const lines = text.split(/\r?\n/);
	return [...lines.slice(0, first), ...replacement.split(/\r?\n/), ...lines.slice(last + 1)].join(end);
}
