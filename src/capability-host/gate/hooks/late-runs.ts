/** Runs of hooks after ops, which nobody waits for: a few at once, and a bounded number that wait. */
import { AFTER_HOOKS_AT_ONCE, AFTER_HOOKS_WAITING } from './limits.ts';

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

	/** What has not begun never does. */
	drop(): void {
		this.#waiting.length = 0;
	}

	/** Resolves when nothing runs or waits. */
	async ended(): Promise<void> {
		while (this.#running.size > 0) {
			await Promise.all(this.#running);
		}
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
