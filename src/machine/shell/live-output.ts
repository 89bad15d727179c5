/** Passes output on while a command runs, up to a bounded amount; the result has head and tail of all of it. */
import { LIVE_CHARS } from './limits.ts';

export class LiveOutput {
	readonly #emit: (chunk: string) => void;
	#left = LIVE_CHARS;

	constructor(emit: (chunk: string) => void) {
		this.#emit = emit;
	}

	push(text: string): void {
		if (this.#left <= 0) {
			return;
		}
		const part = text.slice(0, this.#left);
		this.#left -= text.length;
		this.#emit(this.#left > 0 ? part : `${part}\n[… more output is not shown while it runs …]\n`);
	}
}
