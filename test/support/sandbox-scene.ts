/** Commands in the sandbox, with real bubblewrap, a real workspace and a real home. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { CommandState } from '../../src/protocol/ops/definitions/commands/shell.ts';
import { CommandSandbox } from '../../src/machine/sandbox/command-sandbox.ts';
import type { FilledCopy, SandboxRequest } from '../../src/machine/sandbox/command-wall.ts';
import { findPutIntoGit } from '../../src/machine/git/put-into-git.ts';
import { WATCH_LIMITS, type SandboxWatchLimits } from '../../src/machine/sandbox/watch/watch-limits.ts';
import type { SandboxReach } from '../../src/machine/sandbox/mounts/sandbox-mounts.ts';
import { CommandRunner } from '../../src/machine/shell/command-runner.ts';
import { findProgram } from '../../src/machine/shell/find-program.ts';
import { tempDir } from './temp-dir.ts';

/** Undefined where there is none; then a spec says that it was skipped. */
export const bubblewrap = [process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap'].find((path) => existsSync(path));

/** The program that listens in the network of a sandbox. */
export const networkListener = new URL('../../src/machine/sandbox/network/network-listener.ts', import.meta.url);

const never = new AbortController().signal;

interface SandboxRun {
	readonly reach?: Partial<SandboxReach>;
	readonly mayWrite?: boolean;
	readonly onlyReads?: boolean;
	readonly isSandboxed?: boolean;
	readonly timeoutMs?: number;
	readonly signal?: AbortSignal;
	/** Whose `/tmp` it has. */
	readonly thread?: ThreadId;
	/** Copy that the command runs on in place of the workspace. */
	readonly copy?: FilledCopy;
	readonly onRested?: SandboxRequest['onRested'];
	/** Program that makes it a terminal. */
	readonly terminal?: string | undefined;
}

export class SandboxScene {
	/** Free of links. */
	readonly workspace: string;
	/** Path by which the workspace was opened, in place of its own. */
	openedBy: string | undefined;
	readonly prowessHome = tempDir('prowess-home');
	readonly userHome = tempDir('user-home');
	readonly sandbox: CommandSandbox;
	readonly commands: CommandRunner;

	constructor(
		files: Readonly<Record<string, string>> = {},
		environment: Readonly<Record<string, string>> = {},
		workspace = tempDir('workspace'),
		limits?: Partial<SandboxWatchLimits>,
	) {
		this.workspace = workspace;
		for (const [path, text] of Object.entries(files)) this.write(path, text);
		this.sandbox = new CommandSandbox({
			home: this.prowessHome,
			folders: () => [this.openedBy ?? this.workspace],
			bubblewrapCandidates: () => (bubblewrap === undefined ? [] : [bubblewrap]),
			findPutIntoGit,
			limits: { ...WATCH_LIMITS, ...limits },
		});
		const host = { PATH: process.env['PATH'], HOME: this.userHome, ...environment };
		this.commands = new CommandRunner(host, this.sandbox);
	}

	/** In the workspace. */
	write(path: string, text: string): void {
		this.#write(join(this.workspace, path), text);
	}

	/** In the home of the user. */
	writeHome(path: string, text: string): void {
		this.#write(join(this.userHome, path), text);
	}

	path(path: string): string {
		return join(this.workspace, path);
	}

	async run(argv: readonly string[], options: SandboxRun = {}): Promise<CommandState> {
		return await this.pipe([argv], options);
	}

	/** Programs side by side, each reading what the one before it writes. */
	async pipe(programs: readonly (readonly string[])[], options: SandboxRun = {}): Promise<CommandState> {
		return await this.commands.run(await this.#request(programs, options), () => undefined, options.signal ?? never);
	}

	async start(argv: readonly string[], options: SandboxRun = {}): Promise<CommandState> {
		return await this.commands.runInBackground(await this.#request([argv], options), never);
	}

	async sh(script: string, options: SandboxRun = {}): Promise<CommandState> {
		return await this.run(['sh', '-c', script], options);
	}

	async close(): Promise<void> {
		await this.commands.close();
	}

	async #request(
		programs: readonly (readonly string[])[],
		{
			reach,
			mayWrite = true,
			onlyReads = false,
			isSandboxed = true,
			timeoutMs,
			copy,
			thread,
			onRested,
			terminal,
		}: SandboxRun,
	) {
		const { environment } = this.commands;
		const find = async (argv: readonly string[]) => ({
			argv,
			file: await findProgram(argv[0] ?? '', this.workspace, environment),
		});
		return {
			steps: [{ join: ';' as const, programs: await Promise.all(programs.map(find)) }],
			cwd: this.workspace,
			timeoutMs: timeoutMs ?? 60_000,
			threadId: null,
			temporaryOf: thread,
			isSandboxed,
			reach: { read: reach?.read ?? [], write: reach?.write ?? [] },
			mayWrite,
			onlyReads,
			onRested,
			terminal,
			...(copy === undefined ? {} : { copy }),
		};
	}

	#write(path: string, text: string): void {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
}

/** For a suite: gives each of its specs a scene of its own. They are skipped where there is no bubblewrap. */
export function eachWithScene(give: (scene: SandboxScene) => void): void {
	let scene: SandboxScene;
	before(function () {
		if (bubblewrap === undefined) this.skip();
	});
	beforeEach(() => {
		scene = new SandboxScene();
		give(scene);
	});
	afterEach(() => scene.close());
}
