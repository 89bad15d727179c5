/**
 * Finds the owner's lines in a text by comparing three texts line by line. `base` is without the owner's changes,
 * `ours` is the text that the owner's last write left, `now` is the present text. Lines that others changed since,
 * beside the owner's lines, are theirs.
 */
import { diffArrays } from 'diff';
import { LINE_DIFF_TIMEOUT_MS } from './limits.ts';

interface WithoutOwn {
	/** Text of today without the changes of the owner. */
	readonly text: string;
	/** Somebody has changed lines of the owner since: taking those back takes back theirs too. */
	readonly isMixed: boolean;
	/** The same, but with what others wrote where they have left no line of the owner. */
	readonly withTheirs: string;
}

/** Undefined when it cannot be found out in time. */
export function withoutOwn(base: string, ours: string, now: string): WithoutOwn | undefined {
	if (ours === now) {
		return { text: base, isMixed: false, withTheirs: base };
	}
	const lines = splitLinesWithEnds(ours);
	const back = computeReplacements(lines, splitLinesWithEnds(base));
	const since = computeReplacements(lines, splitLinesWithEnds(now));
	if (back === undefined || since === undefined) {
		return undefined;
	}
	const parts: string[] = [];
	const withTheirs: string[] = [];
	let isMixed = false;
	let at = 0;
	for (const region of groupRegions(back, since)) {
		const between = lines.slice(at, region.start);
		const theirs = replaceLines(lines, region, region.since);
		const older = replaceLines(lines, region, region.back);
		parts.push(...between, ...(region.back.length === 0 ? theirs : older));
		withTheirs.push(...between, ...(isLeftIn(region) ? older : theirs));
		isMixed ||= region.back.length > 0 && region.since.length > 0 && theirs.join('') !== older.join('');
		at = region.end;
	}
	const rest = lines.slice(at);
	return { text: [...parts, ...rest].join(''), isMixed, withTheirs: [...withTheirs, ...rest].join('') };
}

/** Lines from `start` to before `end` become `lines`. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly lines: readonly string[];
}

/** Lines that replacements of either side touch together. */
interface Region {
	readonly start: number;
	readonly end: number;
	readonly back: readonly Replacement[];
	readonly since: readonly Replacement[];
}

/** Returns the replacements that turn one list of lines into another; undefined when they cannot be found in time. */
export function computeReplacements(from: readonly string[], to: readonly string[]): Replacement[] | undefined {
	const parts = diffArrays([...from], [...to], { timeout: LINE_DIFF_TIMEOUT_MS });
	const found: Replacement[] = [];
	let at = 0;
	for (const { added, removed, value } of parts ?? []) {
		const last = found.at(-1);
		if (added || removed) {
			// Lines removed and added at one place are one replacement.
			const before = last?.end === at ? found.pop() : undefined;
			const end = added ? at : at + value.length;
			found.push({ start: before?.start ?? at, end, lines: [...(before?.lines ?? []), ...(added ? value : [])] });
		}
		at += added ? 0 : value.length;
	}
	return parts === undefined ? undefined : found;
}

function groupRegions(back: readonly Replacement[], since: readonly Replacement[]): Region[] {
	const all = [
		...back.map((each) => ({ each, isBack: true })),
		...since.map((each) => ({ each, isBack: false })),
	].toSorted((a, b) => a.each.start - b.each.start || a.each.end - b.each.end);
	const found: Region[] = [];
	for (const { each, isBack } of all) {
		const last = found.at(-1);
		const region =
			last !== undefined && isOverlapping(last, each)
				? (found.pop() ?? last)
				: { start: each.start, end: each.end, back: [], since: [] };
		found.push({
			start: region.start,
			end: Math.max(region.end, each.end),
			back: isBack ? [...region.back, each] : region.back,
			since: isBack ? region.since : [...region.since, each],
		});
	}
	return found;
}

/** True when a line that the owner changed is as the owner left it. */
function isLeftIn({ back, since }: Region): boolean {
	return back.some(({ start, end }) => {
		let at = start;
		for (const each of since) {
			if (each.start > at) break;
			at = Math.max(at, each.end);
		}
		return at < end || since.length === 0;
	});
}

/** True when both change the same lines, or insert at the same place. */
function isOverlapping({ start, end }: Pick<Replacement, 'start' | 'end'>, next: Replacement): boolean {
	return next.start < end || (next.start === end && start === end && next.start === next.end);
}

/** Returns the lines of the given range with the replacements made. */
export function replaceLines(
	lines: readonly string[],
	{ start, end }: Pick<Region, 'start' | 'end'>,
	replacements: readonly Replacement[],
): string[] {
	const parts: string[] = [];
	let at = start;
	for (const each of replacements) {
		parts.push(...lines.slice(at, each.start), ...each.lines);
		at = each.end;
	}
	return [...parts, ...lines.slice(at, end)];
}

/** With their ends, so that joined they are the text again. */
export function splitLinesWithEnds(text: string): string[] {
	return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
