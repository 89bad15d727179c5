/** The workers of a host, and the Python that some of them need. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import type { Executor } from '../../../catalog/executors.ts';
import type { Bubblewrap } from '../../../machine/sandbox/sandbox.ts';
import type { Python } from '../../processes/workers/find-python.ts';
import type { WorkerPool } from '../../processes/workers/worker-pool.ts';

export class Workers {
	readonly pool: WorkerPool;
	readonly #findPython: () => Promise<Python>;
	#python: Promise<Python> | undefined;

	constructor(pool: WorkerPool, findPython: () => Promise<Python>) {
		this.pool = pool;
		this.#findPython = findPython;
	}

	get pids(): readonly number[] {
		return this.pool.pids;
	}

	/** Before anybody is asked. Rejects with NOT_AVAILABLE_HERE where nothing would keep it in, or without a Python. */
	async check({ worker }: Executor, bwrap: Bubblewrap | undefined): Promise<void> {
		if (worker !== 'python-worker') return;
		if (bwrap === undefined) {
			const message =
				'a Python worker cannot be confined here: it needs bubblewrap, and only Node has walls of its own';
			throw new ProwessError('NOT_AVAILABLE_HERE', message, {
				program: 'python3',
				said: text('A Python worker cannot be confined here: it needs bubblewrap, and only Node has walls of its own.'),
			});
		}
		await this.python();
	}

	/** Looked for again after it was not found: it may have been installed. */
	async python(): Promise<Python> {
		this.#python ??= this.#findPython();
		try {
			return await this.#python;
		} catch (error) {
			this.#python = undefined;
			throw error;
		}
	}

	close(): Promise<void> {
		return this.pool.close();
	}
}
