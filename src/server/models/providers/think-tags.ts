/**
 * Reasoning that a model writes into its text: `<think>…</think>` at the very beginning of an answer. Anywhere else the tag is
 * text, as in an answer about such tags. A closing tag at the beginning or end of a line, which none has opened, is left out:
 * some templates open it in the request.
 */

interface ThinkPiece {
	readonly kind: 'text' | 'thinking';
	readonly text: string;
}

const OPENING = '<think>';
const CLOSING = '</think>';

export class ThinkTags {
	#state: 'beginning' | 'inside' | 'unopened' | 'after' = 'beginning';
	/** Space right after a tag that is left out is left out, too. */
	#isRightAfter = false;
	/** The text so far ends a line, for a closing tag that none has opened. */
	#isLineStart = true;
	/** Characters that may be the beginning of a tag. */
	#held = '';

	/** True when the rest of the answer is text. */
	get isOver(): boolean {
		return this.#state === 'after' && !this.#isRightAfter;
	}

	/** Returns the pieces of the answer that are clear so far; holds back a possible beginning of a tag. */
	split(text: string): readonly ThinkPiece[] {
		if (this.#state === 'after') {
			const shown = this.#isRightAfter ? text.trimStart() : text;
			this.#isRightAfter &&= shown === '';
			return [{ kind: 'text', text: shown }];
		}
		const given = this.#held + text;
		this.#held = '';
		return this.#state === 'beginning'
			? this.#begin(given)
			: this.#state === 'inside'
				? this.#inside(given)
				: this.#unopened(given, false);
	}

	/** Returns the text that was held back; for the end of the answer. */
	rest(): readonly ThinkPiece[] {
		const held = this.#held;
		this.#held = '';
		if (this.#state === 'unopened') {
			return this.#unopened(held, true).filter(({ text }) => text !== '');
		}
		return held === '' ? [] : [{ kind: this.#state === 'inside' ? 'thinking' : 'text', text: held }];
	}

	#begin(given: string): readonly ThinkPiece[] {
		const start = given.trimStart();
		if (start.length < OPENING.length && OPENING.startsWith(start)) {
			this.#held = given;
			return [];
		}
		if (!start.startsWith(OPENING)) {
			this.#state = 'unopened';
			return this.#unopened(given, false);
		}
		this.#state = 'inside';
		return this.#inside(start.slice(OPENING.length));
	}

	/** `isEnd`: nothing follows. */
	#unopened(given: string, isEnd: boolean): readonly ThinkPiece[] {
		const at = given.indexOf(CLOSING);
		const end = at + CLOSING.length;
		if (at === -1 || (end === given.length && !isEnd)) {
			// The tag is held back until it is known whether a line ends behind it.
			const held = at === -1 ? (isEnd ? 0 : heldBack(given)) : given.length - at;
			return this.#text(given, given.length - held);
		}
		const before = given.slice(0, at);
		const startsLine = before === '' ? this.#isLineStart : before.endsWith('\n');
		if (!startsLine && end !== given.length && !/[\r\n]/.test(given.charAt(end))) {
			return [...this.#text(given.slice(0, end), end), ...this.#unopened(given.slice(end), isEnd)];
		}
		this.#state = 'after';
		this.#held = '';
		const rest = startsLine ? given.slice(end).trimStart() : given.slice(end);
		this.#isRightAfter = startsLine && rest === '';
		return [{ kind: 'text', text: before + rest }];
	}

	/** The first `length` characters as text; the others are held back. */
	#text(given: string, length: number): readonly ThinkPiece[] {
		this.#held = given.slice(length);
		const text = given.slice(0, length);
		this.#isLineStart = text === '' ? this.#isLineStart : text.endsWith('\n');
		return [{ kind: 'text', text }];
	}

	#inside(given: string): readonly ThinkPiece[] {
		const end = given.indexOf(CLOSING);
		if (end === -1) {
			const held = heldBack(given);
			this.#held = given.slice(given.length - held);
			return [{ kind: 'thinking', text: given.slice(0, given.length - held) }];
		}
		this.#state = 'after';
		const after = given.slice(end + CLOSING.length).trimStart();
		this.#isRightAfter = after === '';
		return [
			{ kind: 'thinking', text: given.slice(0, end) },
			{ kind: 'text', text: after },
		];
	}
}

/** Characters at the end that may begin the closing tag. */
function heldBack(text: string): number {
	for (let length = Math.min(CLOSING.length - 1, text.length); length > 0; length -= 1) {
		if (CLOSING.startsWith(text.slice(text.length - length))) {
			return length;
		}
	}
	return 0;
}
