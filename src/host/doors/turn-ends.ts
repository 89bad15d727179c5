/** Ends of turns: each is awaited once, whether it comes before or after somebody waits. */
import type { ThreadEvent } from '../../protocol/thread/thread.ts';

export type TurnEnd = Extract<ThreadEvent, { type: 'turn.end' }>;

/** Ends that nobody has awaited, of turns that were begun elsewhere. */
const MOST_ENDS = 100;

export class TurnEnds {
	readonly #ends = new Map<string, TurnEnd>();
	readonly #waiting = new Map<string, (end: TurnEnd) => void>();

	put(end: TurnEnd): void {
		const waiting = this.#waiting.get(end.turnId);
		if (waiting !== undefined) {
			this.#waiting.delete(end.turnId);
			waiting(end);
			return;
		}
		this.#ends.set(end.turnId, end);
		const [oldest] = this.#ends.keys();
		if (this.#ends.size > MOST_ENDS && oldest !== undefined) {
			this.#ends.delete(oldest);
		}
	}

	/** Rejects with the reason of `gone` when the server goes before the turn ends. */
	of(turnId: string, gone: AbortSignal): Promise<TurnEnd> {
		const known = this.#ends.get(turnId);
		if (known !== undefined) {
			this.#ends.delete(turnId);
			return Promise.resolve(known);
		}
		return new Promise((resolve, reject) => {
			const onGone = () => {
				this.#waiting.delete(turnId);
				reject(gone.reason);
			};
			gone.addEventListener('abort', onGone, { once: true });
			this.#waiting.set(turnId, (end) => {
				gone.removeEventListener('abort', onGone);
				resolve(end);
			});
			if (gone.aborted) onGone();
		});
	}
}
