/**
 * Looks at processes from outside: those in a sandbox, or those of a group. They are to be ended when they are more than one
 * program should be: the machine belongs to its user. Looks by itself, since limits of the system count all processes of the
 * user, or none of the superuser. Linux only.
 */
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Disposable, toDisposable } from '../../../base/disposable.ts';
import { GROUP_WATCH_MS, WATCH_AGAIN_MS, WATCH_MS, WATCH_PAUSE_FACTOR } from '../limits.ts';
import { readTurnsOfProcesses } from './process-turns.ts';
import { processesBelow, processesIn, type SeenProcesses } from './seen-processes.ts';
import type { ProcessLimits } from './watch-limits.ts';

/** Resource of which processes had more than allowed. `limit`: a number, or bytes of memory. */
export interface Excess {
	readonly of: 'processes' | 'memory' | 'files';
	readonly limit: number;
}

interface WatchedGroup {
	/** True: the leader is a bubblewrap whose sandbox has processes of its own; false: a process with its group. */
	readonly isSandboxed: boolean;
	/** None of the processes ran in that time; milliseconds of the wall clock. */
	onRested?(time: { readonly fromMs: number; readonly toMs: number }): void;
}

/** Calls `onExceeded` once, when two looks in a row find the same limit exceeded. Until disposed. */
export function watchProcesses(
	leader: number,
	limits: ProcessLimits,
	onExceeded: (excess: Excess) => void,
	{ isSandboxed, onRested }: WatchedGroup = { isSandboxed: true },
): Disposable {
	if (process.platform !== 'linux') {
		return toDisposable(() => {});
	}
	const sharedBefore = sharedMemoryBytes();
	const everyMs = isSandboxed ? WATCH_MS : GROUP_WATCH_MS;
	let timer: NodeJS.Timeout | undefined;
	let isOver = false;
	let before: Excess | undefined;
	let rest: { readonly turns: string | undefined; readonly fromMs: number } | undefined;
	const noteRest = (seen: SeenProcesses) => {
		const toMs = Date.now();
		const turns = readTurnsOfProcesses(seen);
		if (turns !== undefined && rest?.turns === turns) onRested?.({ fromMs: rest.fromMs, toMs });
		rest = { turns, fromMs: rest !== undefined && rest.turns === turns ? toMs : Date.now() };
	};
	const lookAtProcesses = async () => {
		const from = performance.now();
		const seen = isSandboxed ? processesIn(leader) : processesBelow(leader);
		if (onRested !== undefined) noteRest(seen);
		const excess = await findExcess(seen, limits, sharedBefore).finally(() => seen.close());
		if (isOver) return;
		// Numbers are read one after the other while processes start and end: a single look may count one that was gone.
		if (excess === undefined || excess.of !== before?.of) {
			before = excess;
			scheduleLook(
				excess === undefined ? Math.max(everyMs, WATCH_PAUSE_FACTOR * (performance.now() - from)) : WATCH_AGAIN_MS,
			);
		} else {
			isOver = true;
			onExceeded(excess);
		}
	};
	const scheduleLook = (afterMs: number) => {
		timer = setTimeout(() => void lookAtProcesses(), afterMs).unref();
	};
	scheduleLook(everyMs);
	return toDisposable(() => {
		isOver = true;
		clearTimeout(timer);
	});
}

/** Returns the excess as the end of a sentence, such as "it was ended: ". */
export function excessInWords({ of, limit }: Excess): string {
	switch (of) {
		case 'processes':
			return `more than ${limit} processes ran at once`;
		case 'memory':
			return `it used more than ${Math.round(limit / 1_048_576)} MB of memory`;
		case 'files':
			return `it had more than ${limit} files open`;
	}
}

async function findExcess(
	{ folder, pids }: SeenProcesses,
	{ processes, memoryBytes, mappedBytes = Infinity, openFiles }: ProcessLimits,
	sharedBefore: number,
): Promise<Excess | undefined> {
	if (pids.length > processes) {
		return { of: 'processes', limit: processes };
	}
	const folders = pids.map((pid) => `${folder}/${pid}`);
	const used = folders.map((each) => readProcessMemory(each));
	// Memory that processes share, files in memory among it, is nobody's own: the machine counts it as one.
	const shared = Math.max(0, sharedMemoryBytes() - sharedBefore);
	if (sumNumbers(used.map(({ own }) => own)) + shared > memoryBytes) {
		return { of: 'memory', limit: memoryBytes };
	}
	// Memory counted here once for each process may be shared by all of them. Telling that takes longer, so it is done
	// only above the limit.
	if (sumNumbers(used.map(({ all }) => all)) > mappedBytes && (await mappedBy(folders)) > mappedBytes) {
		return { of: 'memory', limit: mappedBytes };
	}
	return sumNumbers(folders.map(countOpenFiles)) > openFiles ? { of: 'files', limit: openFiles } : undefined;
}

const PAGE_BYTES = 4096;

/**
 * Returns the bytes that a process has in memory, and those that it does not share with others, as far as the system
 * tells.
 */
function readProcessMemory(folder: string): { readonly all: number; readonly own: number } {
	try {
		const [, resident = 0, shared = 0] = readFileSync(`${folder}/statm`, 'utf8').split(' ').map(Number);
		return { all: resident * PAGE_BYTES, own: (resident - shared) * PAGE_BYTES };
	} catch {
		// Gone.
		return { all: 0, own: 0 };
	}
}

/** Bytes of all of them together, without files on a disk; each page is shared out among those that have it. */
async function mappedBy(folders: readonly string[]): Promise<number> {
	let bytes = 0;
	for (const folder of folders) {
		const rollup = await readFile(`${folder}/smaps_rollup`, 'utf8').catch(() => '');
		const shares = [...rollup.matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)].map(([, kilobytes]) => Number(kilobytes));
		// Before Linux 5.3 the system does not tell.
		bytes += shares.length > 0 ? sumNumbers(shares) * 1024 : readProcessMemory(folder).own;
	}
	return bytes;
}

/** The kernel gives their number as the size of the folder; before Linux 6.2 it gives none. */
function countOpenFiles(folder: string): number {
	try {
		return statSync(`${folder}/fd`).size;
	} catch {
		// Gone.
		return 0;
	}
}

/** Returns the shared memory of the whole machine, in bytes. */
function sharedMemoryBytes(): number {
	try {
		const [, kilobytes = 0] = /^Shmem: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
		return Number(kilobytes) * 1024;
	} catch {
		// A system that does not tell.
		return 0;
	}
}

function sumNumbers(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}
