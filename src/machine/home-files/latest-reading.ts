/**
 * Latest content of a file of the home, for callers that must decide without waiting. Readings may overtake each other;
 * the log is told only once of a file that cannot be read.
 */
import { toErrorMessage } from '../../base/text/message-of.ts';
import type { LogPort } from '../../contract/ports/ports.ts';

interface LatestReadingOptions<T> {
	/** Rejects when the file cannot be read. */
	readonly read: () => Promise<T>;
	/** Value that counts before the first reading, and while the file cannot be read. */
	readonly empty: T;
	readonly log: Pick<LogPort, 'warn'>;
}

export class LatestReading<T> {
	readonly #options: LatestReadingOptions<T>;
	#current: T;
	#problem: string | undefined;
	#begun = 0;
	#newest = 0;

	constructor(options: LatestReadingOptions<T>) {
		this.#options = options;
		this.#current = options.empty;
	}

	get current(): T {
		return this.#current;
	}

	/** Why nothing of the file counts; undefined: it can be read, or there is none. */
	get problem(): string | undefined {
		return this.#problem;
	}

	/** Reads the file as it is no earlier than the call. Rejects only when the signal aborts. */
	async refresh(signal: AbortSignal): Promise<void> {
		this.#begun += 1;
		const turn = this.#begun;
		const { value, problem } = await this.#find();
		// A reading that began earlier must not bring back what a later one no longer found.
		if (turn > this.#newest) {
			this.#newest = turn;
			this.#current = value;
			if (problem !== undefined && problem !== this.#problem) {
				this.#options.log.warn(problem);
			}
			this.#problem = problem;
		}
		signal.throwIfAborted();
	}

	async #find(): Promise<{ readonly value: T; readonly problem?: string }> {
		try {
			return { value: await this.#options.read() };
		} catch (error) {
			return { value: this.#options.empty, problem: toErrorMessage(error) };
		}
	}
}
