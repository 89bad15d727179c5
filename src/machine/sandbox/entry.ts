/**
 * Entry of a program into its sandbox. bubblewrap reads the filter of system calls from a pipe, makes the mounts,
 * closes a second pipe after the last one, and waits at a third. The program starts only after the mounts were looked
 * at, because bubblewrap finds their sources by path, and a command that runs beside it may have exchanged one
 * meanwhile. Sources by descriptor (`--bind-fd`) would not help: not every bubblewrap has them, bubblewrap turns them
 * into paths again and compares afterwards, and the place of a mount stays a path. When a host is killed, its end of
 * the third pipe closes, which bubblewrap takes for the word to start. So a shell in the sandbox waits for a word of a
 * living host on a fourth pipe before it becomes the program.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { MOUNTS_LOOK_MS, MOUNTS_MADE_MS, MOUNTS_SILENT_MS } from './limits.ts';
import { listChildProcesses } from './watch/seen-processes.ts';

/** `exchanged`: the place in the workspace that is not what it was. */
export type MountsLook = 'not made' | 'as meant' | { readonly exchanged: string };

export interface SandboxEntry {
	readonly file: string;
	readonly args: readonly string[];
	/** Undefined: the program starts at once, in what is there before it. */
	readonly gate: Gate | undefined;
}

interface Gate {
	/** Undefined: system calls are not filtered here. */
	readonly filter: Buffer | undefined;
	/**
	 * Returns a verdict on the mounts that the system lists: all are made and as meant, some are not made, or some were
	 * exchanged. `areMade`: bubblewrap said that it has made them.
	 */
	look(mountinfo: string, areMade: boolean): MountsLook;
	/** True while another command of the workspace runs, which may change it meanwhile. */
	isBeside(): boolean;
}

/** Another program keeps changing what the sandbox is made of. */
export class SandboxExchanged extends ProwessError {
	constructor(path: string) {
		const message = `${path} was exchanged while the sandbox was made, so nothing was started: stop the command that runs beside it, or wait for its end`;
		super('COMMAND_FAILED_TO_START', message, { path });
	}
}

/** After input, output and errors. */
const BLOCK_PIPE = 3;
const MADE_PIPE = 4;
const HOST_PIPE = 5;
const FILTER_PIPE = 6;
/**
 * File of the sandbox's own devices into which bubblewrap reads the empty second pipe; the devices are then made
 * read-only.
 */
const MADE_FILE = '/dev/.prowess-made';

/** To follow those of all mounts. */
export function entryFlags(filter: Buffer | undefined): string[] {
	const made = ['--file', String(MADE_PIPE), MADE_FILE, '--remount-ro', '/dev'];
	const block = ['--block-fd', String(BLOCK_PIPE)];
	return [...made, ...block, ...(filter === undefined ? [] : ['--seccomp', String(FILTER_PIPE)])];
}

/** The command line that becomes the program in the sandbox, where its host lives. */
export function createEntryCommand(file: string, args: readonly string[], hasOneOutput: boolean): string[] {
	const entering = `read -r _ <&${HOST_PIPE} && exec "$@" ${HOST_PIPE}<&-${hasOneOutput ? ' 2>&1' : ''}`;
	return ['/bin/sh', '-c', entering, 'sh', file, ...args];
}

/** Returns the pipes that the child gets besides input, output and errors. */
export function entryPipes(entry: Pick<SandboxEntry, 'gate'> | undefined): 'pipe'[] {
	if (entry?.gate === undefined) {
		return [];
	}
	const own = ['pipe', 'pipe', 'pipe'] as const;
	return entry.gate.filter === undefined ? [...own] : [...own, 'pipe'];
}

/**
 * Lets the program of a bubblewrap start once its mounts are what was meant; to be called as soon as that was started. Resolves
 * with false when it ended before by itself, which it has then explained. Rejects with SandboxExchanged, or with
 * COMMAND_FAILED_TO_START when the mounts are not made in time; then the program has not started, and the caller ends the
 * bubblewrap.
 */
export async function letIn(child: ChildProcess, { gate }: Pick<SandboxEntry, 'gate'>): Promise<boolean> {
	if (gate === undefined) {
		return true;
	}
	const { filter, look } = gate;
	const [block, made] = [findEntryPipe(child, BLOCK_PIPE), findEntryPipe(child, MADE_PIPE)];
	if (filter !== undefined) findEntryPipe(child, FILTER_PIPE)?.end(filter);
	const areMade = await lastMount(made);
	const until = performance.now() + MOUNTS_MADE_MS;
	let before: string | undefined;
	for (let looks = 0; performance.now() < until; looks++) {
		if (looks > 0) await wait(MOUNTS_LOOK_MS);
		if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
			return false;
		}
		const mounts = readMountList(child.pid);
		const seen = look(mounts, areMade);
		if (seen === 'as meant') {
			findEntryPipe(child, HOST_PIPE)?.end('\n');
			block?.end('.');
			return true;
		}
		// The list is read in pieces, and bubblewrap may change its root between two of them: then the places in a list
		// do not fit each other. An entry is really missing when two lists in a row are the same.
		if (seen !== 'not made' && mounts === before) {
			throw new SandboxExchanged(seen.exchanged);
		}
		before = mounts;
	}
	const message = `bubblewrap did not make the sandbox within ${MOUNTS_MADE_MS / 1_000} s: end other programs that keep the machine busy, and try again`;
	throw new ProwessError('COMMAND_FAILED_TO_START', message, {
		timeoutMs: MOUNTS_MADE_MS,
		said: text(
			'The sandbox was not ready within {n} seconds. End other programs that keep the machine busy, and try again.',
			{ n: MOUNTS_MADE_MS / 1_000 },
		),
	});
}

/** Resolves with true when bubblewrap has closed the pipe, and with false when it is silent for so long that it may never do so. */
async function lastMount(made: Duplex | undefined): Promise<boolean> {
	const closed = new Promise<true>((resolve) =>
		made?.once('close', () => resolve(true)).once('end', () => resolve(true)),
	);
	made?.end();
	return (await raceTimeout(closed, MOUNTS_SILENT_MS)) ?? false;
}

function findEntryPipe(child: ChildProcess, descriptor: number): Duplex | undefined {
	const pipe = child.stdio[descriptor] as Duplex | null | undefined;
	// A bubblewrap that did not start, or that does not read it, ends with an error of its own.
	return pipe?.on('error', () => undefined).resume();
}

/** Reads the mounts as the process that makes them sees them; empty when they cannot be read. */
function readMountList(bubblewrap: number): string {
	const [inside] = listChildProcesses(bubblewrap);
	try {
		return inside === undefined ? '' : readFileSync(`/proc/${inside}/mountinfo`, 'utf8');
	} catch {
		// Gone since.
		return '';
	}
}
