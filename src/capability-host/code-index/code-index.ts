/**
 * The index of the workspace's code: which places are about what. Local, off until the user wants it, and brought up to date by
 * each search, in a worker of its own.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { LogPort, SettingsPort } from '../contract/ports/ports.ts';
import { answerOf } from '../machine/search/worker-job.ts';
import type { IndexAnswer, IndexJob } from './index-job.ts';
import { limits } from './limits.ts';

interface CodeIndexDeps {
	/** `dist/code-index-worker.mjs`, or `worker.ts` itself where Node strips types. */
	readonly workerUrl: URL;
	/** PROWESS_HOME. */
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: LogPort;
}

interface IndexedFolder {
	/** Free of links. */
	readonly root: string;
	readonly usualEncoding: string | undefined;
}

interface CodeQuery {
	readonly query: string;
	/** Below the root, with a slash at its end; empty for all. */
	readonly within: string;
	readonly count: number;
}

const FOLDER = 'code-index';

export class CodeIndex {
	readonly #deps: CodeIndexDeps;
	readonly #rest = new Map<string, AbortController>();

	constructor(deps: CodeIndexDeps) {
		this.#deps = deps;
	}

	/** Rejects with NOT_AVAILABLE_HERE where the user has not switched it on. What is not indexed yet is, beside other work. */
	async find(folder: IndexedFolder, find: CodeQuery, signal: AbortSignal): Promise<IndexAnswer> {
		this.#refuseOff();
		// Two that write one index would wait for each other.
		this.#rest.get(folder.root)?.abort();
		const answer = await this.#run({ ...this.#jobOf(folder), limitMs: limits.updateMs, find }, signal);
		if (answer.indexed < answer.files && !answer.isFull) {
			this.#doRest(folder);
		}
		return answer;
	}

	/** Reads everything that is not indexed yet. */
	async update(folder: IndexedFolder, signal: AbortSignal): Promise<IndexAnswer> {
		this.#refuseOff();
		this.#rest.get(folder.root)?.abort();
		return await this.#run({ ...this.#jobOf(folder), limitMs: limits.restMs }, signal);
	}

	/** Of all workspaces. */
	async remove(): Promise<void> {
		this.close();
		await rm(join(this.#deps.home, FOLDER), { recursive: true, force: true });
	}

	/** Ends what goes on beside other work; it is done with the next search. */
	close(): void {
		for (const work of this.#rest.values()) work.abort();
		this.#rest.clear();
	}

	#refuseOff(): void {
		if (!this.#deps.settings.current['prowess.search.codeIndex']) {
			const message = 'the code index is off; the user can switch it on, in prowess.search.codeIndex';
			throw new ProwessError('NOT_AVAILABLE_HERE', message, {
				said: text('The code index is off. Switch it on with the setting prowess.search.codeIndex.'),
			});
		}
	}

	#jobOf({ root, usualEncoding }: IndexedFolder): Omit<IndexJob, 'limitMs'> {
		const name = createHash('sha256').update(root).digest('hex').slice(0, 24);
		const maxBytes = this.#deps.settings.current['prowess.search.codeIndexMegabytes'] * 1_048_576;
		return { database: join(this.#deps.home, FOLDER, `${name}.db`), root, usualEncoding, maxBytes };
	}

	#doRest(folder: IndexedFolder): void {
		const work = new AbortController();
		this.#rest.set(folder.root, work);
		this.#run({ ...this.#jobOf(folder), limitMs: limits.restMs }, work.signal, false)
			.catch((error: unknown) => {
				if (!work.signal.aborted) this.#deps.log.warn('the code index is not whole', { error: String(error) });
			})
			.finally(() => {
				if (this.#rest.get(folder.root) === work) this.#rest.delete(folder.root);
			});
	}

	#run(job: IndexJob, signal: AbortSignal, keepsAlive = true): Promise<IndexAnswer> {
		const options = {
			workerData: job,
			execArgv: ['--no-warnings'],
			name: 'prowess-code-index',
			resourceLimits: { maxOldGenerationSizeMb: limits.workerHeapMb },
		};
		return answerOf<IndexAnswer>(this.#deps.workerUrl, options, { what: 'the code index', keepsAlive }, signal);
	}
}
