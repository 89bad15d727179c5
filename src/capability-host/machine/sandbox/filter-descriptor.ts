/** How bubblewrap gets the filter of system calls: it reads it from a pipe of its own, and closes that before the program starts. */
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';

/** After input, output and errors. */
const FILTER_DESCRIPTOR = 3;

export function filterFlags(filter: Buffer | undefined): string[] {
	return filter === undefined ? [] : ['--seccomp', String(FILTER_DESCRIPTOR)];
}

/** What the child gets besides input, output and errors. */
export function filterPipe(filter: Buffer | undefined): 'pipe'[] {
	return filter === undefined ? [] : ['pipe'];
}

export function passFilter(child: ChildProcess, filter: Buffer | undefined): void {
	if (filter !== undefined) {
		const pipe = child.stdio[FILTER_DESCRIPTOR] as Duplex | null | undefined;
		// A bubblewrap that did not start, or that does not read it, ends with an error of its own.
		pipe?.on('error', () => undefined);
		pipe?.resume().end(filter);
	}
}
