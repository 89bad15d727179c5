/** Tells if a process of this machine still runs, as far as can be told from outside. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/**
 * A process that has ended and waits for a parent to notice counts as gone: it writes nothing any more, and after a crash
 * nobody may ever notice. False also for what is no process number.
 */
export function isProcessRunning(pid: number): boolean {
	if (!Number.isSafeInteger(pid) || pid <= 0) {
		return false;
	}
	try {
		process.kill(pid, 0);
	} catch (error) {
		// EPERM: it lives and belongs to somebody else.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
	return !/^[ZX]/.test(readProcessFacts(pid).state);
}

/**
 * Returns true when the process runs and is not a later process of that number. `start`: result of `readProcessStart`;
 * undefined: not compared.
 */
export function isRunningSince(pid: number, start: string | undefined): boolean {
	return isProcessRunning(pid) && (start === undefined || readProcessStart(pid) === start);
}

/** When it started, in the system's own count: with its number it names a process for good. Undefined where the system does not say. */
export function readProcessStart(pid: number): string | undefined {
	return readProcessFacts(pid).start;
}

/**
 * Where process numbers mean the same: this machine since it was started, in this container. Two processes that say the same
 * can see each other. Without a slash.
 */
export function visibleHere(): string {
	return `${bootHere()}+${numbersHere()}`.replaceAll('/', '-');
}

function bootHere(): string {
	try {
		return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
	} catch {
		// The time of the start: clocks are corrected, so it is rounded.
		return String(Math.round((Date.now() / 1_000 - uptime()) / BOOT_GRAIN_S));
	}
}

const BOOT_GRAIN_S = 600;

/** Containers of a machine each have numbers of their own; where the system does not say whose, they have names of their own. */
function numbersHere(): string {
	try {
		return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
	} catch {
		return hostname();
	}
}

/** Where the start stands, counted from the state. */
const START_FACT = 19;

function readProcessFacts(pid: number): { readonly state: string; readonly start: string | undefined } {
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
