/** Counts what happens in a minute. */
export class MinuteCount {
	readonly #most: number;
	#since = performance.now();
	#taken = 0;

	constructor(most: number) {
		this.#most = most;
	}

	/** False beyond the most. */
	take(): boolean {
		const now = performance.now();
		if (now - this.#since >= 60_000) {
			this.#since = now;
			this.#taken = 0;
		}
		this.#taken += 1;
		return this.#taken <= this.#most;
	}
}
