/** A change of one file as a unified diff. */
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import type { FileDiff } from '../../protocol/ops/definitions/files/files.ts';
import { FILE_DIFF_TIMEOUT_MS, PATCH_CHARS } from '../limits.ts';
import { isCrOnly } from '../line-ends.ts';

/** Whole, however large. `before` undefined: the file is created. */
export function fileDiff(path: string, before: string | undefined, after: string): FileDiff {
	if (isCrOnly(before ?? after)) {
		return fileDiff(path, before?.replaceAll('\r', '\n'), after.replaceAll('\r', '\n'));
	}
	const created = before === undefined;
	const names = [created ? '/dev/null' : `a/${path}`, `b/${path}`] as const;
	const smallest = created
		? undefined
		: structuredPatch(...names, before, after, undefined, undefined, { context: 3, timeout: FILE_DIFF_TIMEOUT_MS });
	const patch = smallest ?? asOneBlock(names, before ?? '', after);
	const lines = patch.hunks.flatMap((hunk) => hunk.lines);
	return {
		path,
		created,
		added: lines.filter((line) => line.startsWith('+')).length,
		removed: lines.filter((line) => line.startsWith('-')).length,
		patch: formatPatch(patch, FILE_HEADERS_ONLY),
	};
}

/** For a result: the patch is for display there. */
export function boundPatch(diff: FileDiff, chars = PATCH_CHARS): FileDiff {
	if (diff.patch.length <= chars) {
		return diff;
	}
	const end = diff.patch.lastIndexOf('\n', chars) + 1;
	return { ...diff, patch: `${diff.patch.slice(0, end)}[… ${diff.patch.length - end} more characters]\n` };
}

type Patch = NonNullable<ReturnType<typeof structuredPatch>>;

/** All lines between the common beginning and the common end: for a new file, and when the smallest difference takes too long to find. */
function asOneBlock([oldFileName, newFileName]: readonly [string, string], before: string, after: string): Patch {
	const old = splitDiffLines(before);
	const now = splitDiffLines(after);
	let start = 0;
	while (start < old.length && start < now.length && old[start] === now[start]) {
		start++;
	}
	let end = 0;
	while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) {
		end++;
	}
	const removed = old.slice(start, old.length - end);
	const added = now.slice(start, now.length - end);
	const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
	if (lines.length > 0 && end === 0 && after !== '' && !after.endsWith('\n')) {
		lines.push('\\ No newline at end of file');
	}
	const first = start + 1;
	const hunk = { oldStart: first, oldLines: removed.length, newStart: first, newLines: added.length, lines };
	const hunks = lines.length === 0 ? [] : [hunk];
	return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks, isGit: false } as Patch;
}

function splitDiffLines(text: string): string[] {
	const lines = text.split('\n');
	if (lines.at(-1) === '') {
		lines.pop();
	}
	return lines;
}
