/**
 * Single program: an argument vector without a shell, the leader of a process group of its own. Processes that it
 * leaves behind in its group end with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandEnd } from '../../protocol/ops/definitions/commands/shell.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../paths/file-error.ts';
import { retryWhenStarved } from '../paths/retry-when-starved.ts';
import { type SandboxEntry, entryPipes, letIn, SandboxExchanged } from '../sandbox/entry.ts';
import { SANDBOX_TRIES } from '../sandbox/limits.ts';
import type { ProgramSandbox } from '../sandbox/command-wall.ts';
import { OUTPUT_DRAIN_MS } from './limits.ts';
import type { ProgramPipes } from './own-pipes.ts';
import { type GroupSignal, signalGroup, signalInTerminal, signalWithin } from './process-group.ts';
import type { OpenStreams } from './streams.ts';
import { batchArgv, isBatchFile } from './windows-batch.ts';

export interface ProgramOptions {
	/** Absolute; `argv[0]` is what the program sees as its name. */
	readonly file: string;
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Undefined: nothing keeps it in. */
	readonly sandbox: ProgramSandbox | undefined;
	/** `nothing`: its input is at its end from the start. */
	readonly input: 'nothing' | 'pipe';
	/** Reader of the program's output: us, or the next program of a pipe. */
	readonly output: 'read' | 'pipe';
	/** Program that makes it a terminal; undefined: it has none. */
	readonly terminal?: string | undefined;
	/** In the place of these; absent: none. */
	readonly streams?: OpenStreams | undefined;
}

/** Process groups that must not outlive their host. */
export interface GroupWatch {
	add(group: number): void;
	delete(group: number): void;
}

/** `failed`: by its exit code or by a signal, but not by writing to a reader that had enough. */
export interface ProgramEnd {
	readonly end: CommandEnd;
	readonly failed: boolean;
}

export class RunningProgram {
	/** Resolves when it and its group have ended; never rejects. */
	readonly ended: Promise<ProgramEnd>;
	/** Streams of the program that we read. */
	readonly outputs: readonly Readable[];
	/** Stream that the next program of a pipe reads. */
	readonly #piped: Readable | undefined;
	readonly #options: ProgramOptions;
	readonly #child: ChildProcess;
	readonly #pipes: ProgramPipes;
	readonly #stdin: Writable | null;
	readonly #group: number;
	#isOver = false;
	#isCutOff = false;

	private constructor(options: ProgramOptions, child: ChildProcess, pipes: ProgramPipes, groups: GroupWatch) {
		this.#options = options;
		this.#child = child;
		this.#pipes = pipes;
		this.#stdin = pipes.stdin ?? child.stdin;
		const { stdout = 'stdout', stderr = 'stderr' } = options.streams ?? {};
		const written = [
			{ stream: pipes.stdout ?? child.stdout, sink: stdout },
			{ stream: pipes.stderr ?? child.stderr, sink: stderr },
		] as const;
		const listStreamsInto = (sink: 'stdout' | 'stderr') =>
			written.flatMap((each) => (each.sink === sink && each.stream !== null ? [each.stream] : []));
		this.#piped = options.output === 'pipe' ? holdOutput(listStreamsInto('stdout')) : undefined;
		this.outputs = [...listStreamsInto('stderr'), ...(this.#piped === undefined ? listStreamsInto('stdout') : [])];
		this.#group = child.pid ?? 0;
		groups.add(this.#group);
		const watch = options.sandbox?.watch(this.#group, () => this.signal('SIGKILL'));
		this.ended = this.#follow().finally(() => {
			watch?.dispose();
			groups.delete(this.#group);
		});
	}

	/** Rejects with COMMAND_FAILED_TO_START when the system does not start it, or its sandbox is not what was meant. */
	static async start(options: ProgramOptions, groups: GroupWatch): Promise<RunningProgram> {
		try {
			return await retryWhenStarved(() => RunningProgram.#startNow(options, groups));
		} catch (error) {
			if (isProwessError(error)) {
				throw error;
			}
			const why =
				findErrno(error) === 'ENOENT'
					? 'the interpreter that its first line ("#!…") names, or the folder to run in, does not exist'
					: error instanceof Error
						? error.message
						: String(error);
			const facts = { program: options.file, errno: findErrno(error) ?? null };
			throw new ProwessError(
				'COMMAND_FAILED_TO_START',
				`cannot start ${options.argv[0] ?? ''}: ${why}`,
				{
					...facts,
					said: text('The program "{name}" could not be started: {why}', { name: options.argv[0] ?? '', why }),
				},
				error,
			);
		}
	}

	/** Anew, a few times, when somebody exchanges what its sandbox is made of. */
	static async #startNow(options: ProgramOptions, groups: GroupWatch): Promise<RunningProgram> {
		for (let left = SANDBOX_TRIES; ; left--) {
			const { file, argv, sandbox, terminal } = options;
			const { takePipes } = await import('./own-pipes.ts');
			const pipes = await takePipes(listStdio(options), hasOneOutput(options));
			const { child, entry } = await pipes.start((stdio) => {
				const within = sandbox?.enter(file, argv.slice(1), hasOneOutput(options), terminal);
				const started = within === undefined ? withOneOutput(options) : options;
				return { child: spawnChild(started, within, stdio), entry: within };
			});
			const program = new RunningProgram(options, child, pipes, groups);
			if (entry === undefined) {
				return program;
			}
			try {
				const isIn = await letIn(child, entry);
				if (isIn || left <= 1 || entry.gate?.isBeside() !== true) return program;
			} catch (error) {
				if (!(error instanceof SandboxExchanged) || left <= 1) {
					await program.#giveUp();
					throw error;
				}
			}
			await program.#giveUp();
			options.sandbox?.renew();
		}
	}

	async #giveUp(): Promise<void> {
		this.signal('SIGKILL');
		this.#piped?.destroy();
		for (const output of this.outputs) output.destroy();
		await this.ended;
	}

	/** Pipes the output of this program into the other one, no faster than the other reads. */
	pipeTo(next: RunningProgram): void {
		const input = next.#stdin;
		const piped = this.#piped;
		// The output has no reader left. Like with a pipe of the system, the program may live, but not write.
		const cutOffWriter = () => piped?.once('data', () => this.#cutOff()).resume();
		if (input === null) {
			cutOffWriter();
			return;
		}
		input.on('error', () => undefined);
		input.once('close', () => {
			piped?.unpipe(input);
			cutOffWriter();
		});
		piped?.pipe(input);
	}

	/** Where this pipe is a socket, programs tell a difference between its end and that of a pipe: so we send the signal. */
	#cutOff(): void {
		this.#isCutOff = true;
		if (process.platform !== 'win32') {
			this.signal('SIGPIPE');
		}
		this.#piped?.destroy();
	}

	signal(signal: GroupSignal): void {
		if (this.#isOver) {
			return;
		}
		if (this.#options.sandbox?.hasOwnProcesses !== true) {
			signalGroup(this.#group, signal);
		} else if (this.#options.terminal !== undefined) {
			signalInTerminal(this.#group, signal);
		} else {
			signalWithin(this.#group, signal);
		}
	}

	async #follow(): Promise<ProgramEnd> {
		const closed = Promise.all([new Promise((resolve) => this.#child.once('close', resolve)), this.#pipes.closed]);
		const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
			this.#child.once('exit', (code, by) => resolve([code, by]));
		});
		this.#pipes.stdin?.destroy();
		await raceTimeout(closed, OUTPUT_DRAIN_MS);
		signalGroup(this.#group, 'SIGKILL');
		this.#isOver = true;
		for (const output of this.outputs) output.destroy();
		const { argv, sandbox } = this.#options;
		const end = sandbox?.hasOwnProcesses !== true ? { exitCode, signal } : endWithin(exitCode, signal);
		return { end: { program: argv[0] ?? '', ...end }, failed: end.exitCode !== 0 && !this.#isCutOff };
	}
}

/**
 * Keeps the output of a program until the next program of the pipe reads it. Node throws away unread output of a child
 * that has ended, and with sandboxes the next program may start after that.
 */
function holdOutput(streams: readonly Readable[]): Readable {
	const kept = new PassThrough();
	let open = streams.length;
	for (const stream of streams) {
		kept.once('close', () => stream.destroy());
		// A stream that breaks is at its end, as when it closes.
		stream.once('close', () => {
			if (--open === 0) kept.end();
		});
		stream.pipe(kept, { end: false });
	}
	if (open === 0) kept.end();
	return kept;
}

/**
 * True where both outputs go to one reader: the next program of a pipe, or us. The order in which two pipes were written
 * is unknown, so they are made one. A program that we read outside of a sandbox keeps two: its own name and a failed
 * start count more.
 */
function hasOneOutput({ output, streams, sandbox }: ProgramOptions): boolean {
	const { stdout = 'stdout', stderr = 'stderr' } = streams ?? {};
	const isPiped = output === 'pipe' && stderr === 'stdout';
	const isRead = output === 'read' && sandbox !== undefined && (stderr === 'stdout' || stderr === 'stderr');
	return stdout === 'stdout' && (isPiped || isRead);
}

/**
 * Makes both outputs one outside of a sandbox, whose entry does it otherwise: the system's shell merges them before it
 * becomes the program, and reads none of the command's words.
 */
function withOneOutput(options: ProgramOptions): ProgramOptions {
	const { file, argv } = options;
	return hasOneOutput(options) && process.platform !== 'win32'
		? { ...options, file: '/bin/sh', argv: ['sh', '-c', 'exec "$0" "$@" 2>&1', file, ...argv.slice(1)] }
		: options;
}

function childStream(stream: number | 'nothing' | 'pipe' | 'stdout' | 'stderr'): number | 'ignore' | 'pipe' {
	return typeof stream === 'number' ? stream : stream === 'nothing' ? 'ignore' : 'pipe';
}

/** Returns what the program gets as input, output and errors. */
function listStdio({ input, streams }: ProgramOptions): (number | 'ignore' | 'pipe')[] {
	const { stdin = input, stdout = 'stdout', stderr = 'stderr' } = streams ?? {};
	return [stdin, stdout, stderr].map(childStream);
}

function spawnChild(
	{ file: program, argv, cwd, environment, sandbox }: ProgramOptions,
	entry: SandboxEntry | undefined,
	streams: readonly (number | 'ignore' | 'pipe')[],
): ChildProcess {
	const stdio = [...streams, ...entryPipes(entry)];
	if (sandbox !== undefined && entry !== undefined) {
		return spawn(entry.file, entry.args, { cwd, env: sandbox.environment, shell: false, detached: true, stdio });
	}
	const isBatch = isBatchFile(program);
	const { file, args } = isBatch
		? batchArgv(program, argv.slice(1), environment['COMSPEC'] ?? environment['ComSpec'] ?? 'cmd.exe')
		: { file: program, args: argv.slice(1) };
	return spawn(file, args, {
		cwd,
		env: environment,
		shell: false,
		detached: process.platform !== 'win32',
		stdio,
		windowsHide: true,
		windowsVerbatimArguments: isBatch,
		...(isBatch ? {} : { argv0: argv[0] ?? program }),
	});
}

/** bubblewrap ends with 128 and the number of the signal that ended what ran in it, as shells do. */
const SIGNAL_BASE = 128;

function endWithin(exitCode: number | null, signal: NodeJS.Signals | null): Omit<CommandEnd, 'program'> {
	const number = (exitCode ?? 0) - SIGNAL_BASE;
	const [by] = Object.entries(constants.signals).find(([, each]) => each === number) ?? [];
	return by === undefined ? { exitCode, signal } : { exitCode: null, signal: by };
}
