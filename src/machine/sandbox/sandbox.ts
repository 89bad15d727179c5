/**
 * Walls around a child process, whatever its runtime. Where bubblewrap works, it is the wall: no network, no other
 * processes, no files but the named ones. Node has its permission flags besides, a protection against mistakes. Each
 * host tries out once which of them works, and assumes none.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { temporaryFolder } from '../home-files/private-folder.ts';
import { EXECUTOR_HEAP_MB, SANDBOX_PROBE_TIMEOUT_MS } from './limits.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { type ConfinedCommandLine, spawnConfined } from './spawn-confined.ts';

/** `bwrap`: both. `permission`: Node's flags alone. `none`: the flags are given, but they did not hold when tried. */
export type Sandbox = 'bwrap' | 'permission' | 'none';

interface Confined {
	/** Paths that the program may read: a file, or with `/*` at its end a folder with everything in it. */
	readonly readable: readonly string[];
	/** The one folder in which it may write. */
	readonly scratch: string;
	readonly environment: Readonly<Record<string, string>>;
	/** True when the program's channel is a port of this machine, which Node's flags must then allow. */
	readonly isOnPort?: boolean;
}

/** A bubblewrap that kept a program in. */
export interface Bubblewrap {
	readonly file: string;
	/** Undefined: system calls are not filtered here. */
	readonly filter: Buffer | undefined;
}

/**
 * Program to run: by this Node, which then gets its own walls too, or by another program, which has no walls of its
 * own.
 */
type ConfinedProgram =
	| { readonly runtime: 'node'; readonly args: readonly string[] }
	| { readonly runtime: 'other'; readonly file: string; readonly args: readonly string[] };

/**
 * The command line that starts it behind every wall there is. Throws NOT_AVAILABLE_HERE for a program that is not Node where
 * `bwrap` is undefined: nothing would keep it in.
 */
export function createConfinedCommand(
	program: ConfinedProgram,
	within: Confined,
	bwrap: Bubblewrap | undefined,
): ConfinedCommandLine {
	if (program.runtime === 'node') {
		const args = [...permissionFlags(within), ...program.args];
		return bwrap === undefined
			? { program: process.execPath, args, filter: undefined }
			: wrapInBubblewrap(realpathSync(process.execPath), args, within, bwrap);
	}
	if (bwrap === undefined) {
		const message = `${program.file} cannot be confined here: only Node has walls of its own`;
		throw new ProwessError('NOT_AVAILABLE_HERE', message, {
			program: program.file,
			said: text('{program} cannot be confined here: only Node has walls of its own.', { program: program.file }),
		});
	}
	return wrapInBubblewrap(realpathSync(program.file), program.args, within, bwrap);
}

function wrapInBubblewrap(
	file: string,
	args: readonly string[],
	within: Confined,
	{ file: program, filter }: Bubblewrap,
) {
	return { program, args: [...bwrapFlags(file, within), '--', file, ...args], filter };
}

/** Older ones keep nobody from the network, and know no flag for it. */
const KNOWS_ALLOW_NET = process.allowedNodeEnvironmentFlags.has('--allow-net');

function permissionFlags({ readable, scratch, isOnPort = false }: Confined): string[] {
	return [
		'--permission',
		...(isOnPort && KNOWS_ALLOW_NET ? ['--allow-net'] : []),
		...readable.map((path) => `--allow-fs-read=${path}`),
		`--allow-fs-read=${scratch}/*`,
		`--allow-fs-write=${scratch}/*`,
		'--no-experimental-sqlite',
		'--disable-sigusr1',
		'--no-addons',
		'--no-global-search-paths',
		// A capability need not say what kind of module its `index.js` is, and is not told off for it in its own output.
		'--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
		`--max-old-space-size=${EXECUTOR_HEAP_MB}`,
	];
}

function bwrapFlags(file: string, { readable, scratch, environment }: Confined): string[] {
	// An editor's program needs what lies beside it. Others do not, and may lie in a folder that holds everything.
	const isEditor = process.versions['electron'] !== undefined && file === realpathSync(process.execPath);
	const own = isEditor ? dirname(file) : file;
	return [
		...['--ro-bind', '/usr', '/usr'],
		...['lib', 'lib64', 'bin', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
		...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
		...(own.startsWith('/usr/') ? [] : ['--ro-bind', own, own]),
		...readable.map((path) => path.replace(/\/\*$/, '')).flatMap((path) => ['--ro-bind', path, path]),
		...['--bind', scratch, scratch, '--chdir', scratch],
		// These folders lie in memory and are made read-only, so that `scratch` is the only folder in which the program
		// may write.
		...['/tmp', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
		...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
		...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
	];
}

/** Where bubblewrap may lie, best first. `setting`: the path that the user names; empty for none. */
export function bubblewrapCandidates(setting: string): readonly string[] {
	const usual = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
	return setting === '' ? usual : [setting, ...usual];
}

export interface SandboxState {
	readonly sandbox: Sandbox;
	readonly bwrap: Bubblewrap | undefined;
}

/** Tries each wall with a program that reads a file beyond it; a wall counts only when that failed. */
export async function probeSandbox(candidates: readonly string[]): Promise<SandboxState> {
	const folder = temporaryFolder('prowess-probe-');
	try {
		const canary = join(folder, 'canary.txt');
		writeFileSync(canary, 'canary');
		const scratch = realpathSync(mkdtempSync(join(folder, 'scratch-')));
		const within: Confined = { readable: [], scratch, environment: { ELECTRON_RUN_AS_NODE: '1' } };
		const file = process.platform === 'linux' ? candidates.find((path) => existsSync(path)) : undefined;
		const [flagsHold, bwrap] = await Promise.all([
			endsWith7(createConfinedCommand({ runtime: 'node', args: createReadProbe(canary, false) }, within, undefined)),
			file === undefined ? undefined : findHoldingBubblewrap(file, canary, within),
		]);
		return bwrap === undefined ? { sandbox: flagsHold ? 'permission' : 'none', bwrap } : { sandbox: 'bwrap', bwrap };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Returns bubblewrap as it is proven to hold, with a filter of system calls where that works; undefined: it does not. */
async function findHoldingBubblewrap(file: string, canary: string, within: Confined): Promise<Bubblewrap | undefined> {
	const filter = seccompFilter(process.arch);
	for (const each of filter === undefined ? [undefined] : [filter, undefined]) {
		const bwrap = { file, filter: each };
		// Without Node's flags: it must hold by itself.
		const node = {
			runtime: 'other',
			file: process.execPath,
			args: createReadProbe(canary, each !== undefined),
		} as const;
		if (await endsWith7(createConfinedCommand(node, within, bwrap))) return bwrap;
	}
	return undefined;
}

/** Ends with 7 when it cannot read the file, and its system calls are filtered if they are to be. */
function createReadProbe(canary: string, isFiltered: boolean): readonly string[] {
	const createReadCode = (path: string) => `require('node:fs').readFileSync(${JSON.stringify(path)}, 'utf8')`;
	const filtered = isFiltered
		? `if (!/^Seccomp:\\s*2$/m.test(${createReadCode('/proc/self/status')})) process.exit(6); `
		: '';
	return ['--eval', `${filtered}try { ${createReadCode(canary)} } catch { process.exit(7) }`];
}

function endsWith7(line: ConfinedCommandLine): Promise<boolean> {
	return new Promise((resolve) => {
		const env = { ELECTRON_RUN_AS_NODE: '1' };
		const child = spawnConfined(line, {
			stdio: ['ignore', 'ignore', 'ignore'],
			env,
			timeout: SANDBOX_PROBE_TIMEOUT_MS,
		});
		child.once('error', () => resolve(false));
		child.once('exit', (code) => resolve(code === 7));
	});
}
