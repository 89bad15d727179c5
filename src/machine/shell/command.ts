/**
 * Single run of a program, or of several in pipes and in sequence, without a shell and without input from us. A run has
 * exactly one end. The end of a pipeline decides whether the next one starts.
 */
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { type CommandId, newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import type { Join } from '../../protocol/ops/commands/command-chain.ts';
import type { CommandEnd, CommandState } from '../../protocol/ops/definitions/commands/shell.ts';
import { EXPLAINED_CHARS } from '../sandbox/limits.ts';
import { KeyLines } from '../secrets/key-lines.ts';
import type { CommandClock } from './command-clock.ts';
import { findProgram } from './find-program.ts';
import { KeptOutput } from './kept-output.ts';
import { COMMAND_KILL_WAIT_MS, COMMAND_STOP_GRACE_MS } from './limits.ts';
import { Pipeline, type PipelineEnd } from './pipeline.ts';
import type { ProgramSandbox } from '../sandbox/command-wall.ts';
import type { GroupWatch } from './running-program.ts';
import type { ProgramStreams } from './streams.ts';
import { TerminalScreen } from './terminal-screen.ts';

export interface CommandProgram {
	readonly argv: readonly string[];
	/** Absolute. Undefined: it is not there yet, and is looked for when its turn has come. */
	readonly file: string | undefined;
	readonly streams?: ProgramStreams | undefined;
}

/** Programs in a pipe, and after which end of what was before them they start. */
interface CommandStep {
	readonly join: Exclude<Join, '|'>;
	readonly programs: readonly CommandProgram[];
}

export interface CommandOptions {
	/** Steps in sequence; the joiner of the first step is ignored. */
	readonly steps: readonly CommandStep[];
	readonly cwd: string;
	readonly environment: Readonly<Record<string, string>>;
	/** Closed by the command when it has ended. Undefined: nothing keeps its programs in. */
	readonly sandbox: ProgramSandbox | undefined;
	/** Program that makes each of its programs a terminal; absent: they have none. */
	readonly terminal?: string | undefined;
	/** Disposed of by the command when it has ended. */
	readonly clock: CommandClock;
	readonly threadId: ThreadId | null;
}

/** Exit codes that shells give for a program that cannot be started, and for a file that cannot be opened for it. */
const NOT_STARTED = 127;
const NOT_OPENED = 1;

export class RunningCommand {
	readonly id: CommandId = newId('cmd');
	readonly threadId: ThreadId | null;
	readonly #options: CommandOptions;
	readonly #groups: GroupWatch;
	readonly #onOutput: (text: string) => void;
	readonly #over = Promise.withResolvers<void>();
	readonly #unread = new KeptOutput();
	// Before it is kept: what is kept is cut, and taken in parts.
	readonly #keys = new KeyLines();
	readonly #liveKeys = new KeyLines();
	readonly #screen = new TerminalScreen((text) => this.#take(this.#keys.push(text)));
	readonly #listeners = new Set<() => void>();
	#ends: readonly CommandEnd[] = [];
	#running: Pipeline | undefined;
	#isOver = false;
	#end: CommandEnd | undefined;
	#overTime: CommandState['overTime'];
	#programs = '';
	#isStoppedByUser = false;
	#isSentToBackground = false;
	#kept: readonly string[] = [];
	#lastOutput = '';
	#stopping: Promise<void> | undefined;

	private constructor(options: CommandOptions, groups: GroupWatch, onOutput: (text: string) => void) {
		this.threadId = options.threadId;
		this.#options = options;
		this.#groups = groups;
		this.#onOutput = onOutput;
	}

	/**
	 * Rejects with COMMAND_FAILED_TO_START when a program of the first pipeline does not start, unless something is to run in
	 * spite of that.
	 */
	static async start(
		options: CommandOptions,
		groups: GroupWatch,
		onOutput: (text: string) => void,
	): Promise<RunningCommand> {
		const command = new RunningCommand(options, groups, onOutput);
		const [first = { join: ';', programs: [] }, ...rest] = options.steps;
		try {
			const goesOn = rest.some(({ join }) => join !== '&&');
			const begun = goesOn ? command.#next(first.programs) : command.#ended(await command.#start(first.programs));
			void command.#follow(begun, rest);
		} catch (error) {
			await options.sandbox?.close(undefined);
			throw error;
		}
		return command;
	}

	/** Resolves once all programs and their groups have ended; never rejects. */
	get ended(): Promise<void> {
		return this.#over.promise;
	}

	get isRunning(): boolean {
		return !this.#isOver;
	}

	/** Returns how the run ended; before the end, `exitCode` and `signal` are null. */
	get end(): Pick<CommandState, 'exitCode' | 'signal' | 'timedOut' | 'overTime' | 'stoppedByUser'> {
		return {
			exitCode: this.#end?.exitCode ?? null,
			signal: this.#end?.signal ?? null,
			timedOut: this.#overTime !== undefined,
			...(this.#overTime === undefined ? {} : { overTime: this.#overTime }),
			...(this.#isStoppedByUser ? { stoppedByUser: true as const } : {}),
		};
	}

	/** Returns the current state, with the output that was not taken before. */
	takeState(): CommandState {
		const { steps } = this.#options;
		const isChain = steps.length > 1 || (steps[0]?.programs.length ?? 0) > 1;
		return {
			commandId: this.id,
			running: this.isRunning,
			...this.end,
			...(this.#isSentToBackground ? { sentToBackground: true as const } : {}),
			...(isChain ? { ends: [...this.#ends] } : {}),
			sandboxed: this.#options.sandbox !== undefined,
			...(this.#kept.length === 0 ? {} : { kept: [...this.#kept] }),
			...this.#takeUnread(),
		};
	}

	#takeUnread(): ReturnType<KeptOutput['take']> {
		this.#screen.flush();
		return this.#unread.take();
	}

	/** Resolves when there is unread output or it has ended, at the latest after `ms`. */
	async waitForNews(ms: number, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		if (!this.isRunning || !this.#unread.isEmpty || this.#screen.hasPending || ms === 0) {
			return;
		}
		await new Promise<void>((resolve) => {
			const stopWaiting = () => {
				clearTimeout(timer);
				this.#listeners.delete(stopWaiting);
				signal.removeEventListener('abort', stopWaiting);
				resolve();
			};
			const timer = setTimeout(stopWaiting, ms);
			this.#listeners.add(stopWaiting);
			signal.addEventListener('abort', stopWaiting, { once: true });
		});
		signal.throwIfAborted();
	}

	/** Stops the command like `stop`, but as the user's wish, which concerns this command and not its turn. */
	stopByUser(): Promise<void> {
		this.#isStoppedByUser ||= this.isRunning && this.#stopping === undefined;
		return this.stop();
	}

	/** Programs with their arguments, as one text. */
	get words(): string {
		return this.#options.steps.flatMap(({ programs }) => programs.flatMap(({ argv }) => argv)).join(' ');
	}

	/** Nobody waits for it any more: its time limit no longer holds. */
	sendToBackground(): void {
		this.#isSentToBackground = true;
		this.#options.clock.lift();
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
		this.#running?.signal('SIGTERM');
		if (await this.#endsWithin(COMMAND_STOP_GRACE_MS)) {
			return;
		}
		this.#running?.signal('SIGKILL');
		await this.#endsWithin(COMMAND_KILL_WAIT_MS);
	}

	async #endsWithin(ms: number): Promise<boolean> {
		const ended = this.ended.then(() => true);
		return (await raceTimeout(ended, ms)) ?? false;
	}

	async #follow(first: Promise<PipelineEnd>, rest: readonly CommandStep[]): Promise<void> {
		const { clock } = this.#options;
		clock.onPassed(() => {
			this.#overTime = { program: this.#programs, limitMs: clock.limitMs };
			void this.stop();
		});
		let end = this.#noted(await first);
		for (const { join, programs } of rest) {
			if (this.#stopping !== undefined) {
				break;
			}
			if (join === ';' || end.failed === (join === '||')) {
				end = this.#noted(await this.#next(programs));
			}
		}
		clock.dispose();
		this.#settle();
		this.#kept = (await this.#options.sandbox?.close(end.failed ? this.#lastOutput : undefined)) ?? [];
		this.#end = end.whole;
		this.#isOver = true;
		this.#announce();
		this.#over.resolve();
	}

	#noted(end: PipelineEnd): PipelineEnd {
		this.#ends = [...this.#ends, ...end.each];
		return end;
	}

	/**
	 * Runs the next pipeline. A failure to start counts as output and an end like any other, because the steps before
	 * it have had their effects.
	 */
	async #next(programs: readonly CommandProgram[]): Promise<PipelineEnd> {
		let pipeline: Pipeline;
		try {
			pipeline = await this.#start(programs);
		} catch (error) {
			this.#show(`${toErrorMessage(error)}\n`);
			const isProgram = isProwessError(error) && error.code.startsWith('COMMAND_');
			const exitCode = isProgram ? NOT_STARTED : NOT_OPENED;
			const end: CommandEnd = { program: programs[0]?.argv[0] ?? '', exitCode, signal: null };
			return { whole: end, failed: true, each: [end] };
		}
		return await this.#ended(pipeline);
	}

	async #ended(pipeline: Pipeline): Promise<PipelineEnd> {
		if (this.#stopping !== undefined) {
			// The stop came while it started, and has signalled the one before it.
			pipeline.signal('SIGKILL');
		}
		return await pipeline.ended;
	}

	async #start(programs: readonly CommandProgram[]): Promise<Pipeline> {
		const { cwd, environment, sandbox, terminal } = this.#options;
		this.#programs = programs.map(({ argv }) => argv[0] ?? '').join(' | ');
		const found = await Promise.all(
			programs.map(async ({ argv, file, streams }) => ({
				argv,
				streams,
				file: file ?? (await findProgram(argv[0] ?? '', cwd, environment)),
			})),
		);
		const pipeline = await Pipeline.start(
			found,
			{ cwd, environment, sandbox, terminal },
			(stream) => this.#readFrom(stream),
			this.#groups,
		);
		this.#running = pipeline;
		return pipeline;
	}

	#readFrom(stream: Readable): void {
		const decoder = new TextDecoder();
		const showPart = (text: string) => {
			if (text !== '') {
				this.#show(text);
			}
		};
		stream.on('data', (bytes: Buffer) => showPart(decoder.decode(bytes, { stream: true })));
		stream.on('end', () => showPart(decoder.decode()));
		// A pipe that breaks is at its end.
		stream.on('error', () => undefined);
	}

	#show(text: string): void {
		const shown = this.#liveKeys.push(this.#screen.push(text));
		if (shown !== '') {
			this.#onOutput(shown);
		}
		this.#announce();
	}

	/** Takes text that nothing redraws any more. */
	#take(text: string): void {
		this.#unread.push(text);
		this.#lastOutput = `${this.#lastOutput}${text}`.slice(-EXPLAINED_CHARS);
	}

	/** Settles all output at the end of the last program. */
	#settle(): void {
		const shown = this.#liveKeys.push(this.#screen.end()) + this.#liveKeys.end();
		if (shown !== '') {
			this.#onOutput(shown);
		}
		this.#screen.flush();
		this.#take(this.#keys.end());
	}

	#announce(): void {
		for (const listener of [...this.#listeners]) {
			listener();
		}
	}
}
