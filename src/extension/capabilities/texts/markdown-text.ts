/** Pieces of our Markdown that others have written: shown as text, whatever is in them. */
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
