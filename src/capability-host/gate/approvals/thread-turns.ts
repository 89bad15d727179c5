/** One at a time for each thread, in the order of asking; without a thread nobody waits. */
import { orAborted } from '../../../base/or-aborted.ts';
import type { ThreadId } from '../../../protocol/ids.ts';

export class ThreadTurns {
	readonly #last = new Map<ThreadId, Promise<void>>();

	/** Rejects with the signal's reason when it aborts before its turn; the others keep their places. */
	async inTurn<T>(threadId: ThreadId | null, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
		signal.throwIfAborted();
		if (threadId === null) {
			return await run();
		}
		const before = this.#last.get(threadId) ?? Promise.resolve();
		let leave = () => {};
		const left = new Promise<void>((resolve) => {
			leave = resolve;
		});
		const place = before.then(() => left);
		this.#last.set(threadId, place);
		try {
			await orAborted(before, signal);
			signal.throwIfAborted();
			return await run();
		} finally {
			leave();
			if (this.#last.get(threadId) === place) {
				this.#last.delete(threadId);
			}
		}
	}
}
