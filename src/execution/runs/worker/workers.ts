/** The workers of a host, and the Python that some of them need. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, text, type Text } from '../../../protocol/text/text.ts';
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
			const said = howToConfinePython(process.platform);
			throw new ProwessError('NOT_AVAILABLE_HERE', inEnglish(said), { program: 'bwrap', said });
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

/** Says in one sentence what is missing and how this system gets it, because a card shows no more. */
function howToConfinePython(platform: NodeJS.Platform): Text {
	return platform === 'linux'
		? text(
				'A Python worker needs bubblewrap, which is missing or does not work here: install the package "bubblewrap" (sudo apt install bubblewrap, sudo dnf install bubblewrap), then run "prowess doctor" to see whether it works.',
			)
		: text(
				'A Python worker runs only on Linux, where bubblewrap confines it: write the skill with "runtime: node-worker", or run it in WSL, in a container or on a remote Linux machine.',
			);
}
