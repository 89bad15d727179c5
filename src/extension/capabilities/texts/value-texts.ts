/** Texts of values: pieces of Markdown and of lists that others have written, shown as the text they are. */
import { fenceCodeBlock } from '../../../base/text/fenced.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';

/** Returns the whole text as a block of code, with invisible characters made visible. */
export function formatCodeBlock(of: string, language = ''): string {
	return fenceCodeBlock(escapeInvisible(of, 'lines'), language);
}

/** A line: nothing of it is Markdown. */
export function escapeMarkdownLine(text: string): string {
	return text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+!|~&:]/g, (char) => `&#${char.codePointAt(0)};`);
}

/** Text of others in a row of a Quick Pick, where `$(name)` becomes an icon and what reorders a line would act. */
export function pickText(text: string): string {
	return escapeInvisible(text.replaceAll(/\s+/g, ' ').trim(), 'line').replaceAll('$(', '\\$(');
}
