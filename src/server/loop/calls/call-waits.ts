/** Measures how long a call waits for the person, however often: that is no time of its own. */
import type { OpProgress } from '../../../protocol/turn/broker.ts';

/** Shorter waits are left out: nobody has thought about them. */
const LEAST_WAIT_MS = 1_000;

export class CallWaits {
	readonly #now: () => number;
	#sinceMs: number | undefined;
	#totalMs = 0;

	/** `now` in milliseconds. */
	constructor(now: () => number) {
		this.#now = now;
	}

	note({ kind }: Pick<OpProgress, 'kind'>): void {
		if (kind === 'waiting') {
			this.#sinceMs ??= this.#now();
		} else if (this.#sinceMs !== undefined) {
			this.#totalMs += this.#now() - this.#sinceMs;
			this.#sinceMs = undefined;
		}
	}

	/** For the item of the call, which has ended. */
	end(): { readonly waitedMs?: number } {
		const openMs = this.#sinceMs === undefined ? 0 : this.#now() - this.#sinceMs;
		const waitedMs = Math.round(this.#totalMs + openMs);
		return waitedMs < LEAST_WAIT_MS ? {} : { waitedMs };
	}
}
