/** A model that says the same over and over: the end of what it said is one piece, many times in a row. */
import { loopLimits } from '../limits.ts';

/** Characters at the end that are looked for before all of it is. */
const END_CHARS = 64;

/** Looks at the end of the text each time that so much has come. */
export class RepeatedText {
	#chars = 0;
	#tail = '';
	/** Text received since the last look. */
	#come = '';

	/** True once the text repeats itself, or is longer than any answer may be. */
	goesOnForEver(text: string): 'repeats' | 'long' | undefined {
		this.#chars += text.length;
		this.#come += text;
		if (this.#chars > loopLimits.answerChars) {
			return 'long';
		}
		if (this.#come.length < loopLimits.repeatedChars / 4) {
			return undefined;
		}
		this.#tail = (this.#tail + this.#come).slice(-loopLimits.repeatedChars);
		this.#come = '';
		return this.#tail.length >= loopLimits.repeatedChars && hasRepeatedEnd(this.#tail) ? 'repeats' : undefined;
	}
}

/** Nearly every text ends with what did not stand just before, and that is found out much faster. */
function hasRepeatedEnd(text: string): boolean {
	const longest = Math.floor(text.length / loopLimits.repeatedTimes);
	const before = text.slice(-longest - END_CHARS, -1);
	return before.includes(text.slice(-END_CHARS)) && computeTextPeriod(text) <= longest;
}

/** Length of the shortest piece whose repetition is the whole text, by the borders of its prefixes. */
function computeTextPeriod(text: string): number {
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
