/** Tries the sandbox of commands with a program that reaches beyond it; it counts only when that failed. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text, type Text } from '../../../protocol/text.ts';
import { PROBE_TIMEOUT_MS } from './limits.ts';
import { type HeldSandbox, OpenSandbox } from './open-sandbox.ts';
import { WATCH_LIMITS } from './process-watch.ts';
import type { SandboxFolders } from './sandbox-folders.ts';

const FLAGS = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
/** Of later versions, best first. */
const FLAG_SETS = [['--unshare-user', '--disable-userns', ...FLAGS], FLAGS];

/** Reads what is hidden, then writes beside and inside the workspace. */
const SCRIPT = 'cat "$1" && exit 3; (: > "$2") && exit 4; : > "$3" || exit 5; exit 7';
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
	for (const flags of FLAG_SETS) {
		const said = await tryOut({ bubblewrap, flags }, folders);
		if (said === undefined) {
			return { bubblewrap, flags };
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
	const { file, args } = sandbox.enter('/bin/sh', ['-c', SCRIPT, 'sh', ...paths]);
	try {
		return await new Promise((resolve) => {
			execFile(file, args, { env: sandbox.environment, timeout: PROBE_TIMEOUT_MS }, (error, _, stderr) => {
				const hasHeld = error?.code === HELD && existsSync(join(workspace, 'made'));
				resolve(hasHeld ? undefined : (stderr.split('\n')[0] ?? String(error?.code)));
			});
		});
	} finally {
		await sandbox.close(undefined);
	}
}
