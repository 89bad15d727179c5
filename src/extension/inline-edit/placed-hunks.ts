/** Parts of an edit that are shown in an editor, while others type in the same text. Pure. */
import type { Hunk } from '../../contract/changes.ts';
import { minimalEdit } from '../editor/minimal-edit.ts';

/** Lines of a text, and those that are proposed in their place. */
export interface PlacedHunk {
	/** Line where it begins, from 0. New lines that replace none come before this one. */
	readonly first: number;
	/** Lines that it replaces, without their ends. */
	readonly removed: readonly string[];
	readonly added: readonly string[];
	/** Lines that must stand there unchanged: those that it replaces, else the one that follows. */
	readonly anchor: readonly string[];
}

/** Change that somebody made to a text, in lines from 0 of the text before it. */
export interface TextChange {
	readonly start: { readonly line: number };
	readonly end: { readonly line: number };
	readonly text: string;
}

/** Most places that are kept for lines that somebody types in: each change there can add one. */
const MOST_PLACES = 8;

/** A last line without an end is compared as one with an end, so that each line is one line everywhere. */
export function toComparedText(text: string): string {
	return `${text}\n`;
}

/** Places hunks between two texts that were compared by `toComparedText`; without any, the whole text is one. */
export function placeHunks(before: string, after: string, hunks: readonly Hunk[] | undefined): readonly PlacedHunk[] {
	const lines = splitLines(before);
	if (hunks === undefined) {
		return before === after ? [] : [{ first: 0, removed: lines, added: splitLines(after), anchor: lines }];
	}
	let shift = 0;
	return hunks.map(({ line, removed, added }) => {
		const first = line - 1 - shift;
		shift += added.length - removed.length;
		const end = first + Math.max(1, removed.length);
		return {
			first,
			removed: lines.slice(first, first + removed.length),
			added: added.map((each) => each.replace(/\r?\n$/, '')),
			anchor: lines.slice(first, end),
		};
	});
}

/** The text with these hunks, which must not overlap, and with the line ends that it has. */
export function withHunks(text: string, hunks: readonly PlacedHunk[]): string {
	const lines = splitLines(text);
	for (const { first, removed, added } of hunks.toSorted((one, other) => other.first - one.first)) {
		lines.splice(first, removed.length, ...added);
	}
	return lines.join(text.includes('\r\n') ? '\r\n' : '\n');
}

/** Changes of whole lines that make a text the one with these hunks, the last first. */
export function toLineChanges(hunks: readonly PlacedHunk[]): readonly TextChange[] {
	return hunks
		.toSorted((one, other) => other.first - one.first)
		.map(({ first, removed, added }) => ({
			start: { line: first },
			end: { line: first + removed.length },
			text: added.map((line) => `${line}\n`).join(''),
		}));
}

/** The one change between two texts. */
export function toTextChange(from: string, to: string): TextChange {
	const { start, end, insert } = minimalEdit(from, to);
	const lineAt = (offset: number) => ({ line: splitLines(from.slice(0, offset)).length - 1 });
	return { start: lineAt(start), end: lineAt(end), text: insert };
}

/** Lines in a text that others type in. */
export interface FollowedLines {
	readonly lines: readonly string[];
	/** Line where they begin, from 0; where they have another text at the moment, those where they could come back. */
	readonly places: readonly number[];
	readonly isThere: boolean;
}

export function followLinesAt(place: number, lines: readonly string[]): FollowedLines {
	return { lines, places: [place], isThere: true };
}

/** Follows the lines through changes. Somebody who types in them, and takes that back, finds them again. */
export function followLines(
	{ lines, places }: FollowedLines,
	changes: readonly TextChange[],
	textNow: string,
): FollowedLines {
	const now = splitLines(textNow);
	// A change can begin or end in a line and leave it as it is, so the lines themselves decide.
	const possible = changes.reduce<readonly number[]>(
		(before, change) => before.flatMap((place) => listPlaces(place, place + lines.length - 1, change)),
		places,
	);
	const found = possible.find((place) => lines.every((line, index) => now[place + index] === line));
	return found === undefined
		? { lines, places: [...new Set(possible)].slice(0, MOST_PLACES), isThere: false }
		: { lines, places: [found], isThere: true };
}

/** True for hunks that cannot both be accepted as they stand. */
export function areEntangled(one: PlacedHunk, other: PlacedHunk): boolean {
	const [above, below] = one.first <= other.first ? [one, other] : [other, one];
	return below.first < above.first + Math.max(1, above.removed.length);
}

export function splitLines(text: string): string[] {
	return text.split(/\r?\n/);
}

function listPlaces(first: number, last: number, { start, end, text }: TextChange): readonly number[] {
	const shift = splitLines(text).length - 1 - (end.line - start.line);
	if (start.line > last) {
		return [first];
	}
	return end.line < first || shift === 0 ? [first + shift] : [first + shift, first];
}
