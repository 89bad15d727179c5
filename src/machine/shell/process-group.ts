/** A command and all it started, signalled together. The command is the leader of its own group (`detached`). */
import { type ChildProcess, spawn } from 'node:child_process';
import { win32 } from 'node:path';
import { listChildProcesses } from '../sandbox/watch/seen-processes.ts';

export type GroupSignal = 'SIGTERM' | 'SIGKILL' | 'SIGPIPE';

/** Resolves when the leader runs, and rejects when it cannot be started. */
export async function awaitSpawn(leader: ChildProcess): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		leader.once('spawn', resolve);
		leader.once('error', reject);
	});
	// After the start, a failed signal is the only source of errors, and its absence of effect is noticed.
	leader.on('error', () => undefined);
}

/**
 * Program that ends a process and all it started, with its words; undefined: groups of processes hear signals. Windows has
 * neither groups nor a request to end that a console program without a window would hear.
 */
export function findTreeKiller(
	leader: number,
	platform: NodeJS.Platform,
	environment: Readonly<Record<string, string | undefined>>,
): readonly [program: string, ...words: string[]] | undefined {
	if (platform !== 'win32') return undefined;
	const system = environment['SYSTEMROOT'] ?? String.raw`C:\Windows`;
	return [win32.join(system, 'System32', 'taskkill.exe'), '/pid', String(leader), '/T', '/F'];
}

export function signalGroup(leader: number, signal: GroupSignal): void {
	const killer = findTreeKiller(leader, process.platform, process.env);
	if (killer !== undefined) {
		const [program, ...words] = killer;
		spawn(program, words, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
		return;
	}
	try {
		process.kill(-leader, signal);
	} catch {
		// Nobody of the group is left.
	}
}

/**
 * Reaches what runs inside of a sandbox: killing the bubblewrap that watches it leaves what it has not yet bound to its own end,
 * and any other signal to it would end all at once. Before the program runs there is nothing to ask: the first process inside, which
 * then is alone, hears nothing. Linux only.
 */
export function signalWithin(bubblewrap: number, signal: GroupSignal): void {
	const inside = listChildProcesses(bubblewrap);
	const hasReached = inside.map((leader) => listChildProcesses(leader).length > 0 && tryToSignal(-leader, signal));
	if (signal === 'SIGKILL' || !hasReached.includes(true)) {
		for (const each of inside) tryToSignal(each, 'SIGKILL');
		signalGroup(bubblewrap, 'SIGKILL');
	}
}

/**
 * Reaches what runs in a terminal in a sandbox. The program that makes the terminal gives it a session of its own; asked
 * itself, it would kill that session without passing on its last words.
 */
export function signalInTerminal(bubblewrap: number, signal: GroupSignal): void {
	const makers = listChildProcesses(bubblewrap).flatMap((inside) => listChildProcesses(inside));
	const programs = makers.flatMap((maker) => listChildProcesses(maker));
	const hasReached = programs.map((program) => tryToSignal(-program, signal));
	if (signal === 'SIGKILL' || !hasReached.includes(true)) signalWithin(bubblewrap, signal);
}

/** False: it is gone, or leads no group yet. */
function tryToSignal(pid: number, signal: GroupSignal): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		return false;
	}
}
