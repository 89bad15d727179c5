/**
 * A message as words, without any pattern: patterns with letters of all languages take milliseconds to compile, and each new
 * process pays for them again.
 */

export interface MessageWord {
	/** In lower case, without the marks around it. */
	readonly word: string;
	/** A comma, a colon or the like ends it. */
	readonly isPauseBehind: boolean;
	/** A full stop, a question or an exclamation mark ends it. */
	readonly isEndBehind: boolean;
}

/** Marks before a word, and behind it. */
const MARKS = new Set('.,;:!?…"\'“”„‚‘’()[]*_–—');
const PAUSES = new Set(',;:–—');
const SENTENCE_ENDS = new Set('.!?');

/** Code stays one word, so that nothing in it is taken for the user's. */
export function readMessageWords(text: string): readonly MessageWord[] {
	const found: MessageWord[] = [];
	for (const piece of splitAtSpaces(text)) {
		let begin = 0;
		let end = piece.length;
		while (begin < end && MARKS.has(piece.charAt(begin))) {
			begin += 1;
		}
		while (end > begin && MARKS.has(piece.charAt(end - 1))) {
			end -= 1;
		}
		const behind = piece.slice(end);
		const word = piece.slice(begin, end).toLowerCase();
		// "15." and "p.m." end no sentence.
		const mayEnd = !isDigit(word.at(-1)) && !word.includes('.');
		const isPauseBehind = [...behind].some((mark) => PAUSES.has(mark));
		const isEndBehind = [...behind].some((mark) => SENTENCE_ENDS.has(mark)) && mayEnd;
		const last = found.at(-1);
		if (word !== '') {
			found.push({ word, isPauseBehind, isEndBehind });
		} else if (last !== undefined) {
			found[found.length - 1] = {
				word: last.word,
				isPauseBehind: last.isPauseBehind || isPauseBehind,
				isEndBehind: last.isEndBehind || isEndBehind,
			};
		}
	}
	return found;
}

function splitAtSpaces(text: string): readonly string[] {
	return text
		.replaceAll('\n', ' ')
		.replaceAll('\t', ' ')
		.split(' ')
		.filter((piece) => piece !== '');
}

function isDigit(char: string | undefined): boolean {
	return char !== undefined && char >= '0' && char <= '9';
}

/** Reads "20", "two" and "drei"; undefined: no number of a time. */
export function isCountWord(word: string): boolean {
	return COUNT_WORDS.has(word) || (word.length <= 3 && word !== '' && [...word].every(isDigit));
}

const COUNT_WORDS = new Set(
	'a an one two three four five six ten fifteen thirty few couple ein eine einer einem zwei drei vier fünf sechs zehn paar'.split(
		' ',
	),
);

/** Words before an order that say only that it is one. */
const POLITE = [
	'please',
	'bitte',
	'can you',
	'could you',
	'would you',
	'will you',
	'kannst du',
	'könntest du',
	'können sie',
	'könnten sie',
	'i want you to',
	'i would like you to',
	"i'd like you to",
	'from now on',
	'ab jetzt',
	'ab sofort',
].map((words) => words.split(' '));

/** The words of an order without what is said only to be polite. */
export function withoutPoliteWords(words: readonly MessageWord[]): readonly MessageWord[] {
	const polite = POLITE.find((each) => beginsWith(words, each));
	return polite === undefined ? words : withoutPoliteWords(words.slice(polite.length));
}

export function beginsWith(words: readonly MessageWord[], wanted: readonly string[], from = 0): boolean {
	return wanted.every((word, at) => words[from + at]?.word === word);
}

/** A second sentence has more to say than the first one: then the whole message is not just one order. */
export function isOneSentence(words: readonly MessageWord[]): boolean {
	return words.slice(0, -1).every(({ isEndBehind }) => !isEndBehind);
}

export function hasAnyWord(words: readonly MessageWord[], wanted: ReadonlySet<string>): boolean {
	return words.some(({ word }) => wanted.has(word));
}
