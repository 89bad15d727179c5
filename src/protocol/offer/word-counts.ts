/**
 * Counts words in what capabilities say of themselves. A word stands where one begins: a plural and other endings count as the
 * word.
 */
import { isFillerWord } from '../../base/text/filler-words.ts';

/** A word of the name counts as much as so many of the description. */
export const NAME_WEIGHT = 3;
/** Characters of a description that are weighed: what it is about stands at its beginning. */
const READ_CHARS = 600;
/** More words say nothing more of what is wanted. */
const MAX_SEARCH_WORDS = 60;

export interface WordCounts {
	/** Characters of each description that are weighed. */
	readonly lengths: ArrayLike<number>;
	/** For each word, the longer ones first, how often each capability has it. At one place only the first of the words counts. */
	of(words: readonly string[]): readonly ArrayLike<number>[];
}

interface DescribedCapability {
	readonly name: string;
	readonly description: string;
}

/** The texts that are searched for words, in the form in which they are looked for. */
export function toSearchedTexts({ name, description }: DescribedCapability): {
	readonly name: string;
	readonly about: string;
} {
	return { name: name.toLowerCase(), about: description.slice(0, READ_CHARS).toLowerCase() };
}

export function countsIn(capabilities: readonly DescribedCapability[]): WordCounts {
	const texts = capabilities.map(toSearchedTexts);
	return {
		lengths: texts.map(({ about }) => about.length),
		of(words) {
			const counts = words.map(() => new Float64Array(texts.length));
			for (const [at, { name, about }] of texts.entries()) {
				countWords(name, words, NAME_WEIGHT, counts, at);
				countWords(about, words, 1, counts, at);
			}
			return counts;
		},
	};
}

/**
 * Each once, without what ends a plural and without fillers, which say nothing of what is wanted; the longer ones first, so
 * that none hides another.
 */
export function splitSearchWords(text: string): string[] {
	const words = (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter((word) => !isFillerWord(word));
	const stems = new Set(words.map((word) => (word.length > 3 ? word.replace(/(?<=[^isu])e?s$/, '') : word)));
	return [...stems].slice(0, MAX_SEARCH_WORDS).sort((a, b) => b.length - a.length);
}

function countWords(
	text: string,
	words: readonly string[],
	weight: number,
	counts: readonly Float64Array[],
	index: number,
): void {
	const taken = new Set<number>();
	for (const [which, word] of words.entries()) {
		const count = counts[which];
		for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
			if (taken.has(at) || hasWordCharBefore(text, at) || !isFormOfWord(text, word, at)) continue;
			taken.add(at);
			if (count !== undefined) count[index] = (count[index] ?? 0) + weight;
		}
	}
}

/** Words that begin too many others, as `ai` does `aim`: only they themselves and their plurals count. */
const WHOLE_WORD = /^[a-z0-9]{2}$/;

/** Returns true when the word that begins at this place counts as `word`. */
export function isFormOfWord(text: string, word: string, at = 0): boolean {
	if (!WHOLE_WORD.test(word)) return true;
	const end = at + word.length;
	return !isWordChar(text, end) || (text[end] === 's' && !isWordChar(text, end + 1));
}

function isWordChar(text: string, at: number): boolean {
	return at < text.length && /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
}

/** Returns true when a letter or digit stands before this place. */
function hasWordCharBefore(text: string, at: number): boolean {
	const code = at === 0 ? 0x20 : text.charCodeAt(at - 1);
	if (code < 0x80)
		return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
	return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
}
