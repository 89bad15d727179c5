/**
 * Progress of an op as who asked for it is told: that it runs only once it has for a moment. Most ops end within it, and
 * their outcome says all that is left to say; each message less is a write to another process and its waking.
 */
import type { OpProgress } from '../../protocol/turn/broker.ts';

/** Milliseconds; shorter than what a view lets pass between two updates. */
const HELD_MS = 25;

export class ToldProgress {
	readonly #tell: (progress: OpProgress) => void;
	#held: { readonly progress: OpProgress; readonly timer: NodeJS.Timeout } | undefined;
	#hasTold = false;

	constructor(tell: (progress: OpProgress) => void) {
		this.#tell = tell;
	}

	/** Held back is only the first word, if it says nothing but that the op runs. */
	told(progress: OpProgress): void {
		const isFirst = !this.#hasTold && this.#held === undefined;
		if (isFirst && progress.kind === 'running' && progress.allowedBy === undefined) {
			this.#held = { progress, timer: setTimeout(() => this.#release(), HELD_MS) };
			return;
		}
		this.#release();
		this.#hasTold = true;
		this.#tell(progress);
	}

	/** The outcome follows: what is held back is not told any more. */
	ended(): void {
		clearTimeout(this.#held?.timer);
		this.#held = undefined;
	}

	#release(): void {
		const held = this.#held;
		this.ended();
		if (held !== undefined) {
			this.#hasTold = true;
			this.#tell(held.progress);
		}
	}
}
