/** Words of a text that carry its meaning, in English and German, each cut to its stem. Deterministic, and the same on every machine. */
import { isFillerWord } from '../../base/text/filler-words.ts';

/** Longest first: the first that fits is cut off. */
const ENDINGS = [
	'ierungen', 'ierung', 'lichen', 'liche', 'ations', 'ation', 'ungen', 'ments', 'lich', 'ment', 'heit', 'keit', 'ings', 'ing', 'ung', 'ern', 'ies', 'est',
	'ers', 'ed', 'er', 'en', 'es', 'em', 'ly', 'te', 's', 'e', 'n', 't', 'y',
]; // prettier-ignore
/** Fewest letters that must remain of a word whose ending is cut off. */
const LEAST_STEM = 4;

/** Words that carry the meaning of a text, in their order. A text of other words only keeps them all. */
export function tellingWords(text: string): readonly string[] {
	const words = splitPlainWords(text);
	const telling = words.filter((word) => !isFillerWord(word) && (word.length > 1 || /\d/.test(word)));
	return telling.length === 0 ? words : telling;
}

export function cutToStem(word: string): string {
	const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= LEAST_STEM);
	return ending === undefined ? word : word.slice(0, -ending.length);
}

/** In lower case and without accents; a name in camel case is its parts and itself. */
function splitPlainWords(text: string): readonly string[] {
	const parts = text.matchAll(/[\p{L}\p{N}]+/gu);
	return [...parts].flatMap(([word]) => {
		const pieces = word.split(/(?<=\p{Ll})(?=\p{Lu})/u);
		return [...(pieces.length > 1 ? pieces : []), word].map(normalizeWord);
	});
}

function normalizeWord(word: string): string {
	return word.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
}
