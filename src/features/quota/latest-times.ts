/**
 * Counts how often something happened within the latest `withinMs`. Adding and counting cost the same, however often it
 * happened.
 */
export class LatestTimes {
	readonly #withinMs: number;
	/** In the order in which they were added, those before `#first` being over. */
	#times: number[] = [];
	#first = 0;

	constructor(withinMs: number) {
		this.#withinMs = withinMs;
	}

	/** `at`: a time as `Date.now` gives it. */
	add(at: number): void {
		this.#forget(at);
		this.#times.push(at);
	}

	/** Returns how many of the added times lie less than `withinMs` before `now`. */
	count(now: number): number {
		this.#forget(now);
		return this.#times.length - this.#first;
	}

	/** Milliseconds until fewer than `most` count, if nothing is added; 0: it is so now. */
	untilBelow(most: number, now: number): number {
		const isBelow = this.count(now) < most;
		return isBelow ? 0 : Math.max(1, (this.#times.at(-most) ?? now) + this.#withinMs - now);
	}

	#forget(now: number): void {
		while (this.#first < this.#times.length && (this.#times[this.#first] ?? 0) <= now - this.#withinMs) {
			this.#first += 1;
		}
		// Moves at most as many entries as were forgotten before, so forgetting stays cheap.
		if (this.#first * 2 > this.#times.length) {
			this.#times = this.#times.slice(this.#first);
			this.#first = 0;
		}
	}
}
