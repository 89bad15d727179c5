/** Builds one page of a text that comes in pieces, by lines, as `cutPage` makes it of a whole one. */
import type { TextSink } from '../../machine/paths/reading/read-pieces.ts';
import { KeyLines } from '../../machine/secrets/key-lines.ts';
import { COUNTED_CHARS, PAGE_CHARS, PAGE_LINES } from '../limits.ts';
import { boundLine, type TextPage, pastEnd } from './text-page.ts';

export class PageOfPieces implements TextSink {
	readonly #path: string;
	readonly #offset: number;
	readonly #limit: number;
	/** Before the cut: a page may begin within a key. */
	readonly #keys = new KeyLines();
	readonly #shown: string[] = [];
	#chars = 0;
	#isFull = false;
	#charsSeen = 0;
	#linesEnded = 0;
	/** Beginning of the line that has not ended yet, if that line is to be shown; below, the length of the line. */
	#head = '';
	#length = 0;
	#endsInReturn = false;

	constructor(path: string, offset = 1, limit = PAGE_LINES) {
		this.#path = path;
		this.#offset = offset;
		this.#limit = limit;
	}

	take(text: string): boolean {
		this.#add(this.#keys.push(text));
		this.#charsSeen += text.length;
		return !this.#isFull || this.#charsSeen < COUNTED_CHARS;
	}

	#add(text: string): void {
		let from = 0;
		for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
			this.#extend(text, from, at);
			this.#endLine(true);
			from = at + 1;
		}
		this.#extend(text, from, text.length);
	}

	/** Once it takes no more. `isWhole`: it was given the text to its end; else nobody knows how many lines there are. */
	page(isWhole: boolean): Omit<TextPage, 'totalLines'> & Partial<Pick<TextPage, 'totalLines'>> {
		this.#add(this.#keys.end());
		const endsWithNewline = this.#length === 0;
		if (isWhole && !endsWithNewline) {
			this.#endLine(false);
		}
		const lines = this.#linesEnded;
		if (isWhole && this.#offset > Math.max(1, lines)) {
			throw pastEnd(this.#path, this.#offset, lines);
		}
		const endLine = this.#offset - 1 + this.#shown.length;
		const truncated = !isWhole || endLine < lines;
		const text = this.#shown.join('\n') + (this.#shown.length > 0 && (truncated || endsWithNewline) ? '\n' : '');
		return { text, startLine: this.#offset, endLine, truncated, ...(isWhole ? { totalLines: lines } : {}) };
	}

	#extend(text: string, from: number, to: number): void {
		if (to === from) {
			return;
		}
		this.#length += to - from;
		if (this.#isShown()) {
			this.#endsInReturn = text[to - 1] === '\r';
			// Keeps a character more than is shown: half of a pair, or the return before the end of the line.
			this.#head += text.slice(from, Math.min(to, from + PAGE_CHARS + 1 - this.#head.length));
		}
	}

	#endLine(byNewline: boolean): void {
		if (this.#isShown()) {
			const length = this.#length - (byNewline && this.#endsInReturn ? 1 : 0);
			this.#isFull = this.#shown.length > 0 && this.#chars + length + 1 > PAGE_CHARS;
			if (!this.#isFull) {
				this.#shown.push(boundLine(this.#head.slice(0, length), length));
				this.#chars += length + 1;
				this.#isFull = this.#shown.length >= this.#limit;
			}
		}
		this.#linesEnded += 1;
		this.#head = '';
		this.#length = 0;
		this.#endsInReturn = false;
	}

	#isShown(): boolean {
		return !this.#isFull && this.#linesEnded + 1 >= this.#offset;
	}
}
