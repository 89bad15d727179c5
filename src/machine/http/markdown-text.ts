/** Markdown as it is written from start to end: space between words once, empty lines between blocks once, quotes at the start of each line. */
export class MarkdownText {
	readonly #parts: string[] = [];
	/** Gap that must come before the next word: empty, a space, a new line or an empty line. */
	#gap: '' | ' ' | '\n' | '\n\n' = '';
	#quotes = 0;
	/** A block has begun with its mark, and nothing has followed. */
	#isStarted = false;

	/** Ends a block, if one is open; `isClose`: the next one follows without an empty line. */
	block(isClose = false): void {
		if (this.#parts.length > 0 && !this.#isStarted && this.#gap !== '\n\n') {
			this.#gap = isClose ? '\n' : '\n\n';
		}
	}

	quote(more: 1 | -1): void {
		this.#quotes = Math.max(0, this.#quotes + more);
	}

	/** Begins a block, such as an item of a list; the first one inside of it goes on in its line. */
	start(mark: string): void {
		this.#isStarted = false;
		this.raw(mark);
		this.#isStarted = true;
	}

	/** Adds the text unchanged, apart from the mark of a quote before each line. */
	raw(text: string): void {
		if (text !== '') {
			this.#fill();
			this.#isStarted = false;
			this.#parts.push(this.#quotes === 0 ? text : text.replaceAll('\n', `\n${this.#prefix()}`));
		}
	}

	words(text: string): void {
		const words = text.replaceAll(/\s+/g, ' ');
		if (words === ' ' || words.startsWith(' ')) {
			this.#gap ||= this.#parts.length === 0 || /\s$/.test(this.#parts.at(-1) ?? '') ? '' : ' ';
		}
		const trimmed = words.trim();
		if (trimmed !== '') {
			this.raw(trimmed);
			this.#gap = words.endsWith(' ') ? ' ' : '';
		}
	}

	finish(): string {
		return this.#parts
			.join('')
			.replaceAll(/[ \t]+\n/g, '\n')
			.replaceAll(/\n{3,}/g, '\n\n')
			.replaceAll(/\[\s*\]\([^)\s]*\)/g, '')
			.trim();
	}

	#fill(): void {
		if (this.#gap.startsWith('\n')) {
			this.#parts.push(this.#gap.replaceAll('\n', `\n${this.#prefix()}`));
		} else if (this.#gap === ' ') {
			this.#parts.push(' ');
		} else if (this.#parts.length === 0) {
			this.#parts.push(this.#prefix());
		}
		this.#gap = '';
	}

	#prefix(): string {
		return '> '.repeat(Math.min(this.#quotes, 5));
	}
}
