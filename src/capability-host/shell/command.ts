/**
 * One running program: an argument vector without a shell, in a group of its own, input closed. It has exactly one end.
 * Whatever it leaves behind in its group ends with it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { TextDecoder } from 'node:util';
import { startDeadline } from '../../base/deadline.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { type CommandId, newId, type ThreadId } from '../../protocol/ids.ts';
import type { OpResult } from '../../protocol/ops.ts';
import { errnoOf } from '../paths/file-error.ts';
import { retryWhenStarved } from '../paths/retry-when-starved.ts';
import { KeptOutput } from './kept-output.ts';
import { DRAIN_MS, KILL_WAIT_MS, STOP_GRACE_MS } from './limits.ts';
import { signalGroup } from './process-group.ts';
import { TerminalText } from './terminal-text.ts';
import { batchArgv, isBatchFile } from './windows-batch.ts';

export interface CommandSpec {
	/** Absolute; `argv[0]` is what the program sees as its name. */
	readonly program: string;
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly timeoutMs: number | undefined;
	readonly threadId: ThreadId | null;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;
type CommandState = OpResult<'shell.run'>;

export class Command {
	readonly id: CommandId = newId('cmd');
	readonly threadId: ThreadId | null;
	/** Its process group: the id of its own process. */
	readonly group: number;
	/** Resolves once the program and its group have ended; never rejects. */
	readonly ended: Promise<void>;
	readonly #child: Child;
	readonly #unread = new KeptOutput();
	readonly #listeners = new Set<() => void>();
	#end: { readonly exitCode: number | null; readonly signal: string | null } | undefined;
	#timedOut = false;
	#stopping: Promise<void> | undefined;

	private constructor(spec: CommandSpec, child: Child, group: number, onOutput: (text: string) => void) {
		this.threadId = spec.threadId;
		this.#child = child;
		this.group = group;
		this.#readFrom(child.stdout, onOutput);
		this.#readFrom(child.stderr, onOutput);
		this.ended = this.#follow(spec.timeoutMs);
	}

	/** Rejects with COMMAND_FAILED_TO_START when the system does not start it. */
	static async start(spec: CommandSpec, onOutput: (text: string) => void): Promise<Command> {
		try {
			return await retryWhenStarved(async () => {
				const child = spawnChild(spec);
				await new Promise<void>((resolve, reject) => {
					child.once('spawn', resolve);
					child.once('error', reject);
				});
				// After the start, a failed signal is the only source of errors, and its absence of effect is noticed.
				child.on('error', () => undefined);
				return new Command(spec, child, child.pid ?? 0, onOutput);
			});
		} catch (error) {
			const why =
				errnoOf(error) === 'ENOENT'
					? 'the interpreter that its first line ("#!…") names, or the folder to run in, does not exist'
					: error instanceof Error
						? error.message
						: String(error);
			const facts = { program: spec.program, errno: errnoOf(error) ?? null };
			throw new ProwessError('COMMAND_FAILED_TO_START', `cannot start ${spec.argv[0] ?? ''}: ${why}`, facts, error);
		}
	}

	get isRunning(): boolean {
		return this.#end === undefined;
	}

	/** What it has come to, with the output that has not been taken before. */
	takeState(): CommandState {
		return {
			commandId: this.id,
			running: this.isRunning,
			exitCode: this.#end?.exitCode ?? null,
			signal: this.#end?.signal ?? null,
			timedOut: this.#timedOut,
			...this.#unread.take(),
		};
	}

	/** Resolves when there is unread output or it has ended, at the latest after `ms`. */
	async waitForNews(ms: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (!this.isRunning || !this.#unread.isEmpty || ms === 0) {
			return;
		}
		await new Promise<void>((resolve) => {
			const done = () => {
				clearTimeout(timer);
				this.#listeners.delete(done);
				signal.removeEventListener('abort', done);
				resolve();
			};
			const timer = setTimeout(done, ms);
			this.#listeners.add(done);
			signal.addEventListener('abort', done, { once: true });
		});
		signal.throwIfAborted();
	}

	/** Asks, waits, kills. Resolves when it has ended; the first call counts. */
	stop(): Promise<void> {
		this.#stopping ??= this.#stop();
		return this.#stopping;
	}

	async #stop(): Promise<void> {
		if (!this.isRunning) {
			return;
		}
		signalGroup(this.group, 'SIGTERM');
		if (await this.#endsWithin(STOP_GRACE_MS)) {
			return;
		}
		signalGroup(this.group, 'SIGKILL');
		await this.#endsWithin(KILL_WAIT_MS);
	}

	async #endsWithin(ms: number): Promise<boolean> {
		const clock = new AbortController();
		try {
			return await Promise.race([this.ended.then(() => true), wait(ms, false, { signal: clock.signal })]);
		} finally {
			clock.abort();
		}
	}

	async #follow(timeoutMs: number | undefined): Promise<void> {
		const onLimit = () => {
			this.#timedOut = true;
			void this.stop();
		};
		const limit = timeoutMs === undefined ? undefined : startDeadline(timeoutMs, onLimit);
		const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
		const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
			this.#child.once('exit', (code, by) => resolve([code, by]));
		});
		limit?.dispose();
		const drained = new AbortController();
		await Promise.race([closed, wait(DRAIN_MS, undefined, { signal: drained.signal })]);
		drained.abort();
		signalGroup(this.group, 'SIGKILL');
		this.#child.stdout.destroy();
		this.#child.stderr.destroy();
		this.#end = { exitCode, signal };
		this.#announce();
	}

	#readFrom(stream: Readable, onOutput: (text: string) => void): void {
		const decoder = new TextDecoder();
		const terminal = new TerminalText();
		const take = (text: string) => {
			if (text !== '') {
				this.#unread.push(text);
				onOutput(text);
				this.#announce();
			}
		};
		stream.on('data', (bytes: Buffer) => take(terminal.push(decoder.decode(bytes, { stream: true }))));
		stream.on('end', () => take(terminal.push(decoder.decode())));
		// A pipe that breaks is at its end.
		stream.on('error', () => undefined);
	}

	#announce(): void {
		for (const listener of [...this.#listeners]) {
			listener();
		}
	}
}

function spawnChild({ program, argv, cwd, environment }: CommandSpec): Child {
	const isBatch = isBatchFile(program);
	const { file, args } = isBatch
		? batchArgv(program, argv.slice(1), environment['COMSPEC'] ?? environment['ComSpec'] ?? 'cmd.exe')
		: { file: program, args: argv.slice(1) };
	return spawn(file, args, {
		cwd,
		env: environment,
		shell: false,
		detached: process.platform !== 'win32',
		stdio: ['ignore', 'pipe', 'pipe'],
		windowsHide: true,
		windowsVerbatimArguments: isBatch,
		...(isBatch ? {} : { argv0: argv[0] ?? program }),
	});
}
