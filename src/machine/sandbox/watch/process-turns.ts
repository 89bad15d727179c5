/** Counts the turns that processes had on a processor: as long as the counts stay, none of them ran. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import type { SeenProcesses } from './seen-processes.ts';

/** Processes up to which they are looked at: of more, one runs nearly always. */
const COUNTED_PROCESSES = 16;

/**
 * Returns the counts of all threads, to be compared with those of another look. Undefined where they are too many, and on a
 * system that does not count.
 */
export function readTurnsOfProcesses({ folder, pids }: SeenProcesses): string | undefined {
	if (pids.length === 0 || pids.length > COUNTED_PROCESSES) {
		return undefined;
	}
	try {
		return pids.map((pid) => `${pid}: ${readTurns(`${folder}/${pid}/task`)}`).join('; ');
	} catch {
		// Gone: it ran to its end meanwhile.
		return undefined;
	}
}

function readTurns(tasks: string): string {
	return readdirSync(tasks)
		.map((task) => `${task} ${readFileSync(`${tasks}/${task}/schedstat`, 'latin1').trim()}`)
		.join(', ');
}
