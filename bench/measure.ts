/**
 * Ratios against a baseline of the same run: absolute times say little on a shared machine. Variants run in random order
 * within each round, and the ratio is taken per round.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Figure {
	readonly goal: string;
	readonly what: string;
	readonly measured: string;
	readonly bar: string;
	/** undefined: no bar, reported only. */
	readonly met: boolean | undefined;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? Number.NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

interface Measured {
	readonly value: number;
	readonly ratio: number;
}

/** Medians of each variant, and of its per-round ratio to the first one. */
export async function paired(
	rounds: number,
	variants: Readonly<Record<string, () => Promise<number>>>,
): Promise<Record<string, Measured>> {
	const names = Object.keys(variants);
	const base = names[0];
	if (base === undefined) {
		throw new Error('paired: no variant given');
	}
	const values: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		for (const name of shuffled(names)) {
			values[name]?.push((await variants[name]?.()) ?? Number.NaN);
		}
	}
	return Object.fromEntries(
		names.map((name) => {
			const own = values[name] ?? [];
			const ratios = own.map((value, round) => value / (values[base]?.[round] ?? Number.NaN));
			return [name, { value: median(own), ratio: median(ratios) }];
		}),
	);
}

function shuffled<T>(items: readonly T[]): T[] {
	return items
		.map((item) => ({ item, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ item }) => item);
}

/** A line for each figure, below one with what the columns hold. */
export function tableOf(figures: readonly Figure[]): string[] {
	const rows = figures.map((f) => [
		f.goal,
		f.what,
		f.measured,
		f.bar,
		f.met === undefined ? '' : f.met ? 'met' : 'MISSED',
	]);
	const head = ['goal', 'what', 'measured', 'bar', ''];
	const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
	return [head, ...rows].map((row) =>
		row
			.map((cell, i) => cell.padEnd(widths[i] ?? 0))
			.join('  ')
			.trimEnd(),
	);
}

/** Formats the measured ratio, such as `4.20x`. */
export const ratio = (measured: Measured | undefined): string => `${(measured?.ratio ?? Number.NaN).toFixed(2)}x`;

export function ms(value = Number.NaN): string {
	return `${value.toFixed(value < 1 ? 3 : 1)} ms`;
}

/** Milliseconds from the spawn of a program to its end. */
export async function exitOf([program = '', ...args]: readonly string[]): Promise<number> {
	const started = performance.now();
	await once(spawn(program, args, { stdio: 'ignore' }), 'exit');
	return performance.now() - started;
}

/** Milliseconds of the processor that `work` takes: other work on the machine does not count. */
export function processorTime(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

/**
 * Milliseconds of the processor that this thread took at most before its loop turned again. Not the time, of which others on
 * the machine take their part.
 */
export async function busiestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	let before = process.threadCpuUsage();
	const turn = () => {
		const { user, system } = process.threadCpuUsage(before);
		longest = Math.max(longest, (user + system) / 1_000);
		before = process.threadCpuUsage();
		if (!isOver) setImmediate(turn);
	};
	setImmediate(turn);
	await work();
	isOver = true;
	return longest;
}
