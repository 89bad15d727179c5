/** Jobs that this machine keeps: any of its processes may take them. */
import { waitUntilAfterAbort } from '../../base/time/bounded-wait.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { checkJobOutcome, checkJobs, checkJobSchedule } from '../../contract/check-jobs.ts';
import type {
	JobHandler,
	JobId,
	JobSchedule,
	JobWorker,
	NewJob,
	TakenJob,
	WorkerOffer,
	WorkPort,
	WorkState,
} from '../../contract/ports/work-port.ts';
import type { JobClaim, JobStore } from './job-store.ts';

/** Time between two looks for jobs of other processes, for cancelled ones and for those whose worker is gone. */
const LOOK_MS = 1_000;
/** Longest wait, at the end of a worker, for handlers that were told to stop. */
const HANDLER_STOP_MS = 5_000;

interface LocalWorkDeps {
	/** Ends with the port. */
	readonly store: JobStore;
	/** Told of what a look could not do; the next one tries again. */
	readonly onProblem: (error: unknown) => void;
	/** Instead of `LOOK_MS`. */
	readonly lookMs?: number;
	/** Called once nothing is taken or written any more. */
	readonly onEnd?: () => void;
}

export class LocalWork implements WorkPort {
	readonly #deps: LocalWorkDeps;
	readonly #workers = new Set<LocalWorker>();
	readonly #timer: NodeJS.Timeout;

	constructor(deps: LocalWorkDeps) {
		this.#deps = deps;
		this.#timer = setInterval(() => this.#look(), deps.lookMs ?? LOOK_MS).unref();
	}

	async enqueue(jobs: readonly NewJob[], signal: AbortSignal): Promise<JobId[]> {
		signal.throwIfAborted();
		checkJobs(jobs);
		return this.#changing(() => this.#deps.store.add(jobs));
	}

	take(offer: WorkerOffer, handle: JobHandler): JobWorker {
		const worker = new LocalWorker(this.#deps, offer, handle);
		this.#workers.add(worker);
		worker.look();
		return worker;
	}

	async cancel(id: JobId, signal: AbortSignal): Promise<boolean> {
		signal.throwIfAborted();
		return this.#changing(() => this.#deps.store.cancel(id));
	}

	async answer(id: JobId, questionId: string, answer: unknown, signal: AbortSignal): Promise<boolean> {
		signal.throwIfAborted();
		return this.#changing(() => this.#deps.store.answer(id, questionId, answer));
	}

	async schedule(schedule: JobSchedule, signal: AbortSignal): Promise<void> {
		signal.throwIfAborted();
		checkJobSchedule(schedule);
		this.#deps.store.schedule(schedule);
	}

	async unschedule(name: string, signal: AbortSignal): Promise<boolean> {
		signal.throwIfAborted();
		return this.#deps.store.unschedule(name);
	}

	async state(signal: AbortSignal): Promise<WorkState> {
		signal.throwIfAborted();
		return this.#deps.store.state();
	}

	async dispose(): Promise<void> {
		clearInterval(this.#timer);
		const now = AbortSignal.abort();
		await Promise.all([...this.#workers].map((worker) => worker.drain(now)));
		this.#workers.clear();
		this.#deps.store.dispose();
		this.#deps.onEnd?.();
	}

	/** Workers of this process need not wait for their next look. */
	#changing<T>(change: () => T): T {
		const result = change();
		this.#look();
		return result;
	}

	#look(): void {
		for (const worker of this.#workers) {
			worker.look();
			if (worker.isOver) this.#workers.delete(worker);
		}
	}
}

class LocalWorker implements JobWorker {
	readonly #deps: LocalWorkDeps;
	readonly #offer: WorkerOffer;
	readonly #handle: JobHandler;
	readonly #underWay = new Set<{ readonly claim: JobClaim; readonly stop: AbortController; ended: Promise<void> }>();
	/** Writes of outcomes; each stays until the store has taken it. */
	readonly #unwritten = new Set<() => void>();
	#isDraining = false;
	/** Jobs under way are given back, each when its handler has ended: no job is at two places. */
	#isEnding = false;

	constructor(deps: LocalWorkDeps, offer: WorkerOffer, handle: JobHandler) {
		this.#deps = deps;
		this.#offer = offer;
		this.#handle = handle;
	}

	/** True when it takes nothing more, and all that it took has ended and is written. */
	get isOver(): boolean {
		return this.#isDraining && this.#underWay.size + this.#unwritten.size === 0;
	}

	/** Writes what has ended, stops what is no longer ours, and takes what there is. */
	look(): void {
		this.#safely(() => {
			for (const write of this.#unwritten) {
				write();
				this.#unwritten.delete(write);
			}
			for (const { claim, stop } of this.#underWay) {
				if (!this.#deps.store.holds(claim)) {
					stop.abort(new Error(`job ${claim.id} is cancelled, or another worker's`));
				}
			}
			if (!this.#isDraining) {
				this.#deps.store.addDue();
				this.#takeAll();
			}
		});
	}

	async drain(signal: AbortSignal): Promise<void> {
		this.#isDraining = true;
		const giveBack = () => {
			this.#isEnding = true;
			this.#underWay.forEach(({ stop }) => stop.abort(new Error('the worker ends')));
		};
		const ended = Promise.all([...this.#underWay].map((each) => each.ended));
		signal.addEventListener('abort', giveBack, { once: true });
		if (signal.aborted) {
			giveBack();
		}
		try {
			await waitUntilAfterAbort(ended, HANDLER_STOP_MS, signal);
		} finally {
			signal.removeEventListener('abort', giveBack);
		}
	}

	#takeAll(): void {
		const busy = new Map<string, number>();
		const countQueue = (queue: string) => busy.set(queue, (busy.get(queue) ?? 0) + 1);
		this.#underWay.forEach(({ claim }) => countQueue(claim.queue));
		for (
			let taken = this.#deps.store.take(this.#offer, busy);
			taken;
			taken = this.#deps.store.take(this.#offer, busy)
		) {
			const { job, claim } = taken;
			countQueue(claim.queue);
			const stop = new AbortController();
			const begun = { claim, stop, ended: Promise.resolve() };
			this.#underWay.add(begun);
			begun.ended = this.#carryOut(job, claim, stop.signal).then(() => {
				this.#underWay.delete(begun);
				this.look();
			});
		}
	}

	/** Never rejects. */
	async #carryOut(job: TakenJob, claim: JobClaim, signal: AbortSignal): Promise<void> {
		const { store } = this.#deps;
		let write: () => void;
		try {
			const outcome = checkJobOutcome(await this.#handle(job, signal));
			write = () => store.settle(claim, outcome);
		} catch (error) {
			write = () => store.lose(claim, toErrorMessage(error));
		}
		this.#unwritten.add(this.#isEnding ? () => store.giveBack(claim) : write);
	}

	#safely(work: () => void): void {
		try {
			work();
		} catch (error) {
			this.#deps.onProblem(error);
		}
	}
}
