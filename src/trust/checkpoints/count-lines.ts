import { diffLines } from 'diff';
import { DIFF_TIMEOUT_MS } from './limits.ts';

/** Lines added and removed between two texts; all of them when that cannot be found out in time. */
export function countLines(before: string, after: string): { readonly added: number; readonly removed: number } {
	const parts = diffLines(before, after, { timeout: DIFF_TIMEOUT_MS });
	if (parts === undefined) {
		return { added: linesOf(after), removed: linesOf(before) };
	}
	const sum = (side: 'added' | 'removed') =>
		parts.filter((part) => part[side]).reduce((total, part) => total + part.count, 0);
	return { added: sum('added'), removed: sum('removed') };
}

function linesOf(text: string): number {
	return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
