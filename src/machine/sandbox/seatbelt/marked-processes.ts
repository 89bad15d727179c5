/**
 * Processes that a command has left running, found by a mark in its environment, which children inherit: a process may
 * leave its group, and Seatbelt gives a command no process namespace of its own. A process that empties its environment
 * is not found.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PS_TIMEOUT_MS } from '../limits.ts';

/** A variable of each command; its value is that of no other. */
export const COMMAND_MARK = 'PROWESS_COMMAND';
const PS_BYTES = 64 * 1_048_576;
const ROUNDS = 5;

/**
 * Ends all processes with the mark. Resolves when none is left, or some cannot be ended; never rejects. Repeats the
 * search, because a process may start others meanwhile.
 */
export async function endMarked(mark: string): Promise<void> {
	for (let round = 0; round < ROUNDS; round++) {
		const left = await markedProcesses(mark);
		for (const pid of left) {
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// Gone, or another user's.
			}
		}
		if (left.length === 0) return;
	}
}

async function markedProcesses(mark: string): Promise<number[]> {
	const words =
		process.platform === 'darwin' ? ['-A', '-E', '-ww', '-o', 'pid=,command='] : ['axeww', '-o', 'pid=,args='];
	try {
		const { stdout } = await promisify(execFile)('/bin/ps', words, {
			timeout: PS_TIMEOUT_MS,
			maxBuffer: PS_BYTES,
			env: {},
		});
		return stdout
			.split('\n')
			.filter((line) => line.includes(`${COMMAND_MARK}=${mark}`))
			.map((line) => Number.parseInt(line, 10))
			.filter((pid) => pid > 1 && pid !== process.pid);
	} catch {
		// A system without such a program, or one that is too busy.
		return [];
	}
}
