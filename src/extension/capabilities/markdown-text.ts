/** Pieces of our Markdown that others have written: shown as text, whatever is in them. */
import { escapeInvisible } from '../../capability-host/contract/escape-invisible.ts';

/** As a block of code, whole, and with what nobody would see in it. */
export function codeBlock(of: string, language = ''): string {
	const text = escapeInvisible(of, 'lines');
	const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
	return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** A line: nothing of it is Markdown. */
export function plainText(text: string): string {
	return text
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replaceAll(/[\\`*_{}[\]()<>#+!|~&:]/g, (char) => `&#${char.codePointAt(0)};`);
}

function longestRun(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
