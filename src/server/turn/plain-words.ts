/**
 * Words of a text, read without any pattern: each pattern takes time to compile in each new process, so what judges prompts
 * and answers looks for its words first.
 */

/** Runs of letters and digits, in lower case; every other character ends one. */
export function* readPlainWords(text: string): Generator<string> {
	const lower = text.toLowerCase();
	let start = 0;
	for (let at = 0; at <= lower.length; at += 1) {
		if (isPartOfWord(lower.charCodeAt(at))) {
			continue;
		}
		if (at > start) {
			yield lower.slice(start, at);
		}
		start = at + 1;
	}
}

export function hasPlainWord(text: string, wanted: ReadonlySet<string>): boolean {
	for (const word of readPlainWords(text)) {
		if (wanted.has(word)) {
			return true;
		}
	}
	return false;
}

/** First word that is none of those to pass over; empty: there is none, or a mark stands before it, as before code. */
export function readFirstWord(text: string, passedOver: ReadonlySet<string>): string {
	const plain = text.trimStart();
	if (!isPartOfWord(plain.toLowerCase().charCodeAt(0))) {
		return '';
	}
	for (const word of readPlainWords(plain)) {
		if (!passedOver.has(word)) {
			return word;
		}
	}
	return '';
}

/** The words of lines. */
export function toWordSet(...lines: readonly string[]): ReadonlySet<string> {
	return new Set(lines.join(' ').split(' '));
}

const [ZERO, NINE, LOWER_A, LOWER_Z, LAST_OF_ASCII] = [0x30, 0x39, 0x61, 0x7a, 0x7f];
/** Quotation marks, dashes and the like. */
const [FIRST_MARK, LAST_MARK] = [0x2000, 0x206f];

/** Behind the end of the text the code is no number. */
function isPartOfWord(code: number): boolean {
	return (
		(code >= LOWER_A && code <= LOWER_Z) ||
		(code >= ZERO && code <= NINE) ||
		(code > LAST_OF_ASCII && (code < FIRST_MARK || code > LAST_MARK))
	);
}
