/**
 * The index of the workspace's code: which places are about what. Local, off until the user wants it, and brought up to date by
 * each search, in a worker of its own.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorMessage } from '../../base/text/message-of.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import { text } from '../../protocol/text/text.ts';
import type { LogPort, SettingsPort } from '../../contract/ports/ports.ts';
import { runThreadJob } from '../../machine/threads/thread-job.ts';
import type { EmbeddingPort } from '../models/provider-embeddings.ts';
import type { IndexAnswer, IndexJob } from './index-job.ts';
import { codeIndexLimits } from './limits.ts';

interface CodeIndexDeps {
	/** `dist/code-index-worker.mjs`, or `worker.ts` itself where Node strips types. */
	readonly workerUrl: URL;
	/** PROWESS_HOME. */
	readonly home: string;
	readonly settings: Pick<SettingsPort, 'current'>;
	readonly log: LogPort;
	readonly embeddings: EmbeddingPort;
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
	/** In whose name is asked; null: the user's, outside of any thread. */
	readonly threadId: ThreadId | null;
}

interface FoundCodeAnswer extends IndexAnswer {
	/** Why the embedding model that the user has chosen did not help; absent: it did, or there is none. */
	readonly problem?: string;
}

const CODE_INDEX_FOLDER = 'code-index';

export class CodeIndex {
	readonly #deps: CodeIndexDeps;
	readonly #rest = new Map<string, AbortController>();

	constructor(deps: CodeIndexDeps) {
		this.#deps = deps;
	}

	/**
	 * Finds places in the code. Files that are not indexed yet are indexed beside other work. Rejects with
	 * NOT_AVAILABLE_HERE when the user has not switched the index on.
	 */
	async find(folder: IndexedFolder, find: CodeQuery, signal: AbortSignal): Promise<FoundCodeAnswer> {
		this.#refuseOff();
		// Two that write one index would wait for each other.
		this.#rest.get(folder.root)?.abort();
		const job = { ...this.#jobOf(folder), limitMs: codeIndexLimits.updateMs };
		const model = this.#deps.embeddings.model();
		const answer =
			model === '' ? await this.#run({ ...job, find }, signal) : await this.#findBy(model, job, find, signal);
		if (answer.indexed < answer.files && !answer.isFull) {
			this.#doRest(folder);
		}
		return answer;
	}

	/** Texts that the model has not seen are sent with the query, as many as fit into one request. */
	async #findBy(model: string, job: IndexJob, find: CodeQuery, signal: AbortSignal): Promise<FoundCodeAnswer> {
		const { unplaced } = await this.#run({ ...job, unplaced: { model, count: codeIndexLimits.placedAtOnce } }, signal);
		const { threadId } = find;
		const texts = [find.query, ...unplaced.map(({ text }) => text)];
		const limited = deriveSignal(signal, {
			what: `embeddings of code by ${model}`,
			timeoutMs: codeIndexLimits.placeMs,
		});
		let vectors: readonly Int8Array[];
		try {
			vectors = await this.#deps.embeddings.embed({ model, texts, threadId }, limited.signal);
		} catch (error) {
			signal.throwIfAborted();
			const problem = `${model}: ${toErrorMessage(error)}`;
			this.#deps.log.warn('code is compared without the embedding model', { error: problem });
			return { ...(await this.#run({ ...job, find }, signal)), problem };
		} finally {
			limited.dispose();
		}
		const [vector] = vectors;
		const places = unplaced.flatMap(({ number }, at) => {
			const its = vectors[at + 1];
			return its === undefined ? [] : [{ number, vector: its }];
		});
		const place = vector && { model, vector };
		return await this.#run({ ...job, place: { model, places }, find: { ...find, place } }, signal);
	}

	/** Reads everything that is not indexed yet. */
	async update(folder: IndexedFolder, signal: AbortSignal): Promise<IndexAnswer> {
		this.#refuseOff();
		this.#rest.get(folder.root)?.abort();
		return await this.#run({ ...this.#jobOf(folder), limitMs: codeIndexLimits.restMs }, signal);
	}

	/** Removes the index of all workspaces. */
	async remove(): Promise<void> {
		this.close();
		await rm(join(this.#deps.home, CODE_INDEX_FOLDER), { recursive: true, force: true });
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
		return { database: join(this.#deps.home, CODE_INDEX_FOLDER, `${name}.db`), root, usualEncoding, maxBytes };
	}

	#doRest(folder: IndexedFolder): void {
		const work = new AbortController();
		this.#rest.set(folder.root, work);
		this.#run({ ...this.#jobOf(folder), limitMs: codeIndexLimits.restMs }, work.signal, false)
			.catch((error: unknown) => {
				if (!work.signal.aborted) this.#deps.log.warn('the code index is not whole', { error: String(error) });
			})
			.finally(() => {
				if (this.#rest.get(folder.root) === work) this.#rest.delete(folder.root);
			});
	}

	#run(job: IndexJob, signal: AbortSignal, keepsAlive = true): Promise<IndexAnswer> {
		const thread = {
			script: this.#deps.workerUrl,
			what: 'the code index',
			name: 'prowess-code-index',
			heapMb: codeIndexLimits.workerHeapMb,
			keepsAlive,
		};
		return runThreadJob<IndexJob, IndexAnswer>(thread, job, signal);
	}
}
