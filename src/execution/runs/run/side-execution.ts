/**
 * Run of a capability in a process of its own, from the spawn to its single terminal result. Requests of the executor
 * go to the broker as this execution: only the channel they came in on says so. Whatever the executor does wrong costs
 * it its process, never the host.
 */
import { startDeadline } from '../../../base/time/deadline.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import {
	type ExecutionStatus,
	type ExecutorFrame,
	frameLimits,
	leftInWords,
	type LeftProcess,
} from '../../../protocol/execution/execution.ts';
import { createRunDispatches, type Dispatches } from './dispatches.ts';
import { ExecutionLife } from './execution-life.ts';
import { namedVariables } from '../../processes/environment.ts';
import { type ChannelEvents, ExecutorChannel } from '../../processes/executor-channel.ts';
import { ExecutorProcess, type ProcessEnd, type ExecutorProcessOptions } from '../../processes/executor-process.ts';
import { ForgedClaims } from './forged-claims.ts';
import { judgeFrame } from './frame-order.ts';
import {
	answeredFailure,
	doesNotParse,
	notConnected,
	createTooLongError,
	createUnresponsiveError,
	whyItExited,
} from './failures.ts';
import { READY_TIMEOUT_MS, HEARTBEAT_MS, LINGER_MS, MAX_UNANSWERED_PINGS } from '../../processes/limits.ts';
import type { ExecutionEnd, HandedOver, RunOfCapability, SideExecutionOptions } from './side-execution-options.ts';

export class SideExecution implements RunOfCapability {
	readonly id: string;
	/** The one terminal result. Never rejects. */
	readonly ended: Promise<ExecutionEnd>;
	/** Resolves when nothing of it is left: process, channel, folder. Never rejects. */
	readonly closed: Promise<void>;
	readonly #options: SideExecutionOptions;
	readonly #dispatches: Dispatches;
	readonly #life: ExecutionLife;
	#process: ExecutorProcess | undefined;
	#channel: ExecutorChannel | undefined;
	#connectLimit: Disposable | undefined;
	readonly #forged: ForgedClaims;

	constructor(options: SideExecutionOptions) {
		this.id = options.executionId;
		this.#options = options;
		this.#forged = new ForgedClaims((what) => options.note('execution.forged', what));
		this.#life = new ExecutionLife({
			executionId: options.executionId,
			timeoutMs: options.timeoutMs,
			onTimeUp: () => this.#timeUp(),
		});
		this.ended = this.#life.ended;
		this.#dispatches = createRunDispatches(options, this.#life, (frame) => void this.#channel?.send(frame));
		this.closed = this.#run();
	}

	get status(): ExecutionStatus {
		return this.#life.status;
	}

	get pid(): number | undefined {
		return this.#process?.pid;
	}

	/** Processes that it started and that had left its group; known when its process has ended. */
	get leftovers(): readonly LeftProcess[] {
		return this.#process?.leftovers ?? [];
	}

	/** The last of what its process has printed. */
	get output(): string {
		return this.#process?.output ?? '';
	}

	/** Resolves when it has ended, within three seconds whatever it does. Does nothing after its end. */
	async stop(reason: string): Promise<void> {
		if (this.#life.become('stopAsked')) {
			this.#dispatches.stop(new ProwessError('CANCELLED', reason));
			this.#channel?.send({ type: 'cancel', callId: this.id, reason });
			await this.#process?.stop();
		}
		await this.ended;
	}

	async #run(): Promise<void> {
		const { process: from } = this.#options;
		try {
			if ('standby' in from) this.#takeOver(from);
			else await this.#start(from);
		} catch (error) {
			const failure = isProwessError(error) ? error : new ProwessError('INTERNAL', String(error), {}, error);
			this.#fail(failure);
			this.#exited();
			return;
		}
		const process = this.#process as ExecutorProcess;
		void process.exceeded.then((error) => this.#exceeded(error));
		if (this.#life.status !== 'starting' && this.#life.status !== 'running') {
			// Stopped, or out of time, while it was being started.
			void process.stop();
		}
		const end = await process.exited;
		this.#channel?.drain();
		await process.ended;
		if (process.leftovers.length > 0) this.#options.note('execution.leaked', leftInWords(process.leftovers));
		this.#exited(end);
		await ('standby' in from ? from.standby.removed : process.removed);
	}

	async #start(processOptions: ExecutorProcessOptions): Promise<void> {
		const process = await ExecutorProcess.start(processOptions);
		this.#process = process;
		const { heartbeatMs, connectTimeoutMs = READY_TIMEOUT_MS } = this.#options;
		this.#channel = new ExecutorChannel(process.wire, this.#eventsOf(process), heartbeatMs);
		this.#connectLimit = startDeadline(connectTimeoutMs, () =>
			this.#notConnected(connectTimeoutMs, processOptions.program),
		);
	}

	/** Takes a standby over, which has said `ready` already. */
	#takeOver({ standby }: HandedOver): void {
		this.#process = standby.process;
		this.#channel = standby.channel;
		standby.handTo(this.#eventsOf(standby.process));
		this.#call();
	}

	#eventsOf(process: ExecutorProcess): ChannelEvents {
		return {
			onFrame: (frame) => this.#take(frame),
			onForged: (names) => this.#forged.add(names),
			onViolation: (problem) => this.#violation(problem),
			onRefused: (problem) => this.#options.note('execution.refused', `${problem}, at its port; sent away`),
			onUnanswered: (pings) => this.#unanswered(pings),
			onClosed: () => this.#abandoned(process),
		};
	}

	#take(frame: ExecutorFrame): void {
		const verdict = judgeFrame(frame, this.#life.status, this.id);
		if (verdict.kind === 'violation') {
			this.#violation(verdict.problem);
			return;
		}
		if (verdict.kind === 'late') {
			this.#options.note('execution.late', verdict.what);
			return;
		}
		switch (frame.type) {
			case 'ready':
				this.#call();
				break;
			case 'dispatch': {
				const problem = this.#dispatches.take(frame);
				if (problem !== undefined) this.#violation(problem);
				break;
			}
			case 'progress':
				this.#options.onProgress({
					message: frame.message,
					...(frame.fraction === undefined ? {} : { fraction: frame.fraction }),
				});
				break;
			case 'result':
				this.#takeResult(frame);
		}
	}

	#call(): void {
		this.#connectLimit?.dispose();
		const { params, context, timeoutMs, process: from } = this.#options;
		this.#life.become('called');
		this.#channel?.send({
			type: 'call',
			callId: this.id,
			params,
			context,
			limits: {
				timeoutMs: timeoutMs === 0 ? null : timeoutMs,
				dispatchesInFlight: frameLimits.dispatchesInFlight,
				frameBytes: frameLimits.bytes,
			},
			...('standby' in from ? { variables: namedVariables(from.variables) } : {}),
		});
	}

	#takeResult(frame: Extract<ExecutorFrame, { type: 'result' }>): void {
		if (frame.error === undefined) {
			this.#life.finish('succeeded', {
				status: 'completed',
				value: frame.value,
				additionalContext: frame.additionalContext,
			});
		} else {
			this.#fail(answeredFailure(frame.error, this.#dispatches.failed));
		}
		// Ops it did not wait for.
		this.#dispatches.stop(new ProwessError('CANCELLED', 'the execution has ended'));
		void this.#endLingering();
	}

	async #endLingering(): Promise<void> {
		if ((await this.#process?.endsWithin(LINGER_MS)) === false) {
			this.#process?.kill();
		}
	}

	#violation(problem: string): void {
		const message = `execution ${this.id} broke the protocol: ${problem}`;
		this.#options.note('execution.violation', `PROTOCOL_VIOLATION: ${problem}`);
		this.#fail(new ProwessError('PROTOCOL_VIOLATION', message));
		this.#channel?.close();
		this.#process?.kill();
	}

	#notConnected(limitMs: number, program: string): void {
		if (this.#life.status === 'starting') {
			this.#fail(notConnected(program, limitMs, this.#process?.lastOutput ?? ''));
			// Nobody is let in late.
			this.#channel?.close();
			void this.#process?.stop();
		}
	}

	#timeUp(): void {
		this.#endAsTimeout(createTooLongError(this.id, this.#options.timeoutMs));
	}

	/** Ends an execution that leaves its pings unanswered: it stands still, or never lets its event loop run. */
	#unanswered(pings: number): void {
		if (pings === MAX_UNANSWERED_PINGS) {
			const error = createUnresponsiveError(this.id, pings * (this.#options.heartbeatMs ?? HEARTBEAT_MS));
			this.#options.note('execution.unresponsive', error.message);
			this.#endAsTimeout(error);
		}
	}

	#endAsTimeout(error: ProwessError): void {
		if (this.#life.finish('timeUp', { status: 'timeout', error })) {
			this.#dispatches.stop(error);
			this.#channel?.send({ type: 'cancel', callId: this.id, reason: error.message });
			void this.#process?.stop();
		}
	}

	/** Fails an execution that took too much of the machine; its process is killed already. */
	#exceeded(error: ProwessError): void {
		this.#options.note('execution.exceeded', error.message);
		this.#fail(error);
	}

	/**
	 * Gives a process that closed its end of the channel a moment to exit, because its exit says more; then kills it.
	 */
	#abandoned(process: ExecutorProcess): void {
		void process.endsWithin(LINGER_MS).then((hasEnded) => {
			if (!hasEnded) process.kill();
		});
	}

	#exited(end?: ProcessEnd): void {
		this.#connectLimit?.dispose();
		this.#channel?.close();
		this.#dispatches.stop(new ProwessError('CANCELLED', 'the process of the execution has ended'));
		if (this.#life.status === 'stopping') {
			const error = new ProwessError('CANCELLED', `execution ${this.id} was stopped`);
			this.#life.finish('exited', { status: 'stopped', error });
		} else if (end !== undefined) {
			this.#life.finish('exited', {
				status: 'failed',
				error:
					doesNotParse(end, this.#options.context.capability.path, this.output) ??
					whyItExited(end, this.#life.status === 'running', this.#process?.lastOutput ?? ''),
			});
		}
		this.#forged.end();
	}

	#fail(error: ProwessError): void {
		if (this.#life.finish('failed', { status: 'failed', error })) {
			this.#dispatches.stop(error);
		}
	}
}
