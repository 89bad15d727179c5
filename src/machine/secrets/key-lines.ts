/**
 * Strikes out the lines of private keys in a text as it comes in, so that no part that is cut from it later shows one: what
 * is left of a key without its first line looks like any other data. All lines stay lines, so their numbers stay, too.
 */

const keyBeginMark = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Longest mark that `keyBeginMark` finds. */
const MARK_CHARS = 80;
/** Characters of a key, including those of quotes, a diff, or line numbers around it. */
const body = /(?:[A-Za-z0-9+/=\s\\:,]|-(?!----))*/y;
/** Shorter bodies are not a key: the mark stands in a sentence, or in a program. */
const LEAST_KEY_CHARS = 40;
/** Longer bodies are not one key: treat the text as outside of a key. */
const MOST_KEY_CHARS = 32_000;
const STRUCK_OUT = '<redacted:private-key>';

export class KeyLines {
	/** The end of what came before, where a mark may have begun. */
	#before = '';
	/** Undefined outside of keys; else how much of one has come. */
	#keyChars: number | undefined;
	/** The beginning of what may be a key, until that is clear. */
	#held = '';
	/** At the end of a piece, these may belong to the mark that ends a key. */
	#dashes = '';
	#isLineStruckOut = false;

	/** Adds a piece of text and returns the text that may be shown at this point. */
	push(text: string): string {
		let shown = '';
		let rest = this.#dashes + text;
		this.#dashes = '';
		while (rest !== '') {
			const taken = this.#keyChars === undefined ? this.#toKey(rest) : this.#toEndOfKey(rest);
			shown += taken.shown;
			rest = taken.rest;
		}
		return shown;
	}

	/** Ends the text and returns the part that was held back; a held part of a key is struck out. */
	end(): string {
		const held = this.#held;
		this.#leave();
		// Cut off in its first line, a key is still one.
		return held.trim() === '' ? held : STRUCK_OUT;
	}

	#toKey(text: string): Taken {
		const mark = keyBeginMark.exec(this.#before + text);
		if (mark === null) {
			this.#before = (this.#before + text).slice(-MARK_CHARS);
			return { shown: text, rest: '' };
		}
		const end = mark.index + mark[0].length - this.#before.length;
		this.#before = '';
		this.#keyChars = 0;
		return { shown: text.slice(0, end), rest: text.slice(end) };
	}

	#toEndOfKey(text: string): Taken {
		body.lastIndex = 0;
		const inKey = body.exec(text)?.[0] ?? '';
		const hasEnded = inKey.length < text.length;
		this.#dashes = hasEnded ? '' : (/-+$/.exec(inKey)?.[0] ?? '');
		const part = inKey.slice(0, inKey.length - this.#dashes.length);
		this.#keyChars = (this.#keyChars ?? 0) + part.length;
		let shown = '';
		if (this.#keyChars >= LEAST_KEY_CHARS) {
			shown = this.#struckOut(this.#held + part);
			this.#held = '';
		} else {
			this.#held += part;
		}
		if (hasEnded || this.#keyChars > MOST_KEY_CHARS) {
			shown += this.#held;
			this.#leave();
		}
		return { shown, rest: text.slice(inKey.length) };
	}

	#struckOut(text: string): string {
		const lines = text.split('\n').map((line, at) => {
			this.#isLineStruckOut &&= at === 0;
			if (line.trim() === '' || this.#isLineStruckOut) {
				return '';
			}
			this.#isLineStruckOut = true;
			return STRUCK_OUT;
		});
		return lines.join('\n');
	}

	#leave(): void {
		this.#keyChars = undefined;
		this.#held = '';
		this.#isLineStruckOut = false;
	}
}

interface Taken {
	readonly shown: string;
	readonly rest: string;
}

/** Strikes out the key lines of a complete text. */
export function withoutKeyLines(text: string): string {
	const lines = new KeyLines();
	return keyBeginMark.test(text) ? lines.push(text) + lines.end() : text;
}
