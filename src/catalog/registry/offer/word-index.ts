/** Which words stand in which capabilities, written once, so that nobody has to search through what all of them say. */
import { isFormOfWord, NAME_WEIGHT, toSearchedTexts, type WordCounts } from '../../../protocol/offer/word-counts.ts';

/** In arrays that are read back in no time. */
export interface WordIndex {
	/** Each word once, in the order of its characters. */
	readonly words: readonly string[];
	/** Where the places of each word begin; one more at the end. */
	readonly starts: Uint32Array;
	/** Index of a capability above its last byte, which is how often it has the word. */
	readonly places: Uint32Array;
	/** Characters of each description that are weighed. */
	readonly lengths: Uint32Array;
}

/**
 * Number of distinct counts of one word in one capability: a place holds the capability's index times this, plus the
 * count.
 */
const COUNTS = 0x100;

export function createWordIndex(
	capabilities: readonly { readonly name: string; readonly description: string }[],
): WordIndex {
	const found = new Map<string, number[]>();
	const lengths = new Uint32Array(capabilities.length);
	for (const [index, capability] of capabilities.entries()) {
		const { name, about } = toSearchedTexts(capability);
		lengths[index] = about.length;
		const counts = new Map<string, number>();
		for (const [text, weight] of [
			[name, NAME_WEIGHT],
			[about, 1],
		] as const) {
			for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + weight);
		}
		for (const [word, count] of counts) {
			const places = found.get(word);
			const place = index * COUNTS + Math.min(count, COUNTS - 1);
			if (places === undefined) found.set(word, [place]);
			else places.push(place);
		}
	}
	const words = [...found.keys()].sort();
	const starts = new Uint32Array(words.length + 1);
	for (const [at, word] of words.entries()) starts[at + 1] = (starts[at] ?? 0) + (found.get(word)?.length ?? 0);
	const places = new Uint32Array(starts[words.length] ?? 0);
	for (const [at, word] of words.entries()) places.set(found.get(word) ?? [], starts[at]);
	return { words, starts, places, lengths };
}

export function countsOfIndex({ words: all, starts, places, lengths }: WordIndex): WordCounts {
	return {
		lengths,
		of: (words) =>
			words.map((word) => {
				const counts = new Float64Array(lengths.length);
				for (let at = firstNotBefore(all, word); all[at]?.startsWith(word) === true; at += 1) {
					// A longer one that begins the same has the place.
					const spelled = all[at] ?? '';
					if (words.find((each) => spelled.startsWith(each) && isFormOfWord(spelled, each)) !== word) continue;
					for (let place = starts[at] ?? 0; place < (starts[at + 1] ?? 0); place += 1) {
						const index = (places[place] ?? 0) >>> 8;
						counts[index] = (counts[index] ?? 0) + ((places[place] ?? 0) & 0xff);
					}
				}
				return counts;
			}),
	};
}

function firstNotBefore(sorted: readonly string[], word: string): number {
	let [low, high] = [0, sorted.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? '') < word) low = middle + 1;
		else high = middle;
	}
	return low;
}
