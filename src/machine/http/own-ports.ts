/**
 * Ports on which this process and the processes above it listen: an executor's channel, a debugger, the editor's own
 * server. The programs behind these ports trust every client that reaches them.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { url as inspectorUrl } from 'node:inspector';

/** Processes above this one that are looked at; more are none of an editor's. */
const MAX_ANCESTOR_PROCESSES = 64;
const LISTENS = '0A';

/** Where the system does not tell which process listens, only the debugger's port of this one. */
export async function ownPorts(): Promise<ReadonlySet<number>> {
	const debuggers = [inspectorUrl()].flatMap((url) => (url === undefined ? [] : [Number(new URL(url).port)]));
	return new Set([...debuggers, ...(await portsOfAncestors())]);
}

async function portsOfAncestors(): Promise<readonly number[]> {
	const listeners = (await Promise.all(['tcp', 'tcp6'].map(readListeners))).flat();
	if (listeners.length === 0) {
		return [];
	}
	const sockets = new Set<string>();
	let pid = process.pid;
	for (let count = 0; count < MAX_ANCESTOR_PROCESSES && pid > 0; count += 1) {
		(await readSocketInodes(pid)).forEach((inode) => sockets.add(inode));
		pid = await readParentPid(pid);
	}
	return listeners.flatMap(({ port, inode }) => (sockets.has(inode) ? [port] : []));
}

async function readListeners(table: string): Promise<readonly { readonly port: number; readonly inode: string }[]> {
	const text = await readFile(`/proc/self/net/${table}`, 'utf8').catch(() => '');
	return text
		.split('\n')
		.map((line) => line.trim().split(/\s+/))
		.filter((columns) => columns[3] === LISTENS)
		.map((columns) => ({
			port: Number.parseInt(columns[1]?.split(':').at(-1) ?? '', 16),
			inode: columns[9] ?? '',
		}));
}

/** None of a process that is another user's, or gone. */
async function readSocketInodes(pid: number): Promise<readonly string[]> {
	const folder = `/proc/${pid}/fd`;
	const names = await readdir(folder).catch(() => []);
	const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
	return links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
}

async function readParentPid(pid: number): Promise<number> {
	const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// The name of the program stands in brackets and may hold anything.
	return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}
