/**
 * Looks at what runs in a sandbox from outside, and ends it when it is more than one command should be: the machine belongs to
 * its user. Looks by itself, since limits of the system count all processes of the user, or none of the superuser.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import type { Disposable } from '../../../base/disposable.ts';
import { MAX_MEMORY_SHARE, MAX_PROCESSES, WATCH_MS } from './limits.ts';
import { insideOf } from './inside-of.ts';

export interface WatchLimits {
	readonly processes: number;
	readonly memoryBytes: number;
}

/** In a container, of what it may use. */
export const WATCH_LIMITS: WatchLimits = {
	processes: MAX_PROCESSES,
	memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity) * MAX_MEMORY_SHARE,
};

/** Calls `onExceeded` once, with a sentence, when what runs below this bubblewrap exceeds a limit. Until disposed. */
export function watchProcesses(bubblewrap: number, limits: WatchLimits, onExceeded: (why: string) => void): Disposable {
	const timer = setInterval(() => {
		const why = exceeded(bubblewrap, limits);
		if (why !== undefined) {
			clearInterval(timer);
			onExceeded(why);
		}
	}, WATCH_MS).unref();
	return { dispose: () => clearInterval(timer) };
}

function exceeded(bubblewrap: number, { processes, memoryBytes }: WatchLimits): string | undefined {
	const [first] = insideOf(bubblewrap);
	if (first === undefined) {
		return undefined;
	}
	// The processes as they see themselves: all of this sandbox, and no others.
	const seen = `/proc/${first}/root/proc`;
	const pids = namesIn(seen).filter((name) => /^\d+$/.test(name));
	if (pids.length > processes) {
		return `The command was ended: more than ${processes} processes ran at once.`;
	}
	const bytes = pids.reduce((sum, pid) => sum + residentBytes(`${seen}/${pid}/statm`), 0);
	return bytes > memoryBytes
		? `The command was ended: it used more than ${Math.round(memoryBytes / 1_048_576)} MB of memory.`
		: undefined;
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Not set up yet, or gone.
		return [];
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
