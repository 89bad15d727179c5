/**
 * Process of an executor: in a group of its own, with an empty folder to work in and nothing of our environment. The
 * descriptors it has are an empty input, two outputs that are kept for messages, and the channel. The process never
 * outlives its owner.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Disposable } from '../../base/disposable.ts';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { leftInWords, type LeftProcess } from '../../protocol/execution/execution.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../../machine/paths/file-error.ts';
import { retryWhenStarved } from '../../machine/paths/retry-when-starved.ts';
import type { CommandGuard } from '../../machine/shell/command-guard.ts';
import { awaitSpawn, signalGroup } from '../../machine/shell/process-group.ts';
import { overLimit, overQuota } from './exceeded.ts';
import { refuseDebugSignal } from './debug-signal.ts';
import type { ExecutorWire } from './wires/executor-wire.ts';
import { executionEnvironment, type ExecutionVariables } from './environment.ts';
import {
	PROCESS_DRAIN_MS,
	PROCESS_KILL_WAIT_MS,
	OUTPUT_BYTES,
	OUTPUT_IN_MESSAGE_CHARS,
	PROCESS_STOP_GRACE_MS,
} from './limits.ts';
import { endLeftovers } from './leftover-processes.ts';
import { OutputRing } from './output-ring.ts';
import { type Bubblewrap, createConfinedCommand } from '../../machine/sandbox/sandbox.ts';
import { spawnConfined } from '../../machine/sandbox/spawn-confined.ts';
import { watchProcesses } from '../../machine/sandbox/watch/process-watch.ts';
import { EXECUTOR_LIMITS, type ProcessLimits } from '../../machine/sandbox/watch/watch-limits.ts';
import { makeScratch, removeScratch } from './scratch.ts';
import { watchScratch } from './scratch-quota.ts';
import { type ChannelKind, openWaitingChannel, type WaitingChannel } from './waiting-channel.ts';

export interface ExecutorProcessOptions {
	/** The executor's program, and what it may read beside the capability. */
	readonly program: string;
	readonly readable: readonly string[];
	/** Arguments that follow the program. */
	readonly args?: readonly string[];
	/** Undefined for one that waits for its execution. */
	readonly variables: ExecutionVariables | undefined;
	/** Where folders to work in are made. */
	readonly scratchRoot: string;
	/** The read-only copy of the capability, with what lies beside it. */
	readonly snapshot: string;
	readonly bwrap: Bubblewrap | undefined;
	readonly channel: ChannelKind;
	readonly guard: CommandGuard;
	/** Interpreter that runs the program, when that is not this Node; the files that it needs are in `readable`. */
	readonly interpreter?: Interpreter;
	/** Limits of the machine for the process and all that it starts; absent: those of executors. */
	readonly limits?: ProcessLimits | undefined;
}

interface Interpreter {
	/** Absolute. */
	readonly file: string;
	/** Before the program. */
	readonly args: readonly string[];
	/** After it. */
	readonly own: readonly string[];
}

export interface ProcessEnd {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export class ExecutorProcess {
	readonly pid: number;
	readonly wire: ExecutorWire;
	/** The folder it works in, gone after its end. */
	readonly scratch: string;
	/** Resolves when the process has exited; what it sent last may still be in the channel. */
	readonly exited: Promise<ProcessEnd>;
	/** Resolves when the process has ended and its group is killed. Never rejects. */
	readonly ended: Promise<ProcessEnd>;
	/** Resolves after that, when its folder is removed, or takes too long to be. Never rejects. */
	readonly removed: Promise<void>;
	/** Resolves, with why, when it took more of the machine than it may; it is then killed. Never rejects. */
	readonly exceeded: Promise<ProwessError>;
	#leftovers: readonly LeftProcess[] = [];
	readonly #output = new OutputRing(OUTPUT_BYTES);
	readonly #debugSignal: Disposable;
	readonly #watches: readonly Disposable[];
	#isRunning = true;
	#stopping: Promise<void> | undefined;

	private constructor(
		child: ChildProcess,
		wire: ExecutorWire,
		scratch: string,
		{ guard, bwrap, channel, limits = EXECUTOR_LIMITS }: ExecutorProcessOptions,
	) {
		this.pid = child.pid ?? 0;
		this.scratch = scratch;
		guard.add(this.pid);
		this.#debugSignal = refuseDebugSignal();
		if (channel !== 'lines') this.#output.readFrom(child.stdout as Readable);
		this.#output.readFrom(child.stderr as Readable);
		this.wire = wire;
		this.exited = new Promise((resolve) => {
			child.once('exit', (code, signal) => resolve({ code, signal }));
		});
		const { promise, resolve: exceed } = Promise.withResolvers<ProwessError>();
		this.exceeded = promise;
		void promise.then(() => this.kill());
		this.#watches = [
			watchScratch(scratch, (problem) => exceed(overQuota(problem))),
			watchProcesses(this.pid, limits, (excess) => exceed(overLimit(excess)), {
				isSandboxed: bwrap !== undefined,
			}),
		];
		// Within bubblewrap, all end with the first.
		this.ended = this.#follow(child, scratch, guard, bwrap === undefined);
		this.removed = this.ended.then(() => removeScratch(scratch));
	}

	/** Rejects with CONNECTION_FAILED when the system does not start it. */
	static async start(options: ExecutorProcessOptions): Promise<ExecutorProcess> {
		const scratch = makeScratch(options.scratchRoot);
		let waiting: WaitingChannel | undefined;
		try {
			const channel = await openWaitingChannel(options.channel);
			waiting = channel;
			const environment = { ...executionEnvironment(process.env, scratch, options.variables), ...channel.environment };
			const readable = [join(options.snapshot, '*'), ...options.readable];
			const within = { readable, scratch, environment, isOnPort: options.channel === 'loopback' };
			const { interpreter: other, program: own } = options;
			const line = createConfinedCommand(
				other === undefined
					? { runtime: 'node', args: [own, ...(options.args ?? [])] }
					: { runtime: 'other', file: other.file, args: [...other.args, own, ...other.own] },
				within,
				options.bwrap,
			);
			return await retryWhenStarved(async () => {
				const child = spawnConfined(line, {
					cwd: scratch,
					env: environment,
					detached: process.platform !== 'win32',
					stdio: channel.stdio,
					windowsHide: true,
				});
				await awaitSpawn(child);
				return new ExecutorProcess(child, channel.connect(child), scratch, options);
			});
		} catch (error) {
			waiting?.dispose();
			await removeScratch(scratch);
			// An error of ours, such as that no sandbox works, is no failure of the start: it passes unchanged.
			if (isProwessError(error)) throw error;
			const why = toErrorMessage(error);
			const facts = { program: options.program, errno: findErrno(error) ?? null };
			throw new ProwessError(
				'CONNECTION_FAILED',
				`cannot start ${options.program}: ${why}`,
				{ ...facts, said: text('The program "{name}" could not be started: {why}', { name: options.program, why }) },
				error,
			);
		}
	}

	/**
	 * Processes that the executor started, that had left its group, and that outlived it; known once it has `ended`.
	 */
	get leftovers(): readonly LeftProcess[] {
		return this.#leftovers;
	}

	get isRunning(): boolean {
		return this.#isRunning;
	}

	get output(): string {
		return this.#output.text;
	}

	/**
	 * Last output as the end of a sentence; empty when the process printed nothing. For places that show only the first
	 * line, that line is the one that says most.
	 */
	get lastOutput(): string {
		const tail = this.output.trim().slice(-OUTPUT_IN_MESSAGE_CHARS);
		const lines = tail.split('\n');
		if (lines.length === 1) {
			return tail === '' ? '' : `; last output: ${tail}`;
		}
		const telling = lines.findLast((line) => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
		return `; its last output says: ${telling}\n${tail}`;
	}

	/** Asks, waits, kills. Resolves when it has ended; the first call counts. */
	stop(): Promise<void> {
		this.#stopping ??= this.#stop();
		return this.#stopping;
	}

	kill(): void {
		if (this.#isRunning) {
			signalGroup(this.pid, 'SIGKILL');
		}
	}

	/** Resolves with true when the process ends by itself within the time. */
	async endsWithin(ms: number): Promise<boolean> {
		return (await raceTimeout(this.ended, ms)) !== undefined;
	}

	async #stop(): Promise<void> {
		if (!this.#isRunning) {
			return;
		}
		signalGroup(this.pid, 'SIGTERM');
		if (!(await this.endsWithin(PROCESS_STOP_GRACE_MS))) {
			this.kill();
			await this.endsWithin(PROCESS_KILL_WAIT_MS);
		}
	}

	#endLeftovers(): void {
		this.#leftovers = endLeftovers(this.pid, this.scratch);
		if (this.#leftovers.length > 0) {
			this.#output.add(`\n${leftInWords(this.#leftovers)}\n`);
		}
	}

	async #follow(child: ChildProcess, scratch: string, guard: CommandGuard, canLeave: boolean): Promise<ProcessEnd> {
		const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
		const end = await this.exited;
		this.#isRunning = false;
		for (const watch of this.#watches) watch.dispose();
		// Kills what the process left behind in its group.
		signalGroup(this.pid, 'SIGKILL');
		guard.delete(this.pid);
		if (canLeave) this.#endLeftovers();
		await raceTimeout(closed, PROCESS_DRAIN_MS);
		for (const stream of child.stdio) stream?.destroy();
		this.#debugSignal.dispose();
		return end;
	}
}
