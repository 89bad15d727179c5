/** An answer whose model server is asked for its window meanwhile: the user reads what it said before the answer ends. */
import type { ModelPart } from '../model-port.ts';

export class ToldWindow {
	readonly #asking: Promise<boolean>;
	#held: IteratorResult<ModelPart, void> | undefined;
	#isTold = false;

	/** `asking` never rejects; true: the window is smaller than it could be. */
	constructor(asking: Promise<boolean>) {
		this.#asking = asking;
	}

	/**
	 * Resolves with the next part of the answer; `next` reads it. The last part waits until the server has told its
	 * window; a `smallWindow` note may come before it.
	 */
	async next(next: () => Promise<IteratorResult<ModelPart, void>>): Promise<IteratorResult<ModelPart, void>> {
		if (this.#held !== undefined) {
			const held = this.#held;
			this.#held = undefined;
			return held;
		}
		const result = await next();
		if (this.#isTold || (result.done !== true && result.value.kind !== 'finish')) {
			return result;
		}
		this.#isTold = true;
		if (!(await this.#asking) || result.done === true) {
			return result;
		}
		this.#held = result;
		return { done: false, value: { kind: 'note', note: 'smallWindow' } };
	}
}
