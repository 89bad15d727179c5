/** Words of a piece of code that carry its meaning: parts of names and words of comments, each cut to its stem. */
import { splitCompound } from '../memory/concepts.ts';
import { cutToStem, tellingWords } from '../memory/words.ts';
import type { CodeChunk } from './chunks.ts';
import { codeIndexLimits } from './limits.ts';

/** In all languages, so they tell nothing. */
const IGNORED_KEYWORDS = new Set(
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
export function listChunkWords(path: string, { symbol, text }: CodeChunk): readonly string[] {
	const name = splitCodeWords(symbol);
	return [...splitCodeWords(path.replace(/\.\w+$/, '')), ...name, ...name, ...splitCodeWords(text)].slice(
		0,
		codeIndexLimits.wordsOfChunk,
	);
}

export function listCodeStems(text: string): readonly string[] {
	return splitCodeWords(text).map(cutToStem);
}

export function splitCodeWords(text: string): readonly string[] {
	// A name in snake case is its parts, too.
	return tellingWords(text.replaceAll(/[_\-/.]+/g, ' '))
		.flatMap(splitCompound)
		.filter(
			(word) =>
				word.length > 1 &&
				word.length <= codeIndexLimits.wordLetters &&
				!/\d{3}/.test(word) &&
				!IGNORED_KEYWORDS.has(word),
		);
}
