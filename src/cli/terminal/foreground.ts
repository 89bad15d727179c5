/** Tells if the terminal belongs to this process. A process in the background that reads is stopped by the system. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { cliLimits } from './limits.ts';

export async function isForeground(): Promise<boolean> {
	if (process.platform === 'win32') {
		// Windows has no background processes of a terminal.
		return true;
	}
	try {
		const [group, owner] = process.platform === 'linux' ? await groupsOfLinux() : await groupsByPs();
		return group !== undefined && group === owner;
	} catch {
		// Unknown: better not to read.
		return false;
	}
}

type ProcessGroups = readonly [group: string | undefined, owner: string | undefined];

async function groupsOfLinux(): Promise<ProcessGroups> {
	const stat = await readFile('/proc/self/stat', 'utf8');
	// The name of the program comes before, in brackets, and may hold anything.
	const [, , group, , , owner] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return [group, owner];
}

async function groupsByPs(): Promise<ProcessGroups> {
	const options = { timeout: cliLimits.requestMs, windowsHide: true };
	const { stdout } = await promisify(execFile)('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], options);
	const [group, owner] = stdout.trim().split(/\s+/);
	return [group, owner];
}
