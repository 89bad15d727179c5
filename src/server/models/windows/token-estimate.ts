/**
 * Tokens of a text without a tokenizer. The text is read as runs, much as tokenizers split it (a word ends where a capital
 * begins), and each run costs what such runs cost on average. The weights were fitted to `o200k_base` over code, lockfiles,
 * minified bundles, random text and thirty languages; `token-estimate.test.ts` holds them to it.
 */

/** Tokens of each run. */
const WEIGHTS = {
	/** Letters in lower case, by their number. */
	lower: { upTo3: 0.48, upTo7: 0.49, upTo11: 0.79, more: 1.72, eachAfter11: 0.48 },
	/** A capital with lower-case letters after it, by the number of all letters. */
	capitalized: { upTo3: 1.32, upTo8: 0.73, more: 0.59, eachAfter8: 0.36 },
	/** Capitals alone: one, or several, which words in lower case may follow. */
	capital: 0.44,
	capitals: { upTo4: 1.91, eachAfter4: 0.57, eachRepeated: 0.12 },
	/** Several capitals that are a word, as in SQL and in names of constants; longer than `LONGEST_WORD` they are none. */
	capitalWord: 1.05,
	/** Three digits of a number. */
	digits: 1.46,
	space: 0.56,
	/** Line ends, however many. */
	lineEnds: 1.32,
	/** Spaces after a line end, however many. */
	indentation: 0.42,
	/** Signs of ASCII, by their number. */
	signs: { one: 0.32, two: 1.16, more: 0.83, eachAfter3: 0.45 },
	/** A word right after a sign, and right after `_`. */
	wordAfterSign: 0.5,
	wordAfterLowLine: 0.04,
	/** Words of Greek and Cyrillic letters, and each letter; of the Cyrillic ones those that Russian does not have cost more. */
	greekWord: 0.59,
	greekLetter: 0.23,
	cyrillicWord: 0.46,
	cyrillicLetter: 0.12,
	rareCyrillicLetter: 1.9,
	/** Letters with accents: of the west and south of Europe, of the north, of the east, of Turkish and of Vietnamese. */
	latin: { western: 0.86, northern: 2.1, eastern: 1.8, turkish: 0.93, vietnamese: 0.12 },
	/** Saving for letters after a Vietnamese one: words of that language are short, and mostly known as a whole. */
	afterVietnamese: 0.45,
	han: 0.74,
	kana: 0.68,
	hangul: 0.55,
	/** Half of a character beyond the basic plane. */
	surrogate: 0.69,
	/** Hebrew, Arabic and the scripts of India. */
	abjadsAndAbugidas: 0.28,
	thai: 0.39,
	other: 0.56,
} as const;

/** Capitals of the longest word; more of them are a sequence of letters. */
const LONGEST_WORD = 16;

const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const SPACE = 3;
const LINE_END = 4;
const SIGN = 5;
const BEYOND_ASCII = 6;
const LOW_LINE = 0x5f;
const LOWER_YO = 0x451;
const UPPER_YO = 0x401;

const kindOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
	const char = String.fromCharCode(code);
	if (char >= 'a' && char <= 'z') {
		return LOWER;
	}
	if (char >= 'A' && char <= 'Z') {
		return UPPER;
	}
	return isDigitChar(char) ? DIGIT : char === ' ' || char === '\t' ? SPACE : '\r\n'.includes(char) ? LINE_END : SIGN;
});

function isDigitChar(char: string): boolean {
	return char >= '0' && char <= '9';
}

export function estimateTokens(text: string): number {
	let tokens = 0;
	let before = LINE_END;
	for (let at = 0; at < text.length;) {
		const kind = kindAt(text, at);
		const end = endOfRun(text, at, kind);
		tokens += estimateRunTokens(text, at, end, kind);
		if (before === SIGN && (kind === LOWER || kind === UPPER)) {
			tokens += text.charCodeAt(at - 1) === LOW_LINE ? WEIGHTS.wordAfterLowLine : WEIGHTS.wordAfterSign;
		}
		if (before === BEYOND_ASCII && kind === LOWER && isVietnamese(text.charCodeAt(at - 1))) {
			tokens -= WEIGHTS.afterVietnamese;
		}
		if (before === LINE_END && kind === SPACE) {
			tokens += WEIGHTS.indentation - WEIGHTS.space;
		}
		before = kind;
		at = end;
	}
	return Math.ceil(tokens);
}

function kindAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code < 128 ? (kindOfAscii[code] ?? SIGN) : BEYOND_ASCII;
}

/** A run of capitals takes the small letters after it along. */
function endOfRun(text: string, at: number, kind: number): number {
	if (kind === BEYOND_ASCII) {
		return isGreekOrCyrillic(text.charCodeAt(at)) ? endOfGreekOrCyrillic(text, at) : at + 1;
	}
	let end = at + 1;
	while (end < text.length && kindAt(text, end) === kind) {
		end += 1;
	}
	while (kind === UPPER && end < text.length && kindAt(text, end) === LOWER) {
		end += 1;
	}
	return end;
}

function estimateRunTokens(text: string, at: number, end: number, kind: number): number {
	const length = end - at;
	switch (kind) {
		case LOWER:
			return lowerCost(length);
		case UPPER:
			return upperCost(text, at, length);
		case DIGIT:
			return Math.ceil(length / 3) * WEIGHTS.digits;
		case SPACE:
			// Several spaces between words are one token with them.
			return length === 1 || kindAt(text, at - 1) === LINE_END ? WEIGHTS.space : 0;
		case LINE_END:
			return WEIGHTS.lineEnds;
		case SIGN:
			return signCost(length);
		default:
			return costBeyondAscii(text, at, end);
	}
}

function lowerCost(length: number): number {
	const { upTo3, upTo7, upTo11, more, eachAfter11 } = WEIGHTS.lower;
	if (length <= 7) {
		return length <= 3 ? upTo3 : upTo7;
	}
	return length <= 11 ? upTo11 : more + (length - 11) * eachAfter11;
}

function upperCost(text: string, at: number, length: number): number {
	if (length === 1) {
		return WEIGHTS.capital;
	}
	if (kindAt(text, at + 1) === LOWER) {
		return capitalizedCost(length);
	}
	let capitals = 2;
	while (capitals < length && kindAt(text, at + capitals) === UPPER) {
		capitals += 1;
	}
	const small = length - capitals;
	if (small > 0) {
		return capitalsCost(text, at, capitals) + capitalizedCost(small + 1);
	}
	const isWord = length <= LONGEST_WORD && !isWordPart(text, at - 1) && !isWordPart(text, at + length);
	return isWord ? WEIGHTS.capitalWord : capitalsCost(text, at, length);
}

function capitalsCost(text: string, at: number, length: number): number {
	const { upTo4, eachAfter4 } = WEIGHTS.capitals;
	return upTo4 + costOfMore(text, at + 4, at + length, eachAfter4);
}

/**
 * Returns the cost of the characters of a range. The same letter over and over, such as zeros in base64, takes few
 * tokens.
 */
function costOfMore(text: string, from: number, end: number, each: number): number {
	let cost = 0;
	for (let at = from; at < end; at += 1) {
		cost += text.charCodeAt(at) === text.charCodeAt(at - 1) ? WEIGHTS.capitals.eachRepeated : each;
	}
	return cost;
}

/** Beside such a character capitals are a part of something that is no word. */
function isWordPart(text: string, at: number): boolean {
	const char = text.charAt(at);
	return (char >= 'a' && char <= 'z') || isDigitChar(char) || char === '+' || char === '/' || char === '=';
}

function capitalizedCost(length: number): number {
	const { upTo3, upTo8, more, eachAfter8 } = WEIGHTS.capitalized;
	if (length <= 8) {
		return length <= 3 ? upTo3 : upTo8;
	}
	return more + (length - 8) * eachAfter8;
}

function signCost(length: number): number {
	const { one, two, more, eachAfter3 } = WEIGHTS.signs;
	if (length <= 2) {
		return length === 1 ? one : two;
	}
	return more + (length - 3) * eachAfter3;
}

function isGreekOrCyrillic(code: number): boolean {
	return code >= 0x370 && code < 0x530;
}

function endOfGreekOrCyrillic(text: string, at: number): number {
	let end = at + 1;
	while (end < text.length && isGreekOrCyrillic(text.charCodeAt(end))) {
		end += 1;
	}
	return end;
}

/** Returns true for letters that no other language of many writers has. */
function isVietnamese(code: number): boolean {
	return (code >= 0x1ea0 && code < 0x1f00) || code === 0x1a1 || code === 0x1b0;
}

/** First code after each block, in order, with the weight of one code in it. */
const UNICODE_BLOCKS: readonly (readonly [number, number])[] = [
	[0x590, WEIGHTS.other],
	[0xe00, WEIGHTS.abjadsAndAbugidas],
	[0xe80, WEIGHTS.thai],
	[0x1200, WEIGHTS.abjadsAndAbugidas],
	[0x1e00, WEIGHTS.other],
	[0x1f00, WEIGHTS.latin.vietnamese],
	[0x3040, WEIGHTS.other],
	[0x3100, WEIGHTS.kana],
	[0x4e00, WEIGHTS.other],
	[0xa000, WEIGHTS.han],
	[0xac00, WEIGHTS.other],
	[0xd7b0, WEIGHTS.hangul],
	[0xd800, WEIGHTS.other],
	[0xe000, WEIGHTS.surrogate],
];

/** Weight of a character by its code without the last four bits: all blocks end at a multiple of 16. */
const weightOf16 = Float32Array.from({ length: 0x1000 }, (_, at) => {
	return UNICODE_BLOCKS.find(([end]) => at << 4 < end)?.[1] ?? WEIGHTS.other;
});

const FIRST_LATIN = 0x80;
const LATIN_END = 0x250;
const NORTHERN = 'äåæøöÄÅÆØÖ';
const TURKISH = 'ğışĞİŞ';
const VIETNAMESE = 'đĩũơưĐĨŨƠƯ';
const weightOfLatin = Float32Array.from({ length: LATIN_END - FIRST_LATIN }, (_, at) => {
	const letter = String.fromCharCode(FIRST_LATIN + at);
	const { western, northern, eastern, turkish, vietnamese } = WEIGHTS.latin;
	if (NORTHERN.includes(letter)) return northern;
	if (TURKISH.includes(letter)) return turkish;
	if (VIETNAMESE.includes(letter)) return vietnamese;
	return letter < 'Ā' ? western : eastern;
});

function costBeyondAscii(text: string, at: number, end: number): number {
	const code = text.charCodeAt(at);
	if (code < LATIN_END) {
		return weightOfLatin[code - FIRST_LATIN] ?? WEIGHTS.other;
	}
	return isGreekOrCyrillic(code) ? greekOrCyrillicCost(text, at, end) : (weightOf16[code >> 4] ?? WEIGHTS.other);
}

function greekOrCyrillicCost(text: string, at: number, end: number): number {
	if (text.charCodeAt(at) < 0x400) {
		return WEIGHTS.greekWord + (end - at) * WEIGHTS.greekLetter;
	}
	let cost: number = WEIGHTS.cyrillicWord;
	for (let next = at; next < end; next += 1) {
		const code = text.charCodeAt(next);
		const isRussian = (code >= 0x410 && code < 0x450) || code === LOWER_YO || code === UPPER_YO;
		cost += isRussian ? WEIGHTS.cyrillicLetter : WEIGHTS.rareCyrillicLetter;
	}
	return cost;
}
