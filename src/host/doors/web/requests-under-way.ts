/** Requests of one page that wait for their answer, each of which keeps something of the host. */

interface FrameParts {
	readonly kind?: unknown;
	readonly id?: unknown;
	readonly method?: unknown;
}

export class RequestsUnderWay {
	readonly #most: number;
	#count = 0;

	constructor(most: number) {
		this.#most = most;
	}

	/** False for a request beyond the most; one that is taken gets exactly one answer. */
	take(frame: unknown): boolean {
		const { kind, id, method } = (frame ?? {}) as FrameParts;
		// Anything else is dropped or answered at once.
		if (kind !== 'request' || !Number.isSafeInteger(id) || typeof method !== 'string') return true;
		if (this.#count >= this.#most) return false;
		this.#count += 1;
		return true;
	}

	/** A frame goes to the page. */
	note(frame: unknown): void {
		const { kind } = frame as FrameParts;
		if (kind === 'result' || kind === 'error') this.#count -= 1;
	}
}
