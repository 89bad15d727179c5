/** Finds what a story of the workbench has left behind once its windows are gone. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processTree, type RunningProcess, runningProcesses } from '../../support/processes.ts';

const pollMs = 50;

/**
 * Processes that VS Code itself keeps running without a window: for all windows, or for one that vanished and may come
 * back. The host of its own agents is there once its chat was used.
 */
const lasting = /--type=(?:ptyHost|fileWatcher|agentHost)/;
/** The server itself, where it runs below another program. */
const server = /\/server-main\.js .*--connection-token /;
/** Folders in which nothing is set back by itself, and what VS Code and Node make there of their own accord. */
const watched: Readonly<Record<string, RegExp | undefined>> = {
	'': undefined,
	t: /^(?:vscode-|node-compile-cache$)/,
	xdg: undefined,
	'xdg/config': undefined,
	'xdg/data': undefined,
	user: /^(?:logs|Cached\w+|languagepacks\.json)$/,
	'user/Machine': undefined,
	extensions: undefined,
};

/** Processes below the server, and those of its environment that have another parent by now. */
export function processesOf(serverPid: number, home: string): readonly RunningProcess[] {
	const below = processTree(serverPid).filter(({ pid }) => pid !== serverPid);
	const known = new Set([serverPid, ...below.map(({ pid }) => pid)]);
	const elsewhere = runningProcesses().filter(({ pid }) => !known.has(pid) && hasHome(pid, home));
	return [...below, ...elsewhere].filter(({ commandLine }) => !lasting.test(commandLine) && !server.test(commandLine));
}

function hasHome(pid: number, home: string): boolean {
	try {
		return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
	} catch {
		// The process has ended, or this system has no such file.
		return false;
	}
}

/**
 * Ends the processes that VS Code keeps for hours for a window that comes back: the shells of its terminals, as closing
 * them does, and the extension host of a window that vanished, or was closed before it knew its host. Processes that
 * those have started are not ended here, so that a story which leaves them behind fails.
 */
export function endWaiting(serverPid: number): void {
	const all = processTree(serverPid);
	const terminals = all.filter(({ commandLine }) => commandLine.includes('--type=ptyHost')).map(({ pid }) => pid);
	for (const { pid, parentPid, commandLine } of all) {
		if (terminals.includes(parentPid)) tell(pid, 'SIGHUP');
		if (commandLine.includes('--type=extensionHost')) tell(pid, 'SIGTERM');
	}
}

function tell(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(pid, signal);
	} catch {
		// The process has ended by itself meanwhile.
	}
}

/** The processes that have not ended within the limit. */
export async function untilEnded(
	running: () => readonly RunningProcess[],
	limitMs: number,
): Promise<readonly RunningProcess[]> {
	const started = performance.now();
	for (;;) {
		const left = running();
		if (left.length === 0 || performance.now() - started > limitMs) return left;
		await new Promise((resolve) => setTimeout(resolve, pollMs));
	}
}

/** Paths of what lies in the folders of a server that stories may not write to. */
export function filesOf(folder: string): ReadonlySet<string> {
	const namesIn = (path: string) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : []);
	return new Set(
		Object.entries(watched).flatMap(([path, ofVscode]) =>
			namesIn(path)
				.filter((name) => ofVscode?.test(name) !== true)
				.map((name) => join(folder, path, name)),
		),
	);
}
