/** A model that says the same over and over: the end of what it said is one piece, many times in a row. */
import { limits } from './limits.ts';

/** Looks at the end of the text each time that so much has come. */
export class RepeatedText {
	#chars = 0;
	#tail = '';
	#sinceLook = 0;

	/** True once the text repeats itself, or is longer than any answer may be. */
	goesOnForEver(text: string): 'repeats' | 'long' | undefined {
		this.#chars += text.length;
		this.#sinceLook += text.length;
		this.#tail = (this.#tail + text).slice(-limits.repeatedChars);
		if (this.#chars > limits.answerChars) {
			return 'long';
		}
		if (this.#sinceLook < limits.repeatedChars / 4 || this.#tail.length < limits.repeatedChars) {
			return undefined;
		}
		this.#sinceLook = 0;
		return periodOf(this.#tail) * limits.repeatedTimes <= this.#tail.length ? 'repeats' : undefined;
	}
}

/** Length of the shortest piece whose repetition is the whole text, by the borders of its prefixes. */
function periodOf(text: string): number {
	const borders = new Int32Array(text.length);
	let border = 0;
	for (let at = 1; at < text.length; at += 1) {
		while (border > 0 && text[at] !== text[border]) {
			border = borders[border - 1] ?? 0;
		}
		if (text[at] === text[border]) {
			border += 1;
		}
		borders[at] = border;
	}
	return text.length - border;
}
