/**
 * Waiting time between starts of a server that keeps failing. No timer starts the server: the first use after that time
 * does.
 */
import { FIRST_BACK_OFF_MS, LONGEST_BACK_OFF_MS } from './limits.ts';

export class BackOff {
	#failures = 0;
	#until = -Infinity;

	/** Milliseconds until it may be started again; 0: now. */
	leftMs(now: number): number {
		return Math.max(0, Math.ceil(this.#until - now));
	}

	failed(now: number): void {
		this.#until = now + Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** this.#failures);
		this.#failures += 1;
	}

	/** Clears the waiting time, because the server works or the user wants it at once. */
	reset(): void {
		this.#failures = 0;
		this.#until = -Infinity;
	}
}
