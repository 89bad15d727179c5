/**
 * Call of a tool in a worker, from the wish to its single end. Requests of the tool go to the broker as this execution:
 * the id in a line says which call it is for, and the rights of that call are in the record made here.
 */
import { startDeadline } from '../../../base/time/deadline.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import type { ExecutionStatus } from '../../../protocol/execution/execution.ts';
import type { HostLine, WorkerLine } from '../../../protocol/execution/worker.ts';
import { PROCESS_STOP_GRACE_MS, WORKER_CALL_MS } from '../../processes/limits.ts';
import type { WorkerCallEvents, WorkerProcess } from '../../processes/workers/worker-process.ts';
import { createRunDispatches, type Dispatches, type PerformDispatch } from '../run/dispatches.ts';
import { ExecutionLife } from '../run/execution-life.ts';
import { answeredFailure, createTooLongError } from '../run/failures.ts';
import { ForgedClaims } from '../run/forged-claims.ts';
import type { ExecutionEnd, RunOfCapability, SideExecutionOptions } from '../run/side-execution-options.ts';

interface WorkerCallOptions {
	readonly executionId: string;
	readonly call: Extract<HostLine, { __type__: 'call' }>['__call__'];
	/** Milliseconds of running time; 0: the limit of workers. */
	readonly timeoutMs: number;
	/** Calls `use` with a worker that takes calls, at once. */
	readonly take: (use: (worker: WorkerProcess) => void) => Promise<void>;
	readonly perform: PerformDispatch;
	readonly note: (op: string, text: string) => void;
	readonly onProgress: SideExecutionOptions['onProgress'];
	readonly onWaiting?: (isWaiting: boolean) => void;
	readonly dispatchCeilingMs?: number;
}

export class WorkerCall implements RunOfCapability, WorkerCallEvents {
	readonly id: string;
	readonly ended: Promise<ExecutionEnd>;
	readonly closed: Promise<void>;
	readonly #options: WorkerCallOptions;
	readonly #timeoutMs: number;
	readonly #life: ExecutionLife;
	readonly #dispatches: Dispatches;
	readonly #forged: ForgedClaims;
	#worker: WorkerProcess | undefined;

	constructor(options: WorkerCallOptions) {
		this.id = options.executionId;
		this.#options = options;
		this.#timeoutMs = options.timeoutMs === 0 ? WORKER_CALL_MS : options.timeoutMs;
		this.#forged = new ForgedClaims((what) => options.note('execution.forged', what));
		this.#life = new ExecutionLife({
			executionId: options.executionId,
			timeoutMs: this.#timeoutMs,
			onTimeUp: () => this.#timeUp(),
		});
		this.ended = this.#life.ended;
		this.closed = this.ended.then(() => this.#forged.end());
		this.#dispatches = createRunDispatches(options, this.#life, (frame) => {
			if (frame.type === 'dispatch_output') return;
			const { dispatchId } = frame;
			const head = { __type__: 'dispatch_result', __dispatch_id__: dispatchId } as const;
			this.#worker?.answer('error' in frame ? { ...head, __error__: frame.error } : { ...head, payload: frame.ok });
		});
		void this.#begin();
	}

	get status(): ExecutionStatus {
		return this.#life.status;
	}

	get pid(): number | undefined {
		return this.#worker?.pid;
	}

	get output(): string {
		return this.#worker?.output ?? '';
	}

	get leftovers(): WorkerProcess['leftovers'] {
		return this.#worker?.leftovers ?? [];
	}

	/** The tool has a moment to end in order; one that does not costs the worker. */
	async stop(reason: string): Promise<void> {
		if (this.#life.become('stopAsked')) {
			this.#dispatches.stop(new ProwessError('CANCELLED', reason));
			this.#worker?.cancel(this.id);
			const late = startDeadline(this.#worker === undefined ? 0 : PROCESS_STOP_GRACE_MS, () => {
				this.#giveUpWorker();
				this.#stopped();
			});
			await this.ended;
			late.dispose();
		}
		await this.ended;
	}

	onDispatch({ dispatchId, op, params, caps }: Extract<WorkerLine, { type: 'dispatch' }>): string | undefined {
		const beyond = (caps ?? []).filter((each) => !this.#options.call.capabilities.includes(String(each)));
		if (beyond.length > 0) this.#forged.add(beyond.map((each) => `__caps__ ${String(each).slice(0, 40)}`));
		return this.#dispatches.take({ dispatchId, op, params });
	}

	onResult(result: Extract<WorkerLine, { type: 'result' }>): void {
		if (this.#life.status === 'stopping') {
			this.#stopped();
		} else if ('error' in result) {
			this.#fail(answeredFailure(result.error, this.#dispatches.failed));
		} else {
			this.#life.finish('succeeded', { status: 'completed', value: result.value, additionalContext: undefined });
		}
		// Ops it did not wait for.
		this.#dispatches.stop(new ProwessError('CANCELLED', 'the call has ended'));
	}

	onGone(error: ProwessError): void {
		if (this.#life.status === 'stopping') this.#stopped();
		else this.#fail(error);
	}

	note(op: string, text: string): void {
		this.#options.note(op, text);
	}

	async #begin(): Promise<void> {
		try {
			await this.#options.take((worker) => {
				// Stopped, or out of time, before there was one.
				if (!this.#life.become('called')) return;
				this.#worker = worker;
				worker.call(this.id, this.#options.call, this);
			});
		} catch (error) {
			const failure = isProwessError(error) ? error : new ProwessError('INTERNAL', String(error), {}, error);
			this.onGone(failure);
		}
	}

	#timeUp(): void {
		const error = createTooLongError(this.id, this.#timeoutMs);
		if (this.#life.finish('timeUp', { status: 'timeout', error })) {
			this.#dispatches.stop(error);
			this.#giveUpWorker();
		}
	}

	/** Gives the worker up, because nobody knows what it still does: the next call gets another one. */
	#giveUpWorker(): void {
		this.#worker?.forget(this.id);
		this.#worker?.retire();
	}

	#stopped(): void {
		const error = new ProwessError('CANCELLED', `execution ${this.id} was stopped`);
		this.#life.finish('exited', { status: 'stopped', error });
	}

	#fail(error: ProwessError): void {
		if (this.#life.finish('failed', { status: 'failed', error })) this.#dispatches.stop(error);
	}
}
