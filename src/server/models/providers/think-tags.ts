/**
 * Reasoning that a model writes into its text: `<think>…</think>` at the very beginning of an answer. Anywhere else the tag is
 * text, as in an answer about such tags.
 */

interface ThinkPiece {
	readonly kind: 'text' | 'thinking';
	readonly text: string;
}

const OPENING = '<think>';
const CLOSING = '</think>';

export class ThinkTags {
	#state: 'beginning' | 'inside' | 'after' = 'beginning';
	/** Characters that may be the beginning of a tag. */
	#held = '';

	/** True when the rest of the answer is text. */
	get isOver(): boolean {
		return this.#state === 'after';
	}

	/** Returns the pieces of the answer that are clear so far; holds back a possible beginning of a tag. */
	split(text: string): readonly ThinkPiece[] {
		if (this.#state === 'after') {
			return [{ kind: 'text', text }];
		}
		const given = this.#held + text;
		this.#held = '';
		return this.#state === 'beginning' ? this.#begin(given) : this.#inside(given);
	}

	/** Returns the text that was held back; for the end of the answer. */
	rest(): readonly ThinkPiece[] {
		const held = this.#held;
		this.#held = '';
		return held === '' ? [] : [{ kind: this.#state === 'inside' ? 'thinking' : 'text', text: held }];
	}

	#begin(given: string): readonly ThinkPiece[] {
		const start = given.trimStart();
		if (start.length < OPENING.length && OPENING.startsWith(start)) {
			this.#held = given;
			return [];
		}
		if (!start.startsWith(OPENING)) {
			this.#state = 'after';
			return [{ kind: 'text', text: given }];
		}
		this.#state = 'inside';
		return this.#inside(start.slice(OPENING.length));
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
