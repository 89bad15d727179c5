/** Whether a process of this machine still runs, as far as can be told from outside. */
import { readFileSync } from 'node:fs';

/**
 * A process that has ended and waits for a parent to notice counts as gone: it writes nothing any more, and after a crash
 * nobody may ever notice. False also for what is no process number.
 */
export function isRunning(pid: number): boolean {
	if (!Number.isSafeInteger(pid) || pid <= 0) {
		return false;
	}
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives and belongs to somebody else.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
	return !hasEnded(pid);
}

function hasEnded(pid: number): boolean {
	if (process.platform !== 'linux') {
		return false;
	}
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The command before the state stands in parentheses and may itself contain spaces and parentheses.
		return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
	} catch {
		// Gone since, or a machine that hides it: a signal reaches it, so it stays alive to us.
		return false;
	}
}
