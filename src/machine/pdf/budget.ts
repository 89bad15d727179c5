/** Limits on reading a single PDF file. */
import { INFLATED_BYTES, LONGEST_SLICE_MS, READ_MS, PDF_SLICE_MS, MAX_PDF_STEPS, STREAM_BYTES } from './limits.ts';

/** Thrown when a limit is reached. Reading then ends; the content read so far counts. */
export class TooMuch extends Error {}

export class Budget {
	readonly #signal: AbortSignal;
	readonly #began = performance.now();
	#sliceBegan = performance.now();
	#steps = 0;
	#inflated = 0;

	constructor(signal: AbortSignal) {
		this.#signal = signal;
	}

	/** Throws TooMuch. */
	step(): void {
		this.#steps += 1;
		if (this.#steps > MAX_PDF_STEPS || (this.#steps % 4_096 === 0 && this.#isLate())) {
			throw new TooMuch();
		}
	}

	#isLate(): boolean {
		const now = performance.now();
		return now - this.#began > READ_MS || now - this.#sliceBegan > LONGEST_SLICE_MS;
	}

	/** Maximum size of the next stream, unpacked. Throws TooMuch when the budget is used up. */
	get mostBytes(): number {
		const left = Math.min(STREAM_BYTES, INFLATED_BYTES - this.#inflated);
		if (left <= 0) throw new TooMuch();
		return left;
	}

	inflated(bytes: number): void {
		this.#inflated += bytes;
	}

	/** Lets others have their turn now and then. Rejects with the reason of the signal. */
	async breathe(): Promise<void> {
		if (performance.now() - this.#sliceBegan > PDF_SLICE_MS) {
			await new Promise((resolve) => setImmediate(resolve));
			this.#sliceBegan = performance.now();
		}
		this.#signal.throwIfAborted();
	}
}
