/**
 * Looks at what runs in a sandbox from outside, and ends it when it is more than one command should be: the machine belongs to
 * its user. Looks by itself, since limits of the system count all processes of the user, or none of the superuser.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Disposable } from '../../../../base/disposable.ts';
import { WATCH_MS } from '../limits.ts';
import { processesIn } from './seen-processes.ts';
import type { WatchLimits } from './watch-limits.ts';

/** Calls `onExceeded` once, with a sentence, when what runs below this bubblewrap exceeds a limit. Until disposed. */
export function watchProcesses(bubblewrap: number, limits: WatchLimits, onExceeded: (why: string) => void): Disposable {
	const sharedBefore = sharedMemoryBytes();
	const timer = setInterval(() => {
		const why = exceeded(bubblewrap, limits, sharedBefore);
		if (why !== undefined) {
			clearInterval(timer);
			onExceeded(why);
		}
	}, WATCH_MS).unref();
	return { dispose: () => clearInterval(timer) };
}

function exceeded(
	bubblewrap: number,
	{ processes, memoryBytes, openFiles }: WatchLimits,
	sharedBefore: number,
): string | undefined {
	const seen = processesIn(bubblewrap);
	try {
		const { folder, pids } = seen;
		if (pids.length > processes) {
			return `The command was ended: more than ${processes} processes ran at once.`;
		}
		// Memory that processes share, files in memory among it, is nobody's own: the machine counts it as one.
		const shared = Math.max(0, sharedMemoryBytes() - sharedBefore);
		const own = sum(pids.map((pid) => residentBytes(`${folder}/${pid}/statm`)));
		if (own + shared > memoryBytes) {
			return `The command was ended: it used more than ${Math.round(memoryBytes / 1_048_576)} MB of memory.`;
		}
		const files = sum(pids.map((pid) => openFilesOf(`${folder}/${pid}/fd`)));
		return files > openFiles ? `The command was ended: it had more than ${openFiles} files open.` : undefined;
	} finally {
		seen.close();
	}
}

const PAGE_BYTES = 4096;

/** Less what is shared with others, as far as the system tells. */
function residentBytes(statm: string): number {
	try {
		const [, resident = 0, shared = 0] = readFileSync(statm, 'utf8').split(' ').map(Number);
		return (resident - shared) * PAGE_BYTES;
	} catch {
		// Gone.
		return 0;
	}
}

/** The kernel gives their number as the size of the folder; before Linux 6.2 it gives none. */
function openFilesOf(folder: string): number {
	try {
		return statSync(folder).size;
	} catch {
		// Gone.
		return 0;
	}
}

/** Of the whole machine. */
function sharedMemoryBytes(): number {
	try {
		const [, kilobytes = 0] = /^Shmem: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
		return Number(kilobytes) * 1024;
	} catch {
		// A system that does not tell.
		return 0;
	}
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}
