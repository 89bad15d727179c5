/** Pieces of our Markdown pages that others have written: shown as text, whatever is in them. */

/** As code within a line. */
export function inlineCode(text: string): string {
	const line = text.replaceAll(/\s+/g, ' ').trim();
	const fence = '`'.repeat(longestRun(line) + 1);
	const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
	return line === '' ? '' : `${fence}${space}${line}${space}${fence}`;
}

/** As a block of code, whole. */
export function codeBlock(text: string, language = ''): string {
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A cell of a table, or any other line: nothing of it is Markdown. */
export function plainText(text: string): string {
	return text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+!|~&:]/g, (char) => `&#${char.codePointAt(0)};`);
}

/**
 * Markdown of others, formatted, but without what reaches out of the page: no HTML, and of pictures a link, because
 * loading them would tell whoever serves them that the page is being read.
 */
export function foreignMarkdown(text: string): string {
	return text
		.replaceAll('\r\n', '\n')
		.replaceAll(/^---\n[\s\S]*?\n---\n/g, '')
		.replaceAll('<', '&lt;')
		.replaceAll('![', '[');
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function longestRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
