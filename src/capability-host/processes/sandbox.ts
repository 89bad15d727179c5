/**
 * The walls around an executor. Node's permission flags are a belt against mistakes; where bubblewrap works, it is the wall:
 * no network, no other processes, no files but the ones named. What works is tried out once on each host, never assumed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HEAP_MB, PROBE_TIMEOUT_MS } from './limits.ts';

/** `bwrap`: both. `permission`: Node's flags alone. `none`: the flags are given, but they did not hold when tried. */
export type Sandbox = 'bwrap' | 'permission' | 'none';

export interface Confined {
	/** What the program may read: a file, or with `/*` at its end a folder with all that is in it. */
	readonly readable: readonly string[];
	/** The one folder in which it may write. */
	readonly scratch: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Its channel is a port of this machine, to which Node's flags have to let it. */
	readonly isOnPort?: boolean;
}

export interface CommandLine {
	readonly program: string;
	readonly args: readonly string[];
}

/** The program that runs an executor, with every wall that there is. */
export function confined(program: readonly string[], within: Confined, bwrap: string | undefined): CommandLine {
	const flags = [...permissionFlags(within), ...program];
	return bwrap === undefined
		? { program: process.execPath, args: flags }
		: { program: bwrap, args: [...bwrapFlags(within), '--', realpathSync(process.execPath), ...flags] };
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
		`--max-old-space-size=${HEAP_MB}`,
	];
}

function bwrapFlags({ readable, scratch, environment }: Confined): string[] {
	const program = realpathSync(process.execPath);
	// An editor's program needs what lies beside it. Node does not, and may lie in a folder that holds everything.
	const own = process.versions['electron'] === undefined ? program : dirname(program);
	return [
		...['--ro-bind', '/usr', '/usr'],
		...['lib', 'lib64', 'bin', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
		...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
		...(own.startsWith('/usr/') ? [] : ['--ro-bind', own, own]),
		...readable.map((path) => path.replace(/\/\*$/, '')).flatMap((path) => ['--ro-bind', path, path]),
		...['--bind', scratch, scratch, '--chdir', scratch],
		// What is made up for it lies in memory, and its folder is the only one in which it may write.
		...['/tmp', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
		...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
		...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
	];
}

const CANDIDATES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];

export interface SandboxState {
	readonly sandbox: Sandbox;
	readonly bwrap: string | undefined;
}

/** Tries each wall with a program that reads a file beyond it; a wall counts only when that failed. */
export async function probeSandbox(candidates: readonly string[] = CANDIDATES): Promise<SandboxState> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'prowess-probe-')));
	try {
		const canary = join(folder, 'canary.txt');
		writeFileSync(canary, 'canary');
		const scratch = realpathSync(mkdtempSync(join(folder, 'scratch-')));
		const read = [
			'--eval',
			`try { require('node:fs').readFileSync(${JSON.stringify(canary)}) } catch { process.exit(7) }`,
		];
		const environment = { ELECTRON_RUN_AS_NODE: '1' };
		const within: Confined = { readable: [], scratch, environment };
		const bwrap = process.platform === 'linux' ? candidates.find((path) => existsSync(path)) : undefined;
		const [flagsHold, bwrapHolds] = await Promise.all([
			endsWith7(confined(read, within, undefined), environment),
			// Without Node's flags: it must hold by itself.
			bwrap === undefined
				? false
				: endsWith7(
						{ program: bwrap, args: [...bwrapFlags(within), '--', realpathSync(process.execPath), ...read] },
						environment,
					),
		]);
		return bwrapHolds ? { sandbox: 'bwrap', bwrap } : { sandbox: flagsHold ? 'permission' : 'none', bwrap: undefined };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function endsWith7({ program, args }: CommandLine, environment: Readonly<Record<string, string>>): Promise<boolean> {
	return new Promise((resolve) => {
		const child = spawn(program, args, { stdio: 'ignore', env: environment, timeout: PROBE_TIMEOUT_MS });
		child.once('error', () => resolve(false));
		child.once('exit', (code) => resolve(code === 7));
	});
}
