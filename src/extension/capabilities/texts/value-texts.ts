/** Texts of values: pieces of Markdown and of lists that others have written, shown as the text they are and durations. */
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

/** `0.4 s`, `12 s`, `3:05 min`, `1:02:07 h`. */
export function durationText(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	const padTwoDigits = (value: number) => String(value).padStart(2, '0');
	if (seconds < 10) {
		return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
	}
	if (seconds < 60) {
		return `${seconds} s`;
	}
	if (seconds < 3600) {
		return `${Math.floor(seconds / 60)}:${padTwoDigits(seconds % 60)} min`;
	}
	return `${Math.floor(seconds / 3600)}:${padTwoDigits(Math.floor(seconds / 60) % 60)}:${padTwoDigits(seconds % 60)} h`;
}
