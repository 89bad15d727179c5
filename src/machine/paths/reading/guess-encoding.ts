/** Which encoding a text without a mark is in, as far as its bytes tell. A wrong guess loses nothing: the bytes come back as they were. */
import { decodeLegacy } from './legacy-encoding.ts';

interface Guess {
	readonly text: string;
	readonly encoding: string;
}

/** Characters of control that no text has; a form feed and an escape are in some. */
const NON_TEXT_CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
const KANA = /[\u3040-\u30ff]/g;
const NOT_ASCII = /[^\0-\x7f]/g;
/** Bytes that windows-1252 leaves undefined. */
const UNDEFINED_IN_1252 = /[\x81\x8d\x8f\x90\x9d]/;
/** At least this share of the characters of a Japanese text beyond ASCII is kana. */
const KANA_SHARE = 0.2;
/** Letters with accents are rarer than the others; where they are not, it is the text of another alphabet. */
const ACCENT_SHARE = 0.4;
/** Share of NULs at one side of the pairs of a text in Latin letters as UTF-16. */
const NUL_SHARE = 0.4;

/** `usual`: what the editor takes for a text that says nothing. Undefined: not text, or in an encoding that nobody names. */
export function guessEncoding(bytes: Buffer, usual: string | undefined): Guess | undefined {
	if (bytes.includes(0)) {
		return guessUtf16(bytes);
	}
	const named = usual === undefined ? undefined : decodeLegacy(bytes, usual);
	if (usual !== undefined && named !== undefined && !NON_TEXT_CONTROLS.test(named)) {
		return { text: named, encoding: usual };
	}
	// Tolerate damaged UTF-8 to the same extent as a plain UTF-8 reader: another encoding would damage the text
	// further.
	const lenient = new TextDecoder('utf-8').decode(bytes);
	const damaged = countMatches(lenient, /\ufffd/g);
	if (NON_TEXT_CONTROLS.test(lenient) || countMatches(lenient, NOT_ASCII) - damaged > damaged) {
		return undefined;
	}
	return guessJapanese(bytes) ?? guessWestern(bytes);
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

function guessJapanese(bytes: Buffer): Guess | undefined {
	const guesses = ['shift_jis', 'euc-jp'].flatMap((encoding) => {
		const text = decodeLegacy(bytes, encoding);
		const kana = text === undefined ? 0 : countMatches(text, KANA);
		return text !== undefined && kana > 1 && kana >= countMatches(text, NOT_ASCII) * KANA_SHARE
			? [{ text, encoding, kana }]
			: [];
	});
	const [best] = guesses.sort((a, b) => b.kana - a.kana);
	return best === undefined ? undefined : { text: best.text, encoding: best.encoding };
}

function guessWestern(bytes: Buffer): Guess | undefined {
	const raw = bytes.toString('latin1');
	if (UNDEFINED_IN_1252.test(raw) || countMatches(raw, NOT_ASCII) > raw.length * ACCENT_SHARE) {
		return undefined;
	}
	const text = decodeLegacy(bytes, 'windows-1252');
	return text === undefined ? undefined : { text, encoding: 'windows-1252' };
}

function countMatches(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}
