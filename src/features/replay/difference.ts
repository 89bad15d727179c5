/** The first place at which two values differ, and how, for people. */
import { replayLimits } from './limits.ts';

export interface Difference {
	/** Number of the step in the cassette, from 1; 0: none of it. */
	readonly step: number;
	/** Name of the step, in words: a request to a model, an op, an outcome. */
	readonly what: string;
	/** Path in it, as `request.messages[2].text`; empty: all of it. */
	readonly path: string;
	/** Lines with `-` before what was recorded and `+` before what the replay has. */
	readonly lines: readonly string[];
}

/** Undefined: they are the same. Members are compared in their order. */
export function findDifference(
	recorded: unknown,
	replayed: unknown,
	path = '',
): Omit<Difference, 'step' | 'what'> | undefined {
	if (Object.is(recorded, replayed)) return undefined;
	if (Array.isArray(recorded) && Array.isArray(replayed)) {
		for (let at = 0; at < Math.max(recorded.length, replayed.length); at += 1) {
			const found = findDifference(recorded[at], replayed[at], `${path}[${at}]`);
			if (found !== undefined) return found;
		}
		return undefined;
	}
	const [mine, other] = [readMembers(recorded), readMembers(replayed)];
	if (mine !== undefined && other !== undefined) {
		for (const key of new Set([...Object.keys(mine), ...Object.keys(other)])) {
			const found = findDifference(mine[key], other[key], path === '' ? key : `${path}.${key}`);
			if (found !== undefined) return found;
		}
		return undefined;
	}
	return { path, lines: compareLines(toShown(recorded), toShown(replayed)) };
}

/** Undefined: it is no object. */
function readMembers(value: unknown): Readonly<Record<string, unknown>> | undefined {
	const isList = Array.isArray(value);
	return typeof value !== 'object' || value === null || isList ? undefined : (value as Record<string, unknown>);
}

function toShown(value: unknown): string {
	return value === undefined ? '(nothing)' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The lines around the first that differs. */
function compareLines(recorded: string, replayed: string): string[] {
	const [before, after] = [recorded.split('\n'), replayed.split('\n')];
	let first = 0;
	while (first < before.length && first < after.length && before[first] === after[first]) first += 1;
	const [lastBefore, lastAfter] = [before.length, after.length];
	let same = 0;
	while (
		same < Math.min(lastBefore, lastAfter) - first &&
		before[lastBefore - 1 - same] === after[lastAfter - 1 - same]
	) {
		same += 1;
	}
	const { shownLines } = replayLimits;
	return [
		...before.slice(Math.max(0, first - 1), first).map((line) => `  ${cutLine(line, 0)}`),
		...shownPart(before.slice(first, lastBefore - same), after[first], shownLines).map((line) => `- ${line}`),
		...shownPart(after.slice(first, lastAfter - same), before[first], shownLines).map((line) => `+ ${line}`),
	];
}

function shownPart(lines: readonly string[], other: string | undefined, most: number): string[] {
	const shown = lines.slice(0, most).map((line, at) => cutLine(line, at === 0 ? firstOther(line, other ?? '') : 0));
	return lines.length > most ? [...shown, `(${lines.length - most} more lines)`] : shown;
}

function firstOther(line: string, other: string): number {
	let at = 0;
	while (at < line.length && line[at] === other[at]) at += 1;
	return at;
}

/** A long line is shown around `at`. */
function cutLine(line: string, at: number): string {
	const { shownChars } = replayLimits;
	const from = Math.max(0, Math.min(at, line.length) - 60);
	const piece = line.slice(from, from + shownChars);
	return `${from > 0 ? '…' : ''}${piece}${from + shownChars < line.length ? '…' : ''}`;
}
