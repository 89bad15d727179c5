/** The times in which an op waits for a person: it is shown as waiting, its clock stands, and they do not count as its own. */
import type { DerivedSignal } from '../../../base/time/derived-signal.ts';
import type { BrokerCall } from '../call.ts';

export class PersonWaits {
	readonly #call: BrokerCall;
	readonly #limit: Pick<DerivedSignal, 'pause' | 'resume'>;
	#ms = 0;

	constructor(call: BrokerCall, limit: Pick<DerivedSignal, 'pause' | 'resume'>) {
		this.#call = call;
		this.#limit = limit;
	}

	/** All of them so far. */
	get ms(): number {
		return this.#ms;
	}

	/** Runs `wait` with the op's clock paused and `reason` shown, which must be redacted. Only one wait at a time. */
	async during<T>(reason: string, wait: () => Promise<T>): Promise<T> {
		const since = performance.now();
		this.#limit.pause();
		this.#call.origin.onProgress({ opId: this.#call.asked.opId, kind: 'waiting', reason });
		try {
			return await wait();
		} finally {
			this.#limit.resume();
			this.#ms += performance.now() - since;
		}
	}
}
