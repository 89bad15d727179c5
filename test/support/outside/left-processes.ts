/** Processes that an attempt has left behind. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { waitUntilGone } from '../processes.ts';

export function pidsNow(): number[] {
	return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/**
 * Returns the processes started since `before` that an attempt left, recognized by what they inherited from it, or by
 * where they are.
 */
export function leftBy(home: string, mark: string, before: ReadonlySet<number>): number[] {
	return pidsNow().filter((pid) => !before.has(pid) && isFrom(pid, home, mark));
}

function isFrom(pid: number, home: string, mark: string): boolean {
	const reads = [
		() => readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark),
		() => readFileSync(`/proc/${pid}/environ`, 'latin1').includes(home),
		() => readlinkSync(`/proc/${pid}/cwd`).includes(home),
	];
	return reads.some((read) => {
		try {
			return read();
		} catch {
			// The process has ended.
			return false;
		}
	});
}

/** Ends them, and those that they start meanwhile. */
export async function endAll(find: () => readonly number[]): Promise<void> {
	for (let round = 0; round < 100; round += 1) {
		const pids = find();
		if (pids.length === 0) return;
		for (const pid of pids) {
			try {
				process.kill(pid, 'SIGKILL');
			} catch {
				// The process has ended.
			}
		}
		await waitUntilGone(pids);
	}
	throw new Error('what an attempt left cannot be ended');
}
