/** The processes that a watch counts, as `/proc` has them: those in a sandbox, or those of a group. Linux only. */
import { closeSync, constants, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface SeenProcesses {
	/** Holds a folder for each of them, until `close`. */
	readonly folder: string;
	readonly pids: readonly string[];
	close(): void;
}

/**
 * All processes in the sandbox of this bubblewrap, as they see themselves. Until its first process has changed its root, `/proc`
 * there is that of the machine: meanwhile, and where the system does not show the inside, those that the bubblewrap has started.
 */
export function processesIn(bubblewrap: number): SeenProcesses {
	const [first] = listChildProcesses(bubblewrap);
	return (first === undefined ? undefined : findOwnProcesses(first)) ?? processesBelow(bubblewrap);
}

/** This process, what it has started, and what those have started, with all of its group. */
export function processesBelow(leader: number): SeenProcesses {
	const all = [leader, ...startedAfter(leader)].flatMap((pid) => readProcessOrigin(pid) ?? []);
	const members = new Set<number>();
	let before: number;
	do {
		before = members.size;
		for (const { pid, parent, group } of all) {
			if (pid === leader || group === leader || members.has(parent)) members.add(pid);
		}
	} while (members.size > before);
	return { folder: '/proc', pids: [...members].map(String), close: () => undefined };
}

/** Numbers go up, and then begin anew: to look at all processes would cost more than a short execution. */
export function startedAfter(leader: number): number[] {
	const load = readProcText('/proc/loadavg');
	if (load === undefined) {
		return [];
	}
	const newest = Number(load.trim().split(' ').at(-1));
	return listProcessNumbers('/proc')
		.map(Number)
		.filter((pid) => pid !== process.pid && (newest < leader || pid > leader));
}

/** Undefined unless what is at its `/proc` is shown to be that of its own namespace, and that not ours. */
function findOwnProcesses(first: number): SeenProcesses | undefined {
	let descriptor: number | undefined;
	try {
		// Held, so that what was looked at is what is counted.
		descriptor = openSync(`/proc/${first}/root/proc`, constants.O_RDONLY | constants.O_DIRECTORY);
		const opened = descriptor;
		const folder = `/proc/self/fd/${opened}`;
		const namespace = readlinkSync(`/proc/${first}/ns/pid`);
		const isOwn = namespace !== readlinkSync('/proc/self/ns/pid') && namespace === readlinkSync(`${folder}/1/ns/pid`);
		if (isOwn) {
			const pids = listProcessNumbers(folder);
			descriptor = undefined;
			return { folder, pids, close: () => closeSync(opened) };
		}
	} catch {
		// Not set up yet, gone, or not shown to us.
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
	return undefined;
}

/**
 * Returns the parent and group of a process; undefined when the process is gone. The name in parentheses may hold any
 * character, so the fields are read after the last `)`.
 */
function readProcessOrigin(
	pid: number,
): { readonly pid: number; readonly parent: number; readonly group: number } | undefined {
	const stat = readProcText(`/proc/${pid}/stat`);
	const [, parent, group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	return stat === undefined ? undefined : { pid, parent: Number(parent), group: Number(group) };
}

/** None of what is gone. */
function listProcessNumbers(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => /^\d+$/.test(name));
	} catch {
		return [];
	}
}

/** Undefined for what is gone, and on a system that does not tell. */
function readProcText(path: string): string | undefined {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return undefined;
	}
}

/**
 * Processes that a bubblewrap has started, as this machine numbers them: the first process of its sandbox, which leads
 * a group of its own.
 */
export function listChildProcesses(bubblewrap: number): number[] {
	try {
		const text = readFileSync(`/proc/${bubblewrap}/task/${bubblewrap}/children`, 'utf8');
		return text.split(' ').flatMap((each) => (each === '' ? [] : [Number(each)]));
	} catch {
		// Gone, or a system that does not tell.
		return [];
	}
}

/** Returns the paths of sockets that programs outside of any sandbox have made, whose network is the host's own. */
export function socketsOfHost(): ReadonlySet<string> {
	const rows = (readProcText('/proc/net/unix') ?? '').split('\n');
	return new Set(rows.map((row) => Buffer.from(row.replace(/^(?:\S+\s+){7}/, ''), 'latin1').toString('utf8')));
}
