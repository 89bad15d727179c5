/** Lets go of all that belongs to a deleted thread: what it has under way, what was allowed in it, and what is kept of it. */
import type { ThreadId } from '../protocol/rpc/ids.ts';

interface EndingParts {
	readonly agents: { endThread(threadId: ThreadId): Promise<void> };
	readonly begun: Set<ThreadId>;
	/** Notes on threads in memory. */
	readonly noted: readonly { forget(threadId: ThreadId): void }[];
	readonly capabilities: { stopAllOfThread(threadId: ThreadId): Promise<unknown> };
	readonly broker: { endThread(threadId: ThreadId): Promise<void> };
	readonly commands: { stopAllOf(threadId: ThreadId): Promise<unknown> };
	readonly sweeps: { settled(): Promise<unknown> };
	readonly checkpoints: { forget(threadId: ThreadId): Promise<unknown> };
	/** Notes on threads in files. */
	readonly kept: readonly { forget(threadId: ThreadId, signal: AbortSignal): Promise<void> }[];
	onFailure(threadId: ThreadId, error: unknown): void;
}

/** Whatever a thread has under way is ended before what is kept of it. */
export function threadEndings(parts: EndingParts): ThreadEndings {
	return new ThreadEndings(
		async (threadId) => {
			await parts.agents.endThread(threadId);
			parts.begun.delete(threadId);
			for (const noted of parts.noted) noted.forget(threadId);
			await parts.capabilities.stopAllOfThread(threadId);
			await parts.broker.endThread(threadId);
			await parts.commands.stopAllOf(threadId);
			await parts.sweeps.settled();
			await parts.checkpoints.forget(threadId);
			for (const kept of parts.kept) await kept.forget(threadId, new AbortController().signal);
		},
		(threadId, error) => parts.onFailure(threadId, error),
	);
}

class ThreadEndings {
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
