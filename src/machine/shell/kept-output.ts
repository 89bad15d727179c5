/** Head and tail of an output of any length, in bounded memory. */
import { CUT_LINE_CHARS, KEPT_HEAD_CHARS, KEPT_TAIL_CHARS } from './limits.ts';

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

	/** Returns the kept output and forgets it. `omitted` counts the characters dropped between head and tail. */
	take(): { output: string; omitted: number } {
		const tail = this.#tail.join('');
		const whole = tail.slice(Math.max(0, tail.length - KEPT_TAIL_CHARS));
		const isCut = this.#omitted > 0 || whole.length < tail.length;
		const head = isCut ? toLineEnd(this.#head) : this.#head;
		const kept = isCut ? fromLineStart(whole) : whole;
		const omitted = this.#omitted + tail.length - kept.length + this.#head.length - head.length;
		const mark = isCut ? `${head.endsWith('\n') ? '' : '\n'}[… ${omitted} characters left out …]\n` : '';
		const output = `${head}${mark}${kept}`.toWellFormed();
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

/** A part of a line is left out with the rest of it: half of a secret does not look like one, and would be shown. */
function toLineEnd(text: string): string {
	const end = text.lastIndexOf('\n') + 1;
	return end > 0 && text.length - end <= CUT_LINE_CHARS ? text.slice(0, end) : text;
}

function fromLineStart(text: string): string {
	const start = text.indexOf('\n') + 1;
	return start <= CUT_LINE_CHARS ? text.slice(start) : text;
}
