import { diffLines } from 'diff';
import { LINE_DIFF_TIMEOUT_MS } from './limits.ts';

/** Lines added and removed between two texts; all of them when that cannot be found out in time. */
export function countLines(before: string, after: string): { readonly added: number; readonly removed: number } {
	const parts = diffLines(before, after, { timeout: LINE_DIFF_TIMEOUT_MS });
	if (parts === undefined) {
		return { added: countTextLines(after), removed: countTextLines(before) };
	}
	const sumSide = (side: 'added' | 'removed') =>
		parts.filter((part) => part[side]).reduce((total, part) => total + part.count, 0);
	return { added: sumSide('added'), removed: sumSide('removed') };
}

function countTextLines(text: string): number {
	return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
