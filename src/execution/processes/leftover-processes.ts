/**
 * Finds and ends processes that an executor started and that have left its group, such as daemons. They are recognized
 * by their home, which is the executor's own folder or a folder in it, and which no other process has. Linux only,
 * where the environment of a process can be read. A process whose parent emptied its own environment first is not
 * found.
 */
import { readFileSync } from 'node:fs';
import type { LeftProcess } from '../../protocol/execution/execution.ts';
import { startedAfter } from '../../machine/sandbox/watch/seen-processes.ts';
import { LEFTOVER_ROUNDS } from './limits.ts';

/**
 * Kills the processes at this home that began after the process `leader`, which has ended; 0: all. Returns those found.
 */
export function endLeftovers(leader: number, home: string): readonly LeftProcess[] {
	const found = new Map<number, string>();
	// Repeated, because a killed process may have started another before its end.
	for (let round = 0; round < LEFTOVER_ROUNDS; round += 1) {
		const left = processesAtHome(leader, home);
		if (left.length === 0) break;
		for (const pid of left) {
			found.set(pid, found.get(pid) ?? readProcessName(pid));
			killProcess(pid);
		}
	}
	return [...found].map(([pid, name]) => ({ pid, name }));
}

function processesAtHome(leader: number, home: string): number[] {
	if (process.platform !== 'linux') {
		return [];
	}
	const mark = Buffer.from(`\0HOME=${home}`);
	return startedAfter(leader).filter((pid) => {
		const environment = readProcFile(`/proc/${pid}/environ`);
		return environment !== undefined && Buffer.concat([Buffer.from('\0'), environment]).includes(mark);
	});
}

/** Undefined when it is gone meanwhile, or belongs to somebody else. Empty when it has ended and nobody has looked yet. */
function readProcFile(path: string): Buffer | undefined {
	try {
		return readFileSync(path);
	} catch {
		return undefined;
	}
}

/** At most 15 characters, which it can choose. */
function readProcessName(pid: number): string {
	const name = readProcFile(`/proc/${pid}/comm`)?.toString().trim() ?? '';
	return name.replaceAll(/[^\x20-\x7e]/g, '?') || '?';
}

function killProcess(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// The process has ended already.
	}
}
