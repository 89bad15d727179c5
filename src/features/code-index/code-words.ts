/** Words of a piece of code that carry its meaning: parts of names and words of comments, each cut to its stem. */
import { partsOf } from '../memory/concepts.ts';
import { stemOf, tellingWords } from '../memory/words.ts';
import type { Chunk } from './chunks.ts';
import { limits } from './limits.ts';

/** In all languages, so they tell nothing. */
const KEYWORDS = new Set(
	`const let var function class interface type enum export import from return await async public private protected static readonly
	void string number boolean null undefined true false def self fn func struct impl pub mut use new int char float double bool
	extends implements super throw throws else elif endif case break continue switch default package namespace module require`.split(
		/\s+/,
	),
);

/**
 * Returns the words of a place, together with its path and its name, which count more than the text. Keywords, words
 * with three digits in a row and words of more than `wordLetters` letters are left out, so none is a key.
 */
export function wordsOf(path: string, { symbol, text }: Chunk): readonly string[] {
	const name = wordsIn(symbol);
	return [...wordsIn(path.replace(/\.\w+$/, '')), ...name, ...name, ...wordsIn(text)].slice(0, limits.wordsOfChunk);
}

export function stemsOf(text: string): readonly string[] {
	return wordsIn(text).map(stemOf);
}

export function wordsIn(text: string): readonly string[] {
	// A name in snake case is its parts, too.
	return tellingWords(text.replaceAll(/[_\-/.]+/g, ' '))
		.flatMap(partsOf)
		.filter(
			(word) => word.length > 1 && word.length <= limits.wordLetters && !/\d{3}/.test(word) && !KEYWORDS.has(word),
		);
}
