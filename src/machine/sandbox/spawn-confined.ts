/** Starts a child behind its walls. bubblewrap reads the filter of system calls from a pipe, which it closes before the program. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import type { Writable } from 'node:stream';

export interface ConfinedCommandLine {
	readonly program: string;
	readonly args: readonly string[];
	/** For `bwrap --seccomp`; undefined: system calls are not filtered. */
	readonly filter: Buffer | undefined;
}

/** The descriptors of the child, as `spawn` takes them, one by one. */
interface ConfinedOptions extends Omit<SpawnOptions, 'stdio'> {
	readonly stdio: readonly ('ignore' | 'pipe' | 'inherit')[];
}

export function spawnConfined(
	{ program, args, filter }: ConfinedCommandLine,
	{ stdio, ...options }: ConfinedOptions,
): ChildProcess {
	if (filter === undefined) {
		return spawn(program, args, { ...options, stdio: [...stdio] });
	}
	const place = stdio.length;
	const child = spawn(program, ['--seccomp', String(place), ...args], { ...options, stdio: [...stdio, 'pipe'] });
	const pipe = child.stdio[place] as Writable | null | undefined;
	// A bubblewrap that did not start, or does not read it, ends with an error of its own.
	pipe?.on('error', () => undefined).end(filter);
	return child;
}
