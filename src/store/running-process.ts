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
	return !/^[ZX]/.test(factsOf(pid).state);
}

/** Whether it runs and is not a later process of that number. `start` as `startOf` said it. */
export function isRunningSince(pid: number, start: string | undefined): boolean {
	return isRunning(pid) && (start === undefined || startOf(pid) === start);
}

/** When it started, in the system's own count: with its number it names a process for good. Undefined where the system does not say. */
export function startOf(pid: number): string | undefined {
	return factsOf(pid).start;
}

/** Where the start stands, counted from the state. */
const START_FACT = 19;

function factsOf(pid: number): { readonly state: string; readonly start: string | undefined } {
	const unknown = { state: '', start: undefined };
	if (process.platform !== 'linux') {
		return unknown;
	}
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The command before the state stands in parentheses and may itself contain spaces and parentheses.
		const facts = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return { state: facts[0] ?? '', start: facts[START_FACT] };
	} catch {
		// Gone since, or a machine that hides it: a signal reaches it, so it stays alive to us.
		return unknown;
	}
}
