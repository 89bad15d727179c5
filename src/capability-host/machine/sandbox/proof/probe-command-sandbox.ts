/** Tries the sandbox of commands with a program that reaches beyond it; it counts only when that failed. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, type Text } from '../../../../protocol/text.ts';
import { PROBE_TIMEOUT_MS } from '../limits.ts';
import { type HeldSandbox, OpenSandbox } from '../open-sandbox.ts';
import { WATCH_LIMITS } from '../watch/watch-limits.ts';
import { filterPipe, passFilter } from '../filter-descriptor.ts';
import type { SandboxFolders } from '../sandbox-folders.ts';
import { seccompFilter } from '../seccomp-filter.ts';

const FLAGS = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
/** Of later versions, best first. */
const FLAG_SETS = [['--unshare-user', '--disable-userns', ...FLAGS], FLAGS];

/** Reads what is hidden, then writes beside and inside the workspace; last it looks whether its system calls are filtered. */
const SCRIPT =
	'cat "$1" && exit 3; (: > "$2") && exit 4; : > "$3" || exit 5; [ -z "$4" ] || grep -q "$4" /proc/self/status || exit 6; exit 7';
const IS_FILTERED = '^Seccomp:[[:space:]]*2$';
const HELD = 7;

/** Resolves with why there is none when there is none. */
export async function probeCommandSandbox(
	candidates: readonly string[],
	folders: SandboxFolders,
): Promise<HeldSandbox | Text> {
	if (process.platform !== 'linux') {
		return text('Prowess has no sandbox for commands on this system.');
	}
	const bubblewrap = candidates.find((path) => existsSync(path));
	if (bubblewrap === undefined) {
		return text('bubblewrap is not installed. Install the package "bubblewrap".');
	}
	const tried: string[] = [];
	const filter = seccompFilter(process.arch);
	const ways = [filter, undefined].flatMap((each) => FLAG_SETS.map((flags) => ({ bubblewrap, flags, filter: each })));
	for (const held of ways) {
		const said = await tryOut(held, folders);
		if (said === undefined) {
			return held;
		}
		tried.push(said);
	}
	return text('bubblewrap is installed but does not work here: {why}', { why: tried.at(-1) ?? '' });
}

/** What it said when it did not hold. */
async function tryOut(held: HeldSandbox, folders: SandboxFolders): Promise<string | undefined> {
	const own = folders.make([]);
	const workspace = join(own.root, 'workspace');
	const canary = join(own.root, 'canary');
	mkdirSync(workspace);
	writeFileSync(canary, 'canary');
	const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };
	const sandbox = new OpenSandbox({
		held,
		own,
		home: own.root,
		roots: [workspace],
		guarded: [],
		placeholders: [],
		cwd: workspace,
		environment,
		limits: WATCH_LIMITS,
		reach: { read: [], write: [] },
		isWritable: true,
		network: undefined,
		tidy: () => Promise.resolve([]),
	});
	const paths = [canary, '/usr/prowess-probe', join(workspace, 'made')];
	const expected = held.filter === undefined ? '' : IS_FILTERED;
	const { file, args, filter } = sandbox.enter('/bin/sh', ['-c', SCRIPT, 'sh', ...paths, expected]);
	try {
		return await new Promise((resolve) => {
			const child = spawn(file, args, {
				env: sandbox.environment,
				stdio: ['ignore', 'ignore', 'pipe', ...filterPipe(filter)],
				timeout: PROBE_TIMEOUT_MS,
			});
			passFilter(child, filter);
			let said = '';
			child.stderr?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
			child.once('error', (error) => resolve(error.message));
			child.once('close', (code) => {
				const hasHeld = code === HELD && existsSync(join(workspace, 'made'));
				resolve(hasHeld ? undefined : (said.split('\n')[0] ?? String(code)));
			});
		});
	} finally {
		await sandbox.close(undefined);
		folders.remove(own);
	}
}
