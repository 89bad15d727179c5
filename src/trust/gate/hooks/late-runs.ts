/** Runs of hooks after ops, which nobody waits for: a few at once, and a bounded number that wait. */
import { AFTER_HOOKS_AT_ONCE, AFTER_HOOKS_WAITING, HOOKS_CLOSE_MS } from './limits.ts';

export class LateRuns {
	readonly #waiting: (() => Promise<void>)[] = [];
	readonly #running = new Set<Promise<void>>();

	/** `run` never rejects. False: too many wait, so it does not come to it. */
	add(run: () => Promise<void>): boolean {
		if (this.#waiting.length >= AFTER_HOOKS_WAITING) {
			return false;
		}
		this.#waiting.push(run);
		this.#begin();
		return true;
	}

	/**
	 * Resolves when nothing runs or waits. After a short time waiting runs are dropped, and `stop` ends the running
	 * ones.
	 */
	async close(stop: () => void): Promise<void> {
		const late = setTimeout(() => {
			this.#waiting.length = 0;
			stop();
		}, HOOKS_CLOSE_MS);
		while (this.#running.size > 0) {
			await Promise.all(this.#running);
		}
		clearTimeout(late);
	}

	#begin(): void {
		while (this.#running.size < AFTER_HOOKS_AT_ONCE) {
			const next = this.#waiting.shift();
			if (next === undefined) {
				return;
			}
			const run = next().finally(() => {
				this.#running.delete(run);
				this.#begin();
			});
			this.#running.add(run);
		}
	}
}
