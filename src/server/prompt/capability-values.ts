/**
 * What each capability is worth to somebody who begins a thread, before any model is asked: how well its words match what the
 * user says (BM25), where it comes from, and whether the user names it.
 */
import type { CapabilitySummary } from '../../protocol/ops/definitions/capabilities.ts';

export interface Beginning {
	/** The user's own words. */
	readonly text: string;
	/** Files that the user shows or added. */
	readonly paths: readonly string[];
}

/** Put there for this work, by this user, or by us. */
const SOURCE_WORTH: Readonly<Record<CapabilitySummary['source'], number>> = { project: 3, global: 2, 'built-in': 1 };
/** Of so many of one source, the next is worth half: hundreds of one leave room for the others. */
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
/** What a description is about stands at its beginning. */
const READ_CHARS = 600;

export interface CapabilityValue {
	/** Above 0. */
	readonly whole: number;
	/** Where it says only how it begins: enough to know that it is there, little for one that is wanted now. */
	readonly short: number;
	/** The user names it. */
	readonly isNamed: boolean;
	/** Words of the user that its name or description has. */
	readonly words: readonly string[];
}

/** In their order. */
export function capabilityValues(capabilities: readonly CapabilitySummary[], beginning: Beginning): CapabilityValue[] {
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
	readonly words: readonly string[];
}

function matchesOf(capabilities: readonly CapabilitySummary[], words: readonly string[]): Match[] {
	if (words.length === 0) return capabilities.map(() => ({ score: 0, words: [] }));
	// A plural and other endings count as the word.
	const finder = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'gu');
	const texts = capabilities.map(({ name, description }) => ({
		name: name.toLowerCase(),
		about: description.slice(0, READ_CHARS).toLowerCase(),
	}));
	const counts = texts.map(({ name, about }) => {
		const found = new Map<string, number>();
		for (const [text, weight] of [
			[name, NAME_WEIGHT],
			[about, 1],
		] as const) {
			for (const [word] of text.matchAll(finder)) found.set(word, (found.get(word) ?? 0) + weight);
		}
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

/** Each once, without what ends a plural; the longer ones first, so that none hides another. */
function wordsOf(text: string): string[] {
	const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
	const stems = new Set(words.map((word) => (word.length > 3 ? word.replace(/(?:e?s)$/, '') : word)));
	return [...stems].slice(0, MOST_WORDS).sort((a, b) => b.length - a.length);
}
