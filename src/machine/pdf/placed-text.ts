/** Text as a page places it: where the pen goes to another line or leaves a gap, there is one in the text. */
import { MAX_TEXT_CHARS } from './limits.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export const UNMOVED: Matrix = [1, 0, 0, 1, 0, 0];

/** First `a`, then `b`. */
export function multiplyMatrices(a: Matrix, b: Matrix): Matrix {
	return [
		a[0] * b[0] + a[1] * b[2],
		a[0] * b[1] + a[1] * b[3],
		a[2] * b[0] + a[3] * b[2],
		a[2] * b[1] + a[3] * b[3],
		a[4] * b[0] + a[5] * b[2] + b[4],
		a[4] * b[1] + a[5] * b[3] + b[5],
	];
}

/** Shares of the letters' size: a gap that counts as a blank, and a step that counts as another line. */
const GAP = 0.18;
const LINE_STEP = 0.4;
/** Share of a line's height; a larger step leaves a blank line. */
const PARAGRAPH = 1.9;

export class PlacedText {
	readonly #parts: string[] = [];
	#length = 0;
	#last = '';
	/** Where the pen stopped, and how large its letters were. */
	#end: { readonly x: number; readonly y: number; readonly size: number } | undefined;
	/** Signs that the font gives no text for. */
	unreadable = 0;

	/** Adds a single glyph, which reaches from `from` to the place where the next one would begin. */
	add(glyph: string | undefined, from: Matrix, to: Matrix, size: number): void {
		const height = Math.max(0.1, size);
		const end = this.#end;
		if (end !== undefined) {
			// Along the direction of the line, and across it.
			const length = Math.hypot(from[0], from[1]) || 1;
			const [dx, dy] = [from[4] - end.x, from[5] - end.y];
			const along = (dx * from[0] + dy * from[1]) / length;
			const across = Math.abs((dy * from[0] - dx * from[1]) / length);
			if (across > LINE_STEP * height) this.#write(across > PARAGRAPH * Math.max(height, end.size) ? '\n\n' : '\n');
			else if (along > GAP * height || along < -2 * height) this.#blank();
		}
		this.#end = { x: to[4], y: to[5], size: height };
		if (glyph === undefined) {
			this.unreadable += 1;
			this.#write('\uFFFD');
		} else if (glyph.trim() === '') this.#blank();
		else this.#write(glyph);
	}

	/** True when the text is longer than `MAX_TEXT_CHARS`, so that no page is cut off without a word. */
	get isFull(): boolean {
		return this.#length > MAX_TEXT_CHARS;
	}

	text(): string {
		return this.#parts
			.join('')
			.replaceAll(/[ \t]+\n/g, '\n')
			.trim();
	}

	#blank(): void {
		if (!/^$|\s$/.test(this.#last)) this.#write(' ');
	}

	#write(text: string): void {
		if (this.isFull) return;
		this.#parts.push(text);
		this.#length += text.length;
		this.#last = text;
	}
}
