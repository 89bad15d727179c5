/**
 * Values capabilities for somebody who begins a thread, before any model is asked: how well its words match what the
 * user says (BM25), where it comes from, and whether the user names it.
 */
import type { CapabilityValue } from './capability-value.ts';
import type { CapabilitySummary } from '../ops/definitions/capabilities.ts';

export interface Beginning {
	/** The user's own words. */
	readonly text: string;
	/** Files that the user shows or added. */
	readonly paths: readonly string[];
}

/** Put there for this work, by this user, or by us. */
const SOURCE_WORTH: Readonly<Record<CapabilitySummary['source'], number>> = { project: 3, global: 2, 'built-in': 1 };
/** Halves the worth of the next one after so many of one source: hundreds of one leave room for the others. */
const HALF_AFTER = 20;
/** The best match, beside its source. */
const MATCH_WORTH = 8;
const NAMED_WORTH = 1_000;
const SHORT_SHARE = 0.6;
const SHORT_SHARE_WANTED = 0.25;
/** A word of the name counts as much as so many of the description. */
const NAME_WEIGHT = 3;

/** As in the literature: how soon a word that is repeated says no more, and how much a long text is discounted. */
const K1 = 1.2;
const B = 0.75;
/** More words say nothing more of what is wanted. */
const MOST_WORDS = 60;
/** Characters of a description that are weighed: what it is about stands at its beginning. */
const READ_CHARS = 600;

type Valued = Pick<CapabilitySummary, 'name' | 'type' | 'source' | 'description'>;

/** The workspace's go first: they were put there for this work. */
const SOURCES = ['project', 'global', 'built-in'] as const;

/** By source, type and name, as they are told and valued. */
export function inTellingOrder<Item extends Valued>(capabilities: readonly Item[]): Item[] {
	const keyed = capabilities.map((each) => ({
		each,
		rank: SOURCES.indexOf(each.source),
		key: `${each.type}/${each.name}`,
	}));
	keyed.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
	return keyed.map(({ each }) => each);
}

/** The `count` of most value, in their order, each with its value among all. */
export function mostValuable<Item extends Valued>(
	capabilities: readonly Item[],
	beginning: Beginning,
	count: number,
): { readonly best: Item[]; readonly values: CapabilityValue[] } {
	const sorted = inTellingOrder(capabilities);
	const values = capabilityValues(sorted, beginning);
	const least = values.map(({ whole }) => whole).sort((a, b) => b - a)[count - 1] ?? 0;
	const chosen = sorted.flatMap((item, at) => {
		const value = values[at];
		return value === undefined || value.whole < least ? [] : [{ item, value }];
	});
	return { best: chosen.map(({ item }) => item), values: chosen.map(({ value }) => value) };
}

/** In their order, which is that in which they would be told. */
export function capabilityValues(capabilities: readonly Valued[], beginning: Beginning): CapabilityValue[] {
	const matches = matchesOf(capabilities, wordsOf([beginning.text, ...beginning.paths].join(' ')));
	const best = Math.max(...matches.map(({ score }) => score), 0);
	const seen = new Map<string, number>();
	const said = ` ${beginning.text.toLowerCase()} `;
	return capabilities.map(({ source, type, name }, index) => {
		const rank = seen.get(source) ?? 0;
		seen.set(source, rank + 1);
		const base = (SOURCE_WORTH[source] * HALF_AFTER) / (HALF_AFTER + rank);
		const { score = 0, words = [] } = matches[index] ?? {};
		const match = best === 0 ? 0 : (score / best) * MATCH_WORTH;
		const isNamed = [`/${name}`, `${type}/${name}`].some((each) => hasName(said, each.toLowerCase()));
		const wanted = match + (isNamed ? NAMED_WORTH : 0);
		const short = base * SHORT_SHARE + wanted * SHORT_SHARE_WANTED;
		return { whole: base + wanted, short, isNamed, words };
	});
}

function hasName(said: string, name: string): boolean {
	for (let at = said.indexOf(name); at !== -1; at = said.indexOf(name, at + 1)) {
		if (!/[\p{L}\p{N}_-]/u.test(said[at + name.length] ?? ' ') && !/[\p{L}\p{N}_/-]/u.test(said[at - 1] ?? ' '))
			return true;
	}
	return false;
}

interface Match {
	readonly score: number;
	readonly words: string[];
}

function matchesOf(capabilities: readonly Valued[], words: readonly string[]): Match[] {
	if (words.length === 0) return capabilities.map(() => ({ score: 0, words: [] }));
	const texts = capabilities.map(({ name, description }) => ({
		name: name.toLowerCase(),
		about: description.slice(0, READ_CHARS).toLowerCase(),
	}));
	const counts = texts.map(({ name, about }) => {
		const found = new Map<string, number>();
		countWords(name, words, NAME_WEIGHT, found);
		countWords(about, words, 1, found);
		return found;
	});
	const average = texts.reduce((sum, { about }) => sum + about.length, 0) / texts.length || 1;
	const rarity = new Map(
		words.map((word) => {
			const having = counts.filter((found) => found.has(word)).length;
			return [word, Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))];
		}),
	);
	return counts.map((found, index) => {
		const length = K1 * (1 - B + (B * (texts[index]?.about.length ?? 0)) / average);
		const score = [...found].reduce(
			(sum, [word, count]) => sum + ((rarity.get(word) ?? 0) * count * (K1 + 1)) / (count + length),
			0,
		);
		return { score, words: [...found.keys()] };
	});
}

/**
 * Adds how often a word stands where one begins: a plural and other endings count as the word. At one place only the first of
 * the words counts, so the longer ones come first.
 */
function countWords(text: string, words: readonly string[], weight: number, found: Map<string, number>): void {
	const taken = new Set<number>();
	for (const word of words) {
		for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
			if (taken.has(at) || isInWord(text, at)) continue;
			taken.add(at);
			found.set(word, (found.get(word) ?? 0) + weight);
		}
	}
}

/** Whether a letter or digit stands before it. */
function isInWord(text: string, at: number): boolean {
	const code = at === 0 ? 0x20 : text.charCodeAt(at - 1);
	if (code < 0x80)
		return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
	return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
}

/** Each once, without what ends a plural; the longer ones first, so that none hides another. */
function wordsOf(text: string): string[] {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
	const stems = new Set(words.map((word) => (word.length > 3 ? word.replace(/(?:e?s)$/, '') : word)));
	return [...stems].slice(0, MOST_WORDS).sort((a, b) => b.length - a.length);
}
