/**
 * Places of memories and messages, from the provider that the user has chosen for them. Memories without a place of its
 * model get one with the next message. When the provider fails, our own places count alone, and `problem` says why.
 */
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { ThreadId } from '../../protocol/rpc/ids.ts';
import type { LogPort } from '../../contract/ports/ports.ts';
import { memoryLimits } from './limits.ts';
import type { GivenPlace } from './memory.ts';
import type { MemoryWorker } from './memory-worker.ts';
import type { EmbeddingPort } from '../models/provider-embeddings.ts';

interface GivenPlacesDeps {
	readonly worker: Pick<MemoryWorker, 'call'>;
	readonly embeddings: EmbeddingPort;
	readonly log: Pick<LogPort, 'warn'>;
}

export class GivenPlaces {
	readonly #deps: GivenPlacesDeps;
	readonly #life = new AbortController();
	#pausedUntil = 0;
	#pausedFor = '';
	#isPlacing = false;
	#problem: string | undefined;

	constructor(deps: GivenPlacesDeps) {
		this.#deps = deps;
	}

	/** Why the provider did not help with the last message; undefined: it did, or the user wants none. */
	get problem(): string | undefined {
		return this.#problem;
	}

	/** Undefined: our own places count alone. Never rejects. */
	async of(query: string, threadId: ThreadId | null): Promise<GivenPlace | undefined> {
		const model = this.#deps.embeddings.model();
		if (model === '') {
			this.#problem = undefined;
			return undefined;
		}
		if (model === this.#pausedFor && performance.now() < this.#pausedUntil) {
			return undefined;
		}
		try {
			const { vectors, placed } = await withTimeLimit(
				{ what: `the embedding of a message by ${model}`, timeoutMs: memoryLimits.placeMs },
				(signal) => this.#place([query.slice(0, memoryLimits.queryChars)], model, threadId, signal),
			);
			this.#problem = undefined;
			if (placed === memoryLimits.placedAtOnce) {
				void this.#placeRest(model, threadId);
			}
			const [vector] = vectors;
			return vector === undefined ? undefined : { model, vector };
		} catch (error) {
			this.#problem = `${model}: ${toErrorMessage(error)}`;
			this.#pausedFor = model;
			this.#pausedUntil = performance.now() + memoryLimits.placePauseMs;
			this.#deps.log.warn('memories are compared without the embedding model', { error: this.#problem });
			return undefined;
		}
	}

	close(): void {
		this.#life.abort();
	}

	/** Vectors of `first`; memories that have none get theirs in the same request. */
	async #place(first: readonly string[], model: string, threadId: ThreadId | null, signal: AbortSignal) {
		const { worker, embeddings } = this.#deps;
		const waiting = await worker.call('unplaced', { model, count: memoryLimits.placedAtOnce });
		const texts = [...first, ...waiting.map(({ text }) => text)];
		const vectors = texts.length === 0 ? [] : await embeddings.embed({ model, texts, threadId }, signal);
		const places = waiting.flatMap(({ number }, index) => {
			const vector = vectors[first.length + index];
			return vector === undefined ? [] : [{ number, vector }];
		});
		if (places.length > 0) {
			await worker.call('placed', { model, places });
		}
		return { vectors, placed: places.length };
	}

	/** Beside other work, one request after the other. */
	async #placeRest(model: string, threadId: ThreadId | null): Promise<void> {
		if (this.#isPlacing) {
			return;
		}
		this.#isPlacing = true;
		const { signal } = this.#life;
		try {
			let placed: number = memoryLimits.placedAtOnce;
			while (placed === memoryLimits.placedAtOnce && !signal.aborted && this.#deps.embeddings.model() === model) {
				({ placed } = await this.#place([], model, threadId, signal));
			}
		} catch (error) {
			if (!signal.aborted) {
				this.#deps.log.warn('not every memory has its embedding yet', { error: toErrorMessage(error) });
			}
		} finally {
			this.#isPlacing = false;
		}
	}
}
