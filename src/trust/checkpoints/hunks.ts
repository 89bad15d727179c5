/** Single hunks of a change: what each is, and a text with or without one of them. */
import type { Hunk } from '../../contract/changes.ts';
import { splitLinesWithEnds, type Replacement, replaceLines, computeReplacements } from './own-lines.ts';

/** Hunks that turn `from` into `to`, in order; undefined when they cannot be found out in time. */
export function computeHunks(from: string, to: string): Hunk[] | undefined {
	const lines = splitLinesWithEnds(from);
	let shift = 0;
	return computeReplacements(lines, splitLinesWithEnds(to))?.map(({ start, end, lines: added }, index) => {
		const line = start + shift + 1;
		shift += added.length - (end - start);
		return { number: index + 1, line, removed: lines.slice(start, end), added: [...added] };
	});
}

/** `from` with that hunk alone, and `to` without it; undefined when there is no such hunk any more. */
export function splitByHunk(
	from: string,
	to: string,
	hunk: Hunk,
): { readonly only: string; readonly others: string } | undefined {
	const lines = splitLinesWithEnds(from);
	const all = computeReplacements(lines, splitLinesWithEnds(to)) ?? [];
	const meant = all[hunk.number - 1];
	if (meant === undefined || !isSameHunk(meant, lines, hunk)) {
		return undefined;
	}
	const joinReplaced = (chosen: readonly Replacement[]) =>
		replaceLines(lines, { start: 0, end: lines.length }, chosen).join('');
	return { only: joinReplaced([meant]), others: joinReplaced(all.filter((each) => each !== meant)) };
}

function isSameHunk({ start, end, lines: added }: Replacement, lines: readonly string[], hunk: Hunk): boolean {
	return lines.slice(start, end).join('') === hunk.removed.join('') && added.join('') === hunk.added.join('');
}
