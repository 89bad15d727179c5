/**
 * Lists the processes of the machine, for tests of orphans and of killing. Reads /proc, or asks `ps` where /proc is
 * missing.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait-for.ts';

const hasProc = existsSync('/proc/self/stat');

export interface RunningProcess {
	readonly pid: number;
	readonly parentPid: number;
	readonly commandLine: string;
}

/** A zombie counts as gone: it runs nothing and waits only for its parent to look. */
export function isRunning(pid: number): boolean {
	if (hasProc) return processInProc(String(pid)) !== undefined;
	return fromPs().some((one) => one.pid === pid);
}

export async function waitUntilGone(pids: readonly number[], limitMs = 20_000): Promise<void> {
	await waitFor(`the end of ${pids.join(', ')}`, () => !pids.some(isRunning), limitMs);
}

/** The process and all below it, in the order they were found. */
export function processTree(rootPid: number): RunningProcess[] {
	const all = runningProcesses();
	const tree = all.filter(({ pid }) => pid === rootPid);
	for (const { pid } of tree) tree.push(...all.filter(({ parentPid }) => parentPid === pid));
	return tree;
}

export function runningProcesses(): RunningProcess[] {
	return hasProc ? fromProc() : fromPs();
}

function fromProc(): RunningProcess[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => processInProc(name) ?? []);
}

/** Undefined: it has ended. */
function processInProc(name: string): RunningProcess | undefined {
	try {
		// The command in parentheses may itself contain spaces and parentheses.
		const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
		const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
		return state === 'Z' ? undefined : { pid: Number(name), parentPid: Number(parent), commandLine };
	} catch {
		// The process ended while we looked.
		return undefined;
	}
}

function fromPs(): RunningProcess[] {
	return execFileSync('ps', ['-Ao', 'pid=,ppid=,stat=,command='], { encoding: 'utf8' })
		.split('\n')
		.flatMap((line) => {
			const [, pid, parentPid, state, commandLine = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
			return pid === undefined || state?.startsWith('Z')
				? []
				: [{ pid: Number(pid), parentPid: Number(parentPid), commandLine }];
		});
}
