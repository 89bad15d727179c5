/** Time limit of a command. The clock is paused while a person is asked for something that the command needs. */
import { type DerivedSignal, deriveSignal } from '../../base/time/derived-signal.ts';
import type { Disposable } from '../../base/disposable.ts';

export class CommandClock implements Disposable {
	readonly #limit: DerivedSignal;
	/** 0: no limit. */
	readonly limitMs: number;
	#waits = 0;

	/** Starts the clock. Undefined: no limit. */
	constructor(timeoutMs: number | undefined) {
		this.limitMs = timeoutMs ?? 0;
		const limit = { what: 'the command', timeoutMs: this.limitMs };
		this.#limit = deriveSignal(new AbortController().signal, limit);
	}

	onPassed(listener: () => void): void {
		const { signal } = this.#limit;
		if (signal.aborted) listener();
		else signal.addEventListener('abort', listener, { once: true });
	}

	/** Several waits at once are one. */
	async during<T>(wait: () => Promise<T>): Promise<T> {
		if (this.#waits++ === 0) this.#limit.pause();
		try {
			return await wait();
		} finally {
			if (--this.#waits === 0) this.#limit.resume();
		}
	}

	/** Removes the limit. */
	lift(): void {
		this.#limit.dispose();
	}

	dispose(): void {
		this.#limit.dispose();
	}
}
