/** A command and all it started, signalled together. The command is the leader of its own group (`detached`). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { insideOf } from '../sandbox/inside-of.ts';

export type GroupSignal = 'SIGTERM' | 'SIGKILL' | 'SIGPIPE';

export function signalGroup(leader: number, signal: GroupSignal): void {
	if (process.platform === 'win32') {
		// Windows has no request to end that a console program without a window would hear.
		const taskkill = join(process.env['SYSTEMROOT'] ?? String.raw`C:\Windows`, 'System32', 'taskkill.exe');
		spawn(taskkill, ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
			'error',
			() => undefined,
		);
		return;
	}
	try {
		process.kill(-leader, signal);
	} catch {
		// Nobody of the group is left.
	}
}

/**
 * Reaches what runs inside of a sandbox, not the bubblewrap that watches it: with that, all would end at once. Before its program
 * runs, there is nothing else to reach. Linux only.
 */
export function signalWithin(bubblewrap: number, signal: GroupSignal): void {
	const hasReached = insideOf(bubblewrap).map((each) => {
		try {
			return process.kill(-each, signal);
		} catch {
			// It leads no group yet.
			return false;
		}
	});
	if (!hasReached.includes(true)) {
		signalGroup(bubblewrap, signal);
	}
}
