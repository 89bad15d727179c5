/** Which encoding a text without a mark is in, as far as its bytes tell. A wrong guess loses nothing: the bytes come back as they were. */
import { type GuessedScript, LETTER_SCRIPTS, measureFrequentShare } from './frequent-characters.ts';
import { decodeLegacy, SHIFT_JIS_NEC } from './legacy-encoding.ts';

interface Guess {
	readonly text: string;
	readonly encoding: string;
	/** Encodings that may be meant instead, in which a new character could become another one; empty: any. Absent: none. */
	readonly others?: readonly string[];
}

/** Characters of control that no text has; a form feed and an escape are in some. */
const NON_TEXT_CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
const NOT_ASCII = /[^\0-\x7f]/g;
/** Bytes that windows-1252 leaves undefined. */
const UNDEFINED_IN_1252 = /[\x81\x8d\x8f\x90\x9d]/;
/** Letters with accents are rarer than the others; where they are not, it is the text of another alphabet. */
const ACCENT_SHARE = 0.4;
/** Share of a script's frequent characters from which its encoding comes before windows-1252. */
const SURE_SHARE = 0.6;
/** Share of a script with an alphabet: nearly all of its letters are frequent. */
const SURE_LETTERS = 0.85;
/** Fewer bytes beyond ASCII may be of other encodings by chance. */
const SURE_BYTES = 16;
/** Lead of a guess that is sure over the next one. */
const SURE_LEAD = 0.15;
/** A lower share means nothing. */
const LEAST_SHARE = 0.4;

/** Encodings that are guessed, with the script of their texts; windows-1252 is judged apart. */
const GUESSED: readonly (readonly [encoding: string, script: GuessedScript])[] = [
	['gb18030', 'hans'],
	['big5', 'hant'],
	['shift_jis', 'japanese'],
	['euc-jp', 'japanese'],
	['euc-kr', 'korean'],
	['windows-1251', 'cyrillic'],
	['koi8-r', 'cyrillic'],
	['ibm866', 'cyrillic'],
	['windows-1253', 'greek'],
	['windows-1255', 'hebrew'],
	['windows-1256', 'arabic'],
	['windows-874', 'thai'],
];
/** Characters beyond ASCII of western texts: letters with accents, and signs. */
const WESTERN = /^[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e]$/;
const WESTERN_SIGN =
	/^[\u00a0\u00a1\u00a3\u00a5\u00a7\u00a9\u00ab\u00ae\u00b0-\u00b3\u00b5\u00b7\u00bb-\u00bf\u00d7\u00f7\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]$/;
/** Longer runs of characters beyond ASCII are of another script. */
const WESTERN_RUN = 2;
/** Share of NULs at one side of the pairs of a text in Latin letters as UTF-16. */
const NUL_SHARE = 0.4;

/** `usual`: what the editor takes for a text that says nothing. Undefined: not text, or in an encoding that nobody names. */
export function guessEncoding(bytes: Buffer, usual: string | undefined): Guess | undefined {
	if (bytes.includes(0)) {
		return guessUtf16(bytes);
	}
	const named = usual === undefined ? undefined : decodeAs(bytes, usual);
	if (named !== undefined && !NON_TEXT_CONTROLS.test(named.text)) {
		return named;
	}
	// Tolerate damaged UTF-8 to the same extent as a plain UTF-8 reader: another encoding would damage the text
	// further.
	const lenient = new TextDecoder('utf-8').decode(bytes);
	const damaged = countMatches(lenient, /\ufffd/g);
	if (NON_TEXT_CONTROLS.test(lenient) || countMatches(lenient, NOT_ASCII) - damaged > damaged) {
		return undefined;
	}
	return guessScript(bytes);
}

/**
 * True when some pairs of bytes begin with a NUL and others end with one: the bytes are then not UTF-16 in Latin
 * letters.
 */
export function hasNulsOnBothSides(bytes: Buffer): boolean {
	const first = bytes.indexOf(0);
	let next = first;
	while (next !== -1 && next % 2 === first % 2) {
		next = bytes.indexOf(0, next + 1);
	}
	return next !== -1;
}

/** Without a mark, by the NULs in each pair. */
function guessUtf16(bytes: Buffer): Guess | undefined {
	if (bytes.length % 2 !== 0 || hasNulsOnBothSides(bytes)) {
		return undefined;
	}
	const pairs = bytes.length / 2;
	const nuls = [0, 0];
	for (const [index, byte] of bytes.entries()) {
		nuls[index % 2] = (nuls[index % 2] ?? 0) + (byte === 0 ? 1 : 0);
	}
	const [even = 0, odd = 0] = nuls;
	const label =
		even === 0 && odd >= pairs * NUL_SHARE ? 'utf-16le' : odd === 0 && even >= pairs * NUL_SHARE ? 'utf-16be' : '';
	if (label === '') {
		return undefined;
	}
	try {
		const text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
		return NON_TEXT_CONTROLS.test(text) ? undefined : { text, encoding: `${label}-bare` };
	} catch {
		// Half a surrogate: no text.
		return undefined;
	}
}

function guessScript(bytes: Buffer): Guess | undefined {
	const sample = sampleLines(bytes);
	const [best, next] = listGuesses(sample);
	const decoded = best === undefined ? undefined : decodeAs(bytes, best.encoding);
	if (
		best !== undefined &&
		decoded !== undefined &&
		!NON_TEXT_CONTROLS.test(decoded.text) &&
		best.share >= LEAST_SHARE
	) {
		const { text, encoding } = decoded;
		if (best.share < best.sureShare || best.share - (next?.share ?? 0) < SURE_LEAD) {
			return { text, encoding, others: [] };
		}
		// A text of western letters is also one of Central European or Turkish letters.
		if (encoding === WESTERN_ENCODING) {
			return { text, encoding, others: ['windows-1250', 'windows-1254'] };
		}
		const isLong = sample.filter((byte) => byte > LAST_ASCII).length >= SURE_BYTES;
		return { text, encoding, ...(isLong && !isInOneCase(text) ? {} : { others: [] }) };
	}
	const western = decodeWestern(bytes);
	const isWestern = western !== undefined && countMatches(western, NOT_ASCII) <= western.length * ACCENT_SHARE;
	return isWestern ? { text: western, encoding: WESTERN_ENCODING, others: [] } : undefined;
}

const WESTERN_ENCODING = 'windows-1252';

/** Cyrillic in small letters only: the same bytes are capitals in another of its encodings. */
function isInOneCase(text: string): boolean {
	return /\p{Script=Cyrillic}/u.test(text) && !/(?=\p{Lu})\p{Script=Cyrillic}/u.test(text);
}

function decodeAs(bytes: Buffer, label: string): Guess | undefined {
	for (const encoding of label === 'shift_jis' ? [label, SHIFT_JIS_NEC] : [label]) {
		const text = decodeLegacy(bytes, encoding);
		if (text !== undefined) {
			return { text, encoding };
		}
	}
	return undefined;
}

interface EncodingGuess {
	readonly encoding: string;
	readonly share: number;
	/** From this share on the guess may be sure. */
	readonly sureShare: number;
}

/** Bytes from which an encoding is guessed. */
const SAMPLE_BYTES = 32_768;

/** The first part that holds something beyond ASCII; it begins and ends between two characters. */
function sampleLines(bytes: Buffer): Buffer {
	let first = 0;
	while (first < bytes.length && (bytes[first] ?? 0) <= LAST_ASCII) {
		first += 1;
	}
	const start = bytes.lastIndexOf(LINE_FEED, first) + 1;
	const from = first - start > SAMPLE_BYTES ? first : start;
	let end = from + SAMPLE_BYTES;
	if (end >= bytes.length) {
		return bytes.subarray(from);
	}
	while (end > first && (bytes[end - 1] ?? 0) >= FIRST_WITHIN) {
		end -= 1;
	}
	return bytes.subarray(from, end > first ? end : bytes.length);
}

const LAST_ASCII = 0x7f;
const LINE_FEED = 0x0a;
/** Lower bytes are no part of a character of several. */
const FIRST_WITHIN = 0x30;

/** The encodings that the bytes may be in, the likeliest first. */
function listGuesses(bytes: Buffer): EncodingGuess[] {
	const western = decodeWestern(bytes);
	const guesses: EncodingGuess[] =
		western === undefined
			? []
			: [{ encoding: WESTERN_ENCODING, share: measureWesternShare(western), sureShare: SURE_SHARE }];
	for (const [encoding, script] of GUESSED) {
		const text = decodeAs(bytes, encoding)?.text;
		if (text !== undefined && !NON_TEXT_CONTROLS.test(text)) {
			const sureShare = LETTER_SCRIPTS.has(script) ? SURE_LETTERS : SURE_SHARE;
			guesses.push({ encoding, share: measureFrequentShare(text, script), sureShare });
		}
	}
	return guesses.sort((a, b) => b.share - a.share);
}

function decodeWestern(bytes: Buffer): string | undefined {
	return UNDEFINED_IN_1252.test(bytes.toString('latin1')) ? undefined : decodeLegacy(bytes, WESTERN_ENCODING);
}

/** Share of the characters beyond ASCII that stand as in a western text: one or two between others. */
function measureWesternShare(written: string): number {
	// A capital within a word is no letter of it.
	const text = written.replaceAll(/(?<=\p{Ll})[\u00c0-\u00de]/gu, '\u0080');
	const runs = text.match(/[^\0-\x7f]+/g) ?? [];
	const all = runs.reduce((sum, run) => sum + run.length, 0);
	const fitting = runs
		.filter((run) => run.replaceAll('\u00a0', '').length <= WESTERN_RUN)
		.flatMap((run) => Array.from(run))
		.filter((each) => WESTERN.test(each) || WESTERN_SIGN.test(each)).length;
	return all === 0 ? 0 : fitting / all;
}

function countMatches(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}
