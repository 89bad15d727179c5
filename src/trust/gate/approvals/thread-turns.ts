/**
 * Runs questions one at a time for each thread, in the order of asking; those of one list run together. Without a
 * thread nobody waits.
 */
import { orAborted } from '../../../base/time/bounded-wait.ts';
import type { ThreadId } from '../../../protocol/rpc/ids.ts';

/** Group that has its turn together. */
interface TurnGroup {
	readonly list: string | undefined;
	/** Resolves when it is their turn. */
	readonly begins: Promise<void>;
	/** Resolves when all of them have left. */
	readonly ends: Promise<void>;
	members: number;
	leave(): void;
}

export class ThreadTurns {
	/** Last place in the row of each thread. */
	readonly #last = new Map<ThreadId, TurnGroup>();

	/**
	 * Rejects with the signal's reason when it aborts before its turn; the others keep their places. Joins those of the same
	 * `list` if nobody stands behind them.
	 */
	async inTurn<T>(
		threadId: ThreadId | null,
		list: string | undefined,
		signal: AbortSignal,
		run: () => Promise<T>,
	): Promise<T> {
		signal.throwIfAborted();
		if (threadId === null) {
			return await run();
		}
		const last = this.#last.get(threadId);
		const place = last !== undefined && list !== undefined && last.list === list ? last : placeBehind(last, list);
		place.members += 1;
		this.#last.set(threadId, place);
		try {
			await orAborted(place.begins, signal);
			signal.throwIfAborted();
			return await run();
		} finally {
			place.members -= 1;
			if (place.members === 0) {
				place.leave();
				if (this.#last.get(threadId) === place) {
					this.#last.delete(threadId);
				}
			}
		}
	}
}

function placeBehind(last: TurnGroup | undefined, list: string | undefined): TurnGroup {
	const begins = last?.ends ?? Promise.resolve();
	let leave = () => {};
	const left = new Promise<void>((resolve) => {
		leave = resolve;
	});
	return { list, begins, ends: begins.then(() => left), members: 0, leave: () => leave() };
}
