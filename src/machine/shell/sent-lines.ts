/** Keeps how much of the lines of a screen a reader has been given. The reader only adds what it gets to what it has. */

interface ScreenLines {
	readonly count: number;
	textAt(index: number): string;
}

export class SentLines {
	/** Lines that were given whole. */
	#count = 0;
	/** Given of the line after those. */
	#given = '';
	/** The end of a line was given that can no longer be added to. */
	#isApart = false;

	/** True where the lines have more than was given. */
	hasMore(rows: ScreenLines): boolean {
		return this.#count < rows.count - 1 || rows.textAt(this.#count) !== this.#given;
	}

	/** The lines before `end` that were not given, each with its end. */
	takeLines(rows: ScreenLines, end: number): string {
		let text = '';
		for (; this.#count < end; this.#count += 1) {
			text += `${this.#toAdd(rows.textAt(this.#count))}\n`;
			this.#given = '';
		}
		return text;
	}

	/** All that was not given, also of the last line, which may go on. */
	takeAll(rows: ScreenLines): string {
		const lines = this.takeLines(rows, rows.count - 1);
		const last = rows.textAt(rows.count - 1);
		const added = lines + (this.#count < rows.count ? this.#toAdd(last) : '');
		this.#given = last;
		return added;
	}

	/** Takes what has grown since, of the last line only where it is the same as before and more. */
	takeGrown(rows: ScreenLines): string {
		const lines = this.takeLines(rows, rows.count - 1);
		const last = rows.textAt(rows.count - 1);
		if (this.#count !== rows.count - 1 || this.#isApart || !last.startsWith(this.#given)) {
			return lines;
		}
		const grown = last.slice(this.#given.length);
		this.#given = last;
		return lines + grown;
	}

	/** Lines were taken from the top. */
	drop(count: number): void {
		if (count > this.#count) {
			this.#given = '';
		}
		this.#count = Math.max(0, this.#count - count);
	}

	/** Lines were taken from the bottom: what was given of them stays with the reader. */
	limitTo(count: number): void {
		if (this.#count >= count) {
			this.#count = count - 1;
			this.#isApart ||= this.#given !== '';
			this.#given = '';
		}
	}

	/** Puts what comes next on a line of its own. */
	breakLine(): void {
		this.#isApart = true;
	}

	#toAdd(row: string): string {
		const isSame = !this.#isApart && row.startsWith(this.#given);
		const text = isSame ? row.slice(this.#given.length) : `\n${row}`;
		this.#isApart = false;
		return text;
	}
}
