/** Pieces of our Markdown that others have written: shown as text, whatever is in them. */
import { fenced } from '../../../base/text/fenced.ts';
import { escapeInvisible } from '../../../base/text/escape-invisible.ts';

/** As a block of code, whole, and with what nobody would see in it. */
export function codeBlock(of: string, language = ''): string {
	return fenced(escapeInvisible(of, 'lines'), language);
}

/** A line: nothing of it is Markdown. */
export function plainText(text: string): string {
	return text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+!|~&:]/g, (char) => `&#${char.codePointAt(0)};`);
}
