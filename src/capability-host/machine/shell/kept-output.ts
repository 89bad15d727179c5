/** Head and tail of an output of any length, in bounded memory. */
import { KEPT_HEAD_CHARS, KEPT_TAIL_CHARS } from './limits.ts';

export class KeptOutput {
	#head = '';
	#tail: string[] = [];
	#tailChars = 0;
	#omitted = 0;

	get isEmpty(): boolean {
		return this.#head === '';
	}

	push(text: string): void {
		const room = KEPT_HEAD_CHARS - this.#head.length;
		if (room > 0) {
			this.#head += text.slice(0, room);
		}
		if (text.length > room) {
			this.#tail.push(text.slice(Math.max(0, room)));
			this.#tailChars += text.length - Math.max(0, room);
			this.#trim();
		}
	}

	/** What is kept, and forgets it. `omitted` counts the characters dropped between head and tail. */
	take(): { output: string; omitted: number } {
		const tail = this.#tail.join('');
		const kept = tail.slice(Math.max(0, tail.length - KEPT_TAIL_CHARS));
		const omitted = this.#omitted + tail.length - kept.length;
		const mark = omitted === 0 ? '' : `\n[… ${omitted} characters left out …]\n`;
		const output = `${this.#head}${mark}${kept}`.toWellFormed();
		this.#head = '';
		this.#tail = [];
		this.#tailChars = 0;
		this.#omitted = 0;
		return { output, omitted };
	}

	/** Joins small pieces and copies, so that no piece keeps the chunk alive that it was cut from. */
	#trim(): void {
		if (this.#tailChars > 2 * KEPT_TAIL_CHARS || this.#tail.length > 1000) {
			const all = this.#tail.join('');
			const kept = all.slice(Math.max(0, all.length - KEPT_TAIL_CHARS));
			this.#omitted += all.length - kept.length;
			this.#tail = [Buffer.from(kept, 'utf16le').toString('utf16le')];
			this.#tailChars = kept.length;
		}
	}
}
