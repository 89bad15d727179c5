/**
 * Workers of one host. Calls share a worker only where it makes no difference whose call an op is said to be for: the
 * same content with the same rights, in the same thread. A worker starts at first use and ends after it was idle for a
 * while.
 */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { MAX_WORKER_CALLS, MAX_WORKERS } from '../limits.ts';
import { ExecutorProcess, type ExecutorProcessOptions } from '../executor-process.ts';
import { WorkerProcess } from './worker-process.ts';

interface WorkerPoolOptions {
	/** Returns how long a worker may stay without a call, in milliseconds; asked each time. */
	readonly idleMs: () => number;
	readonly graceMs?: number;
}

interface KeptWorker {
	readonly worker: Promise<WorkerProcess>;
	/** Takers that have not called yet. */
	taken: number;
	idle: ReturnType<typeof setTimeout> | undefined;
}

export class WorkerPool {
	readonly #options: WorkerPoolOptions;
	readonly #workers = new Map<string, KeptWorker>();
	/** Also those that take no more calls. */
	readonly #running = new Set<WorkerProcess>();
	#isClosed = false;

	constructor(options: WorkerPoolOptions) {
		this.#options = options;
	}

	get pids(): readonly number[] {
		return [...this.#running].map(({ pid }) => pid);
	}

	/**
	 * The worker for `key`, started by `options` when there is none. `use` is to call it at once. Rejects with what keeps it
	 * from starting.
	 */
	async take<T>(
		key: string,
		options: () => Promise<ExecutorProcessOptions>,
		use: (worker: WorkerProcess) => T,
	): Promise<T> {
		const kept = this.#workers.get(key) ?? this.#begin(key, options);
		kept.taken += 1;
		clearTimeout(kept.idle);
		try {
			const worker = await kept.worker;
			if (!worker.isOpen) {
				if (this.#workers.get(key) === kept) this.#workers.delete(key);
				return await this.take(key, options, use);
			}
			if (worker.inFlight >= MAX_WORKER_CALLS) {
				const message = `${worker.inFlight} calls of this worker are in flight, the limit is ${MAX_WORKER_CALLS}`;
				throw new ProwessError('RATE_LIMITED', message, { limit: MAX_WORKER_CALLS });
			}
			return use(worker);
		} finally {
			kept.taken -= 1;
			void kept.worker.then(
				(worker) => this.#watchIdle(key, kept, worker),
				() => undefined,
			);
		}
	}

	/** Ends all, and waits until nothing of them is left. */
	async close(): Promise<void> {
		this.#isClosed = true;
		for (const { idle } of this.#workers.values()) clearTimeout(idle);
		await Promise.allSettled([...this.#workers.values()].map(({ worker }) => worker));
		await Promise.all([...this.#running].map((worker) => worker.stop()));
	}

	#begin(key: string, options: () => Promise<ExecutorProcessOptions>): KeptWorker {
		if (this.#isClosed) {
			throw new ProwessError('CANCELLED', 'the host is closing');
		}
		if (this.#workers.size >= MAX_WORKERS) this.#endIdlest();
		const kept: KeptWorker = { worker: this.#start(key, options), taken: 0, idle: undefined };
		this.#workers.set(key, kept);
		kept.worker.catch(() => {
			if (this.#workers.get(key) === kept) this.#workers.delete(key);
		});
		return kept;
	}

	async #start(key: string, options: () => Promise<ExecutorProcessOptions>): Promise<WorkerProcess> {
		const process = await ExecutorProcess.start(await options());
		const worker: WorkerProcess = new WorkerProcess(process, {
			...(this.#options.graceMs === undefined ? {} : { graceMs: this.#options.graceMs }),
			onIdle: () => {
				const kept = this.#workers.get(key);
				if (kept !== undefined) this.#watchIdle(key, kept, worker);
			},
			onEnd: () => this.#forget(key, worker),
		});
		this.#running.add(worker);
		void worker.closed.then(() => this.#running.delete(worker));
		return worker;
	}

	#watchIdle(key: string, kept: KeptWorker, worker: WorkerProcess): void {
		clearTimeout(kept.idle);
		if (!worker.isOpen || worker.inFlight > 0 || kept.taken > 0) return;
		kept.idle = setTimeout(() => {
			if (worker.inFlight > 0 || kept.taken > 0) return;
			if (this.#workers.get(key) === kept) this.#workers.delete(key);
			worker.retire();
		}, this.#options.idleMs());
	}

	/** The next call of this key gets a new one. */
	#forget(key: string, worker: WorkerProcess): void {
		const kept = this.#workers.get(key);
		void kept?.worker.then((current) => {
			if (current === worker && this.#workers.get(key) === kept) this.#workers.delete(key);
		});
	}

	/** Ends those without a call. Gives how many. */
	endIdle(): number {
		const idle = this.#idle();
		for (const [key, kept] of idle) this.#endOne(key, kept);
		return idle.length;
	}

	#idle(): readonly [string, KeptWorker][] {
		return [...this.#workers].filter(([, { idle, taken }]) => idle !== undefined && taken === 0);
	}

	#endOne(key: string, kept: KeptWorker): void {
		clearTimeout(kept.idle);
		this.#workers.delete(key);
		void kept.worker.then((worker) => worker.retire());
	}

	/** The one that was begun first among those without a call. */
	#endIdlest(): void {
		const [first] = this.#idle();
		if (first !== undefined) {
			this.#endOne(...first);
			return;
		}
		const message = `${this.#workers.size} workers are running, the limit is ${MAX_WORKERS}`;
		throw new ProwessError('RATE_LIMITED', message, { limit: MAX_WORKERS });
	}
}
