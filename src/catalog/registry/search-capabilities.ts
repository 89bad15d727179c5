/** Finds capabilities by words, as somebody looks for them who does not know their names. */
import type { CapabilityManifest } from '../../protocol/capability/manifest.ts';

type SearchedCapability = Pick<CapabilityManifest, 'name' | 'type' | 'description' | 'tags'>;

/** Worth of a word that was found, by its place. */
const WORTH = { name: 8, partOfName: 4, tag: 4, description: 2, partOfDescription: 1 } as const;

/**
 * Returns the capabilities that contain at least one word of `query`, best first. A query without words returns all of
 * them, in the order given.
 */
export function searchCapabilities<T>(
	all: readonly T[],
	query: string,
	described: (each: T) => SearchedCapability,
): T[] {
	const words = [...new Set(splitQueryWords(query))];
	if (words.length === 0) {
		return [...all];
	}
	return all
		.map((each) => ({ each, ...weighCapability(described(each), words) }))
		.filter(({ found }) => found > 0)
		.sort((a, b) => b.found - a.found || b.worth - a.worth)
		.map(({ each }) => each);
}

/** Counts the words of the query that a capability contains, and sums up their worth. */
function weighCapability({ name, type, description, tags }: SearchedCapability, words: readonly string[]) {
	const nameText = `${type}/${name}`.toLowerCase();
	const nameWords = new Set(splitQueryWords(nameText));
	const tagWords = new Set(tags.flatMap(splitQueryWords));
	const descriptionText = description.toLowerCase();
	const descriptionWords = new Set(splitQueryWords(descriptionText));
	const worths = words.map((word) =>
		Math.max(
			nameWords.has(word) ? WORTH.name : nameText.includes(word) ? WORTH.partOfName : 0,
			tagWords.has(word) ? WORTH.tag : 0,
			descriptionWords.has(word) ? WORTH.description : descriptionText.includes(word) ? WORTH.partOfDescription : 0,
		),
	);
	return {
		found: worths.filter((worth) => worth > 0).length,
		worth: worths.reduce((sum, worth) => sum + worth, 0),
	};
}

function splitQueryWords(text: string): string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
