/** Lets go of all that belongs to a deleted thread: what it has under way, what was allowed in it, and what is kept of it. */
import type { ThreadId } from '../../../protocol/ids.ts';

export class ThreadEndings {
	readonly #steps: (threadId: ThreadId) => Promise<void>;
	readonly #onFailure: (threadId: ThreadId, error: unknown) => void;
	readonly #underWay = new Set<Promise<void>>();

	/** `steps` does one after the other; the first that fails is the last. */
	constructor(steps: (threadId: ThreadId) => Promise<void>, onFailure: (threadId: ThreadId, error: unknown) => void) {
		this.#steps = steps;
		this.#onFailure = onFailure;
	}

	/** Never rejects. */
	async end(threadId: ThreadId): Promise<void> {
		const ending = this.#end(threadId);
		this.#underWay.add(ending);
		await ending;
		this.#underWay.delete(ending);
	}

	/** Settles with those that have begun. */
	settled(): Promise<unknown> {
		return Promise.all(this.#underWay);
	}

	async #end(threadId: ThreadId): Promise<void> {
		try {
			await this.#steps(threadId);
		} catch (error) {
			this.#onFailure(threadId, error);
		}
	}
}
