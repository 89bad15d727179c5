/** Tries the sandbox of commands with a program that reaches beyond it; it counts only when that failed. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { text, type Text } from '../../../protocol/text/text.ts';
import { SANDBOX_PROBE_TIMEOUT_MS } from '../limits.ts';
import type { HeldSandbox } from '../open-sandbox.ts';
import { entryPipes, letIn } from '../entry.ts';
import type { SandboxFolders } from '../sandbox-folders.ts';
import { startListener } from './listening.ts';
import { openTrialSandbox } from './trial-sandbox.ts';
import { seccompFilter } from '../seccomp-filter.ts';

const BUBBLEWRAP_FLAGS = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];
/** Sets of flags, best first; the first needs a later version of bubblewrap. */
const FLAG_SETS = [['--unshare-user', '--disable-userns', ...BUBBLEWRAP_FLAGS], BUBBLEWRAP_FLAGS];

/**
 * Reads what is hidden, writes beside and inside the workspace, and looks for a port on which this host listens; last it looks
 * whether its system calls are filtered. All but the last uses the shell alone, and no device: an attempt that fails for
 * another reason proves nothing.
 */
const PROBE_SCRIPT = `
(read -r _ < "$1") 2>&- && exit 3
(: > "$2") 2>&-
(: > "$3") 2>&- && exit 4
(: > "$4") || exit 5
while read -r line; do case $line in *:"$5"\\ 00000000:0000\\ 0A*) exit 8 ;; esac; done < /proc/self/net/tcp
[ -z "$6" ] || grep -q "$6" /proc/self/status || exit 6
exit 7`;
const IS_FILTERED = '^Seccomp:[[:space:]]*2$';
const HELD = 7;
const WRITES_OUTSIDE = 4;
/** Messages by the exit code of the script. */
const NOT_KEPT: Readonly<Record<number, Text>> = {
	3: text('bubblewrap does not work here: a command in it can read files that it should not see.'),
	[WRITES_OUTSIDE]: text('bubblewrap does not work here: a command in it can change files outside the workspace.'),
	5: text('bubblewrap does not work here: a command in it cannot write to the workspace.'),
	8: text('bubblewrap does not work here: a command in it shares the network of this machine.'),
};

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
	try {
		const listener = await startListener({ port: 0, host: '127.0.0.1' });
		try {
			return await findHoldingSandbox(bubblewrap, folders, listener.port);
		} finally {
			listener.close();
		}
	} catch (error) {
		return notStarted(toErrorMessage(error));
	}
}

/** Resolves with why the last way does not hold when none does. */
async function findHoldingSandbox(
	bubblewrap: string,
	folders: SandboxFolders,
	port: number,
): Promise<HeldSandbox | Text> {
	const filter = seccompFilter(process.arch);
	const ways = [filter, undefined].flatMap((each) => FLAG_SETS.map((flags) => ({ bubblewrap, flags, filter: each })));
	let why = notStarted('');
	for (const held of ways) {
		const failure = await tryOut(held, folders, port);
		if (failure === undefined) {
			return held;
		}
		why = failure;
	}
	return why;
}

function notStarted(why: string): Text {
	return text('bubblewrap is installed but does not work here: {why}', { why });
}

/** Why it does not hold; undefined when it does. `port`: one of this machine, on which the host listens. */
async function tryOut(held: HeldSandbox, folders: SandboxFolders, port: number): Promise<Text | undefined> {
	const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' };
	const own = await folders.make([], environment);
	const { sandbox, workspace } = openTrialSandbox({ held, own, home: own.root, environment });
	const [canary, outside, made] = [join(own.root, 'canary'), join(own.root, 'outside'), join(workspace, 'made')];
	writeFileSync(canary, 'canary\n');
	const paths = [canary, outside, '/usr/prowess-probe', made];
	const expected = held.filter === undefined ? '' : IS_FILTERED;
	const words = [...paths, inHex(port), expected];
	const entry = sandbox.enter('/bin/sh', ['-c', PROBE_SCRIPT, 'sh', ...words]);
	try {
		return await new Promise((resolve) => {
			const child = spawn(entry.file, entry.args, {
				env: sandbox.environment,
				stdio: ['ignore', 'ignore', 'pipe', ...entryPipes(entry)],
				timeout: SANDBOX_PROBE_TIMEOUT_MS,
			});
			let said = '';
			letIn(child, entry).catch((error: unknown) => {
				said = toErrorMessage(error);
				child.kill('SIGKILL');
			});
			child.stderr?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
			child.once('error', (error) => resolve(notStarted(error.message)));
			child.once('close', (code, signal) => {
				// Look from the outside: a write into a folder of the sandbox's own at this place does not show here.
				const ended = existsSync(outside) ? WRITES_OUTSIDE : code;
				const hasHeld = ended === HELD && existsSync(made);
				const [line = ''] = said.split('\n');
				const why = NOT_KEPT[ended ?? 0] ?? notStarted(line === '' ? `exit ${signal ?? code}` : line);
				resolve(hasHeld ? undefined : why);
			});
		});
	} finally {
		await sandbox.close(undefined);
		folders.remove(own);
	}
}

/** Returns the port as the kernel writes it: in hexadecimal. */
function inHex(port: number): string {
	return port.toString(16).toUpperCase().padStart(4, '0');
}
