/**
 * Work in pieces, between which the loop of the process turns: what comes from many files at the same moment is not taken up
 * all at once.
 */
import { PIECE_MS } from '../limits.ts';

export class Pace {
	#turnedAt = performance.now();
	#turn: Promise<void> | undefined;

	/** Does the work at once, or once the loop has turned when it has not for a while. */
	async take<Result>(work: () => Result): Promise<Result> {
		// Callers that wait for the same turn go one after the other, and the first of them may use it up.
		while (this.#turn !== undefined) await this.#turn;
		try {
			return work();
		} finally {
			if (performance.now() - this.#turnedAt >= PIECE_MS) this.#turn = this.#comesRound();
		}
	}

	async #comesRound(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.#turn = undefined;
		this.#turnedAt = performance.now();
	}
}
