/** A person at the command line, with a home, a folder to work on and an environment that hold nothing else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SystemPlace } from '../../../src/machine/organisation/system-file.ts';
import { ThreadEvent } from '../../../src/protocol/thread/thread.ts';
import { CommandHere } from '../../support/command-here.ts';
import { programs } from '../../support/programs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

/**
 * Longest time one command may take here; allows for two cores and for every process compiling the sources it runs
 * from.
 */
export const commandLimitMs = 60_000;

export interface CliResult {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
}

interface CommandOptions {
	readonly env?: Readonly<Record<string, string>>;
	/** Standard input; without it there is none. */
	readonly input?: string;
	readonly cwd?: string;
	/** Where the rules of an organisation are, for a command in the process of the spec; without it there are none. */
	readonly system?: SystemPlace;
	/** A program speaks to a command in the process of the spec. */
	readonly isProgram?: boolean;
}

/** Options of a command in a process of its own. */
export interface CliOptions extends CommandOptions {
	/** Another program that runs the CLI, e.g. a shell with lower limits; gets the words of the command line after its own. */
	readonly through?: readonly string[];
	/** Where the program lies, e.g. behind a link. */
	readonly program?: string;
}

export class RunningCli {
	readonly child: ChildProcess;
	readonly ended: Promise<CliResult>;
	#stdout = '';
	#stderr = '';

	constructor(
		command: string,
		words: readonly string[],
		{ cwd, env, input }: CliOptions & { env: Record<string, string> },
	) {
		this.child = spawn(command, words, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
		this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (this.#stdout += chunk));
		this.child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (this.#stderr += chunk));
		this.child.stdin?.on('error', () => {
			// Ignored: the process ended without reading its input.
		});
		this.child.stdin?.end(input ?? '');
		this.ended = new Promise((resolve) => {
			this.child.once('close', (code, signal) => resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr }));
		});
	}

	get pid(): number {
		return this.child.pid ?? 0;
	}

	get stdout(): string {
		return this.#stdout;
	}

	get stderr(): string {
		return this.#stderr;
	}

	/** Resolves when standard output contains the text. */
	async hasPrinted(text: string): Promise<void> {
		await waitFor(
			`"${text}" on standard output; so far: ${this.#stdout}${this.#stderr}`,
			() => this.#stdout.includes(text),
			commandLimitMs,
		);
	}
}

/** So that `node` is the one that this runs on. Read once: while a command runs here, the variable is its own. */
const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
const bubblewrapPath = process.env['PROWESS_TEST_BWRAP'] ?? '';

/** A person with a home of their own and a folder to work on. */
export class User {
	readonly root = tempDir('cli');
	readonly home: string;
	readonly workspace: string;

	constructor(names: { readonly home?: string; readonly workspace?: string } = {}) {
		this.home = join(this.root, names.home ?? 'home', '.prowess');
		this.workspace = join(this.root, names.workspace ?? 'work');
		mkdirSync(dirname(this.home), { recursive: true });
		mkdirSync(this.workspace);
	}

	/** Puts a file into the workspace. */
	writes(path: string, text: string): void {
		mkdirSync(dirname(join(this.workspace, path)), { recursive: true });
		writeFileSync(join(this.workspace, path), text);
	}

	/** Writes the user's settings, in place of earlier ones. Commands have the sandbox that the set-up has found or unpacked. */
	sets(settings: Readonly<Record<string, unknown>> = {}): void {
		mkdirSync(this.home, { recursive: true, mode: 0o700 });
		const all = { 'prowess.tools.bubblewrapPath': bubblewrapPath, ...settings };
		writeFileSync(join(this.home, 'settings.json'), JSON.stringify(all));
	}

	/** Has the user trust the workspace before the first command. */
	trusts(): void {
		mkdirSync(this.home, { recursive: true, mode: 0o700 });
		writeFileSync(join(this.home, 'trust.json'), JSON.stringify({ version: 1, folders: [this.workspace] }));
	}

	/** The whole environment of the command; nothing is inherited. */
	get environment(): Record<string, string> {
		return {
			PATH: path,
			HOME: dirname(this.home),
			PROWESS_HOME: this.home,
			TMPDIR: this.root,
			LANG: 'C.UTF-8',
			...programs.compileCache,
		};
	}

	starts(words: readonly string[], options: CliOptions = {}): RunningCli {
		const env = { ...this.environment, ...options.env };
		const line = [...(options.through ?? []), process.execPath, options.program ?? programs.cli, ...words];
		return new RunningCli(line[0] ?? '', line.slice(1), { cwd: this.workspace, ...options, env });
	}

	/** `prowess serve` with the scripted model; resolves once it works, or has ended; from its start on in `running`, for whoever ends it. */
	async serves(
		running: RunningCli[],
		baseUrl: string,
		words: readonly string[] = [],
		options: CliOptions = {},
	): Promise<RunningCli> {
		const model = ['--provider', 'openai-compatible', '--base-url', baseUrl, '--model', 'm'];
		const serving = this.starts(['serve', ...model, ...words], options);
		running.push(serving);
		await waitFor(
			`it serves; so far: ${serving.stderr}`,
			() => serving.stderr.includes('Prowess works in the background') || serving.child.exitCode !== null,
			commandLimitMs,
		);
		return serving;
	}

	/** The same command in the process of the spec. */
	startsHere(
		words: readonly string[],
		{ env, cwd = this.workspace, input, system, isProgram }: CommandOptions = {},
	): CommandHere {
		return new CommandHere(words, { env: { ...this.environment, ...env }, cwd, input, system, isProgram });
	}

	/** The same at a terminal: it asks, and somebody answers. Hears of all that is shown. */
	sitsAt(words: readonly string[], onShown: (command: CommandHere) => void): CommandHere {
		return new CommandHere(words, { env: this.environment, cwd: this.workspace, onShown });
	}

	/** A command in a process of its own, to its end. */
	async runsApart(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
		return await this.starts(words, options).ended;
	}

	/** A command in the process of the spec, to its end. */
	async runs(words: readonly string[], options: CommandOptions = {}): Promise<CliResult> {
		return await this.startsHere(words, options).ended;
	}

	/** `prowess run` on the trusted workspace, with a scripted endpoint, in the process of the spec. */
	prompts(baseUrl: string, prompt: string, words: readonly string[] = [], options: CommandOptions = {}): CommandHere {
		return this.startsHere(promptWords(baseUrl, prompt, words), options);
	}

	/** The same in a process of its own, which starts the server in another: for what is about a process. */
	promptsApart(baseUrl: string, prompt: string, words: readonly string[] = [], options: CliOptions = {}): RunningCli {
		return this.starts(promptWords(baseUrl, prompt, words), options);
	}
}

function promptWords(baseUrl: string, prompt: string, words: readonly string[]): string[] {
	const model = ['--provider', 'openai-compatible', '--base-url', baseUrl, '--model', 'scripted'];
	return ['run', prompt, '--trust', ...model, ...words];
}

/** The lines of `--json`; each must be an event, or the test fails. */
export function eventsOf({ stdout }: Pick<CliResult, 'stdout'>): ThreadEvent[] {
	return stdout
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => ThreadEvent.parse(JSON.parse(line)));
}
