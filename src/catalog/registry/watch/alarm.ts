/** A timer that can be set several times: the earliest time counts. Times are on the clock of `performance.now()`. */
import type { Disposable } from '../../../base/disposable.ts';

export class Alarm implements Disposable {
	readonly #ring: () => void;
	#set: { readonly handle: ReturnType<typeof setTimeout>; readonly dueAt: number } | undefined;

	constructor(ring: () => void) {
		this.#ring = ring;
	}

	get isSet(): boolean {
		return this.#set !== undefined;
	}

	/** At once when that time has passed. */
	at(dueAt: number): void {
		if (this.#set !== undefined && this.#set.dueAt <= dueAt) {
			return;
		}
		clearTimeout(this.#set?.handle);
		const ringAlarm = () => {
			this.#set = undefined;
			this.#ring();
		};
		this.#set = { handle: setTimeout(ringAlarm, Math.max(0, dueAt - performance.now())), dueAt };
	}

	/** Stops the alarm; `at` sets it again. */
	dispose(): void {
		clearTimeout(this.#set?.handle);
		this.#set = undefined;
	}
}
