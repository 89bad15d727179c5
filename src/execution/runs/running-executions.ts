/** The executions of one host: those that wait for a place, those that run, and the latest that have ended. */
import { Emitter } from '../../base/emitter.ts';
import { asProwessError } from '../../contract/ops/op-implementation.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CapabilityExecutionResult } from '../../protocol/execution/execution.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';
import type { CapabilityManifest } from '../../protocol/capability/manifest.ts';
import { text } from '../../protocol/text/text.ts';
import { checkNesting, type Execution, type ExecutionInfo, toExecutionInfo, findRootExecution } from './execution.ts';
import { toCapabilityResult } from './run/execution-result.ts';
import { ENDED_EXECUTIONS_KEPT, ENDED_UNTAKEN_KEPT, MAX_AT_ONCE } from '../processes/limits.ts';
import type { ExecutionEnd, RunOfCapability } from './run/side-execution-options.ts';
import { RunSteps } from './run-steps.ts';
import { Slots } from './start/slots.ts';

export interface ExecutionProgress {
	readonly executionId: string;
	readonly message: string;
	/** Done part of the whole, 0 to 1. */
	readonly fraction?: number;
}

interface Launch {
	readonly execution: Omit<
		Execution,
		'startedAt' | 'depth' | 'result' | 'closed' | 'status' | 'pid' | 'leftovers' | 'output' | 'stop'
	>;
	/** Called when there is a place. A rejection is the end of the execution. */
	begin(onProgress: (progress: Omit<ExecutionProgress, 'executionId'>) => void): Promise<RunOfCapability>;
	/** A call of a worker takes no place: the worker has one. */
	readonly takesPlace: boolean;
	/** Before anybody hears of the result. */
	recordEnd(result: CapabilityExecutionResult, status: ExecutionEnd['status'], durationMs: number): Promise<void>;
}

export class RunningExecutions {
	readonly didStart = new Emitter<ExecutionInfo>();
	readonly didEnd = new Emitter<CapabilityExecutionResult>();
	/** After `didEnd`, when nothing of it is left. */
	readonly didClose = new Emitter<ExecutionInfo>();
	readonly didProgress = new Emitter<ExecutionProgress>();
	readonly #redactor: Redactor;
	readonly #log: LogPort;
	readonly #executions = new Map<string, Execution>();
	/** Steps of the executions, for those who follow some. */
	readonly steps: RunSteps;
	/** In the order of their ends, and whether somebody has had the result. */
	readonly #ended = new Map<string, { isTaken: boolean }>();
	readonly #slots = new Slots(MAX_AT_ONCE);
	/** Number of executions that are about to be launched, by the root they lie below. */
	readonly #starting = new Map<Execution, number>();

	constructor(redactor: Redactor, log: LogPort) {
		this.#redactor = redactor;
		this.steps = new RunSteps(redactor);
		this.#log = log;
	}

	get all(): readonly Execution[] {
		return [...this.#executions.values()];
	}

	/** Rejects with INVALID_REQUEST for an id that is not known. */
	get(executionId: string): Execution {
		const execution = this.#executions.get(executionId);
		if (execution === undefined) {
			throw new ProwessError('INVALID_REQUEST', `there is no execution "${executionId}"`, {
				executionId,
				said: text('This execution no longer exists.'),
			});
		}
		return execution;
	}

	/** The one result, also after the end. Rejects with INVALID_REQUEST for an id that is not known. */
	async resultOf(executionId: string): Promise<CapabilityExecutionResult> {
		const result = await this.get(executionId).result;
		const ended = this.#ended.get(executionId);
		if (ended !== undefined) {
			ended.isTaken = true;
		}
		return result;
	}

	/**
	 * Counts an execution that is to be started below `parent` until the returned function is called: when it is
	 * launched, or will not be. Throws INVALID_REQUEST when it may not lie there.
	 */
	enter(parent: Execution, manifest: Pick<CapabilityManifest, 'type' | 'name'>): () => void {
		const root = findRootExecution(parent);
		const starting = this.#starting.get(root) ?? 0;
		checkNesting(parent, manifest, this.all, starting);
		this.#starting.set(root, starting + 1);
		return () => {
			const left = (this.#starting.get(root) ?? 1) - 1;
			if (left === 0) this.#starting.delete(root);
			else this.#starting.set(root, left);
		};
	}

	/** Waits for a place, begins, and keeps what comes of it. `didStart` is told before this returns (S3-08). */
	launch({ execution: own, begin, recordEnd, takesPlace }: Launch): Execution {
		const { id, parent } = own;
		const startedAt = performance.now();
		const queue = new AbortController();
		let side: RunOfCapability | undefined;
		let stopped: string | undefined;
		let ended: ExecutionEnd['status'] | undefined;
		const runs = (async (): Promise<ExecutionEnd> => {
			// An execution that another one started does not wait for the place that its parent holds.
			const release = parent === undefined && takesPlace ? await this.#slots.take(queue.signal) : () => {};
			if (stopped !== undefined) {
				release();
				return { status: 'stopped', error: new ProwessError('CANCELLED', `execution ${id} was stopped: ${stopped}`) };
			}
			try {
				side = await begin((progress) => {
					const message = this.#redactor.redact(progress.message);
					this.#announce(this.didProgress, { ...progress, executionId: id, message });
					this.steps.note(execution, undefined, {
						kind: 'report',
						status: 'done',
						title: message,
						...(progress.fraction === undefined ? {} : { fraction: progress.fraction }),
					});
				});
			} catch (error) {
				release();
				return { status: 'failed', error: asProwessError(error, 'capability.run') };
			}
			void side.closed.then(release);
			if (stopped !== undefined) void side.stop(stopped);
			return await side.ended;
		})();
		const result = runs.then(async (end) => {
			ended = end.status;
			const settled = toCapabilityResult(own, end, side?.leftovers ?? [], this.#redactor);
			await recordEnd(settled, end.status, performance.now() - startedAt);
			this.#announce(this.didEnd, settled);
			this.#ended.set(id, { isTaken: false });
			this.#forgetOldest();
			return settled;
		});
		const execution: Execution = {
			...own,
			startedAt: new Date().toISOString(),
			depth: (parent?.depth ?? 0) + 1,
			result,
			closed: runs.then(() => side?.closed),
			status: () => side?.status ?? ended ?? (stopped === undefined ? 'starting' : 'stopping'),
			pid: () => side?.pid,
			leftovers: () => side?.leftovers ?? [],
			output: () => side?.output ?? '',
			stop: async (reason) => {
				stopped ??= reason;
				queue.abort();
				const below = this.all.filter((each) => each.parent?.id === id);
				await Promise.all([side?.stop(reason), ...below.map((each) => each.stop(reason))]);
				await result;
			},
		};
		this.#executions.set(id, execution);
		this.#announce(this.didStart, toExecutionInfo(execution));
		void Promise.all([result, execution.closed]).then(() => this.#announce(this.didClose, toExecutionInfo(execution)));
		return execution;
	}

	/** Stops all, and waits until nothing of them is left. */
	async close(reason: string): Promise<void> {
		const { all } = this;
		await Promise.all(all.map((each) => each.stop(reason)));
		await Promise.all(all.map(({ closed }) => closed));
	}

	/** A listener that fails is no reason for an execution to fail. */
	#announce<T>(event: Emitter<T>, what: T): void {
		try {
			event.fire(what);
		} catch (error) {
			this.#log.error('a listener of executions failed', { error: String(error) });
		}
	}

	/** First those that ended first, and none whose result nobody has had, as long as there are not very many of them. */
	#forgetOldest(): void {
		for (const [id, { isTaken }] of this.#ended) {
			if (this.#ended.size <= ENDED_EXECUTIONS_KEPT) {
				return;
			}
			if (isTaken || this.#ended.size > ENDED_UNTAKEN_KEPT) {
				this.#ended.delete(id);
				this.#executions.delete(id);
			}
		}
	}
}
