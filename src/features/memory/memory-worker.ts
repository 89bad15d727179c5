/** The host's end of the memory worker, which the first use starts. Every call settles; a worker that died is started again. */
import { Worker } from 'node:worker_threads';
import { raceTimeout } from '../../base/time/within.ts';
import { ProwessError } from '../../protocol/errors.ts';
import { memoryLimits } from './limits.ts';
import type {
	MemoryCall,
	MemoryCallInput,
	MemoryCallResult,
	MemoryReply,
	MemoryRequest,
	MemoryWorkerStart,
} from './worker-calls.ts';
import { workerEnvironment } from '../../machine/worker-environment.ts';

interface PendingMemoryCall {
	resolve(result: unknown): void;
	reject(error: Error): void;
}

export class MemoryWorker {
	readonly #script: URL;
	readonly #start: MemoryWorkerStart;
	readonly #onPutAside: (path: string) => void;
	readonly #pending = new Map<number, PendingMemoryCall>();
	#worker: Worker | undefined;
	#lastId = 0;
	#closing: Promise<void> | undefined;

	constructor(script: URL, start: MemoryWorkerStart, onPutAside: (path: string) => void) {
		this.#script = script;
		this.#start = start;
		this.#onPutAside = onPutAside;
	}

	/** A call is short and cannot be taken back, so it has no signal. */
	call<N extends MemoryCall>(name: N, input: MemoryCallInput<N>): Promise<MemoryCallResult<N>> {
		if (this.#closing !== undefined && name !== 'close') {
			return Promise.reject(new ProwessError('INVALID_STATE', `${name}: the memories are closed`));
		}
		return new Promise((resolve, reject) => {
			const worker = this.#running();
			this.#lastId += 1;
			this.#pending.set(this.#lastId, { resolve: resolve as (result: unknown) => void, reject });
			// Keeps the process alive exactly while an answer is due.
			worker.ref();
			worker.postMessage({ id: this.#lastId, name, input } satisfies MemoryRequest);
		});
	}

	/** Finishes what was called before, then ends the worker. */
	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		const worker = this.#worker;
		if (worker !== undefined) {
			await raceTimeout(
				this.call('close', null).catch(() => undefined),
				memoryLimits.closeMs,
			);
			await worker.terminate();
		}
	}

	#running(): Worker {
		if (this.#worker !== undefined) {
			return this.#worker;
		}
		const worker = new Worker(this.#script, {
			workerData: this.#start,
			env: workerEnvironment(),
			execArgv: ['--no-warnings'],
			name: 'prowess-memory',
		});
		this.#worker = worker;
		worker.on('message', (reply: MemoryReply) => this.#receive(reply));
		worker.on('error', (error) => this.#lost(worker, `the memory worker failed: ${error.message}`));
		worker.on('exit', (code) => this.#lost(worker, `the memory worker ended with code ${code}`));
		return worker;
	}

	#receive(reply: MemoryReply): void {
		if (reply.kind === 'putAside') {
			this.#onPutAside(reply.path);
			return;
		}
		const pending = this.#pending.get(reply.id);
		this.#pending.delete(reply.id);
		if (this.#pending.size === 0) {
			this.#worker?.unref();
		}
		if (reply.kind === 'result') {
			pending?.resolve(reply.result);
		} else {
			pending?.reject(new ProwessError(reply.code ?? 'STORE_UNAVAILABLE', reply.message, reply.facts));
		}
	}

	#lost(worker: Worker, why: string): void {
		if (this.#worker !== worker) {
			return;
		}
		this.#worker = undefined;
		const lost = [...this.#pending.values()];
		this.#pending.clear();
		for (const { reject } of lost) {
			reject(new ProwessError('STORE_UNAVAILABLE', why));
		}
	}
}
