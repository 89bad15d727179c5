/**
 * Redacts text that arrives in pieces. Text that could be the beginning of a secret is held back until it is clear: an
 * unfinished line, an unfinished key block, the first lines of a known value. `end` gives out the rest.
 */
import type { SecretFinding } from './findings.ts';
import { MAX_HELD_CHARS, MAX_HELD_LINE_CHARS } from './limits.ts';

/** Redaction of a text that is there as a whole. */
export interface WholeTexts {
	redact(text: string): string;
	find(text: string): readonly SecretFinding[];
	/** Known values of more than one line. */
	readonly multiLineValues: readonly string[];
}

export class RedactedStream {
	readonly #redactor: WholeTexts;
	#held = '';

	constructor(redactor: WholeTexts) {
		this.#redactor = redactor;
	}

	/** Adds a piece and returns the text that may be shown so far; possibly empty. */
	push(chunk: string): string {
		this.#held += chunk;
		const cut = this.#safeCut();
		const out = this.#held.slice(0, cut);
		this.#held = this.#held.slice(cut);
		return this.#redactor.redact(out);
	}

	end(): string {
		const out = this.#held;
		this.#held = '';
		return this.#redactor.redact(out);
	}

	#safeCut(): number {
		const held = this.#held;
		let cut = Math.max(held.lastIndexOf('\n'), held.lastIndexOf('\r')) + 1;
		if (held.length - cut > MAX_HELD_LINE_CHARS) {
			cut = Math.max(cut, held.lastIndexOf(' ', held.length - MAX_HELD_LINE_CHARS) + 1);
		}
		// Something that long is no secret we know of; holding on would only cost memory.
		if (held.length - cut > MAX_HELD_CHARS) {
			cut = held.length - MAX_HELD_LINE_CHARS;
		}
		const block = this.#openBlockStart() ?? held.length;
		if (held.length - block <= MAX_HELD_CHARS) {
			cut = Math.min(cut, block);
		}
		for (const { start, end } of this.#redactor.find(held)) {
			if (start < cut && end > cut) {
				cut = start;
			}
		}
		return held.length - cut > 2 * MAX_HELD_CHARS ? held.length : cut;
	}

	/** Start of a key block that has not ended, or of a known value of several lines of which only the first are here. */
	#openBlockStart(): number | undefined {
		const held = this.#held;
		const starts: number[] = [];
		const begin = held.lastIndexOf('-----BEGIN ');
		if (begin >= 0 && !/-----END [A-Z0-9 ]{1,60}-----/.test(held.slice(begin))) {
			starts.push(begin);
		}
		for (const value of this.#redactor.multiLineValues) {
			const at = held.lastIndexOf(value.slice(0, value.indexOf('\n')).trimEnd() || '\n');
			if (at >= 0 && at + value.length > held.length) {
				starts.push(at);
			}
		}
		return starts.length === 0 ? undefined : Math.min(...starts);
	}
}
