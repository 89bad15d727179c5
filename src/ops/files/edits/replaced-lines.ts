/** Text in the place of a found or a whole one. Lines that stay are not touched: they keep their ends, spaces and punctuation. */
import { diffArrays } from 'diff';
import { FILE_DIFF_TIMEOUT_MS } from '../../limits.ts';
import { isCrOnly, LineEnds, toLf } from '../../line-ends.ts';
import type { FoundText } from './loose-match.ts';

interface Replacing {
	/** Text that was found, with its line ends. */
	readonly there: string;
	/** Text to find, and its replacement; both with LF. */
	readonly find: string;
	readonly replace: string;
	/** Each character of `find` stands for the one that is there. */
	readonly isAligned: boolean;
	readonly indented: FoundText['indented'];
	/** End of a new line where no other is near. */
	readonly usualEnd: string;
}

/** Undefined when a new line cannot be indented as those around it are. */
export function replacedLines({ there, find, replace, isAligned, indented, usualEnd }: Replacing): string | undefined {
	const contents = toLf(there).split('\n');
	const ends = there.match(/\r?\n/g) ?? [];
	const [asked, wanted] = [find.split('\n'), replace.split('\n')];
	const changes = diffArrays(asked, wanted, { timeout: FILE_DIFF_TIMEOUT_MS }) ?? [
		{ value: asked, count: asked.length, added: false, removed: true },
		{ value: wanted, count: wanted.length, added: true, removed: false },
	];
	const lines: { readonly text: string | undefined; readonly end: string | undefined }[] = [];
	let from = 0;
	let removed = 0;
	for (const { added, removed: isRemoved, value } of changes) {
		if (isRemoved) {
			removed = value.length;
			continue;
		}
		const isPaired = added && removed === value.length;
		for (const [index, line] of value.entries()) {
			const at = from + index;
			const same = contents[at] ?? '';
			const inPlace = isAligned && isPaired ? changedWithin(same, asked[at] ?? '', line) : indented(line);
			lines.push(added ? { text: inPlace, end: isPaired ? ends[at] : undefined } : { text: same, end: ends[at] });
		}
		from += added ? removed : value.length;
		removed = 0;
	}
	if (lines.some(({ text }) => text === undefined)) {
		return undefined;
	}
	const end = ends[0] ?? usualEnd;
	return lines.map((line, index) => (line.text ?? '') + (index < lines.length - 1 ? (line.end ?? end) : '')).join('');
}

/** The line that is there with what differs between `from` and `to`. */
function changedWithin(there: string, from: string, to: string): string {
	const most = Math.min(from.length, to.length);
	let start = 0;
	while (start < most && from[start] === to[start]) {
		start++;
	}
	let end = 0;
	while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) {
		end++;
	}
	return there.slice(0, start) + to.slice(start, to.length - end) + there.slice(there.length - end);
}

/** Ends of lines of a whole text, as they are told. Undefined: LF, or none. */
export function namedEnds(text: string): 'CRLF' | 'CR' | 'mixed' | undefined {
	const ends = new LineEnds(text);
	return isCrOnly(text) ? 'CR' : ends.isMixed ? 'mixed' : ends.usual === '\r\n' ? 'CRLF' : undefined;
}

/**
 * A whole new text, which was written with LF, with the line ends of the one that it replaces: lines that stay keep theirs, new ones get those of
 * their neighbours.
 */
export function keepLineEnds(before: string, after: string): string {
	if (after.includes('\r\n')) {
		return after;
	}
	if (isCrOnly(before)) {
		return after.replaceAll('\n', '\r');
	}
	const { lf, usual, isMixed } = new LineEnds(before);
	if (!isMixed) {
		return usual === '\n' ? after : after.replaceAll('\n', usual);
	}
	const replacing = { there: before, find: lf, replace: after, isAligned: true, usualEnd: usual };
	return replacedLines({ ...replacing, indented: (line) => line }) ?? after;
}
