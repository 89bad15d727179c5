/**
 * Values capabilities for somebody who begins a thread, before any model is asked: how well its words match what the
 * user says (BM25), where it comes from, how often it was used in this project, and whether the user names it.
 */
import { type CapabilityUse, type CapabilityValue, NOTHING_USED, type UsedHere } from '../ops/capability-value.ts';
import type { CapabilitySummary } from '../capability/capability-ops.ts';
import { resolveRequirements } from './requirements.ts';
import { countsIn, type WordCounts, splitSearchWords } from './word-counts.ts';

export interface OpeningMessage {
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
/** Worth of one that is used in this project time and again; one use just now is worth half of it. */
const USED_WORTH = 6;
const NAMED_WORTH = 1_000;
const SHORT_SHARE = 0.6;
const SHORT_SHARE_WANTED = 0.25;

/**
 * Parameters of BM25 with the values of the literature: how soon a repeated word says no more, and how much a long text
 * is discounted.
 */
const K1 = 1.2;
const B = 0.75;

type NamedSummary = Pick<CapabilitySummary, 'name' | 'type' | 'source' | 'requires'>;
type Valued = NamedSummary & Pick<CapabilitySummary, 'description'>;

/** The workspace's go first: they were put there for this work. */
const SOURCE_ORDER = ['project', 'global', 'built-in'] as const;

/** Sorts capabilities by source, type and name: the order in which they are told and valued. */
export function inTellingOrder<Item extends Valued>(capabilities: readonly Item[]): Item[] {
	const keyed = capabilities.map((each) => ({
		each,
		rank: SOURCE_ORDER.indexOf(each.source),
		key: `${each.type}/${each.name}`,
	}));
	keyed.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
	return keyed.map(({ each }) => each);
}

/** The `count` of most value, in their order, each with its value among all. */
export function mostValuable<Item extends Valued>(
	capabilities: readonly Item[],
	beginning: OpeningMessage,
	count: number,
	used: UsedHere = NOTHING_USED,
): { readonly best: Item[]; readonly values: CapabilityValue[] } {
	const sorted = inTellingOrder(capabilities);
	const { at, values } = pickShelfPlaces(createShelf(sorted), beginning, count, used);
	return { best: at.flatMap((index) => sorted[index] ?? []), values };
}

/** Capabilities in the order in which they are told, as far as one has to know them to value them. */
export interface CapabilityShelf {
	readonly counts: WordCounts;
	/** So many of one source, then so many of the next. */
	readonly sources: readonly (readonly [source: CapabilitySummary['source'], count: number])[];
	/** Only asked for when the user may name one, or has used some. */
	names(): readonly Pick<NamedSummary, 'type' | 'name'>[];
	/** Places of what they need, by the places of those that need others. */
	readonly needs: ReadonlyMap<number, readonly number[]>;
}

/**
 * Returns the places on a shelf of the `count` of most value, with their values. Capabilities that they need are among
 * them.
 */
export function pickShelfPlaces(
	shelf: CapabilityShelf,
	beginning: OpeningMessage,
	count: number,
	used: UsedHere = NOTHING_USED,
): { readonly at: number[]; readonly values: CapabilityValue[] } {
	const worth = new Worth(shelf, beginning, used);
	const least = worth.whole.toSorted().at(-count) ?? 0;
	const at: number[] = [];
	const needed = new Set<number>();
	for (const [index, others] of shelf.needs) {
		if ((worth.whole[index] ?? 0) >= least) for (const each of others) needed.add(each);
	}
	for (const [index, whole] of worth.whole.entries()) if (whole >= least || needed.has(index)) at.push(index);
	return { at, values: at.map((index) => worth.of(index)) };
}

/** In their order, which is that in which they would be told. */
export function capabilityValues(
	capabilities: readonly Valued[],
	beginning: OpeningMessage,
	used: UsedHere = NOTHING_USED,
): CapabilityValue[] {
	const worth = new Worth(createShelf(capabilities), beginning, used);
	return capabilities.map((_, index) => worth.of(index));
}

/** Values all in a few arrays of numbers: there may be thousands, of which few are told. */
class Worth {
	readonly whole: Float64Array;
	readonly #base: Float64Array;
	readonly #named = new Set<number>();
	readonly #used = new Map<number, CapabilityUse>();
	readonly #words: readonly string[];
	readonly #counts: readonly ArrayLike<number>[];

	constructor({ counts, sources, names }: CapabilityShelf, beginning: OpeningMessage, used: UsedHere) {
		this.#words = splitSearchWords([beginning.text, ...beginning.paths].join(' '));
		this.#counts = counts.of(this.#words);
		const scores = computeMatchScores(counts.lengths, this.#counts);
		const best = scores.reduce((most, score) => Math.max(most, score), 0);
		const said = ` ${beginning.text.toLowerCase()} `;
		const mayName = said.includes('/');
		for (const [index, { type, name }] of mayName || used.size > 0 ? names().entries() : []) {
			const use = used.size === 0 ? undefined : used.get(`${type}/${name}`);
			if (use !== undefined) this.#used.set(index, use);
			if (!mayName) continue;
			if ([`/${name}`, `${type}/${name}`].some((each) => hasName(said, each.toLowerCase()))) this.#named.add(index);
		}
		this.#base = new Float64Array(scores.length);
		this.whole = new Float64Array(scores.length);
		const seen = new Map<string, number>();
		let index = 0;
		for (const [source, count] of sources) {
			const before = seen.get(source) ?? 0;
			seen.set(source, before + count);
			for (let rank = before; rank < before + count; rank += 1, index += 1) {
				const use = USED_WORTH * (1 - 0.5 ** (this.#used.get(index)?.weight ?? 0));
				const base = (SOURCE_WORTH[source] * HALF_AFTER) / (HALF_AFTER + rank) + use;
				const match = best === 0 ? 0 : ((scores[index] ?? 0) / best) * MATCH_WORTH;
				this.#base[index] = base;
				this.whole[index] = base + match + (this.#named.has(index) ? NAMED_WORTH : 0);
			}
		}
	}

	of(index: number): CapabilityValue {
		const [whole = 0, base = 0] = [this.whole[index], this.#base[index]];
		const short = base * SHORT_SHARE + (whole - base) * SHORT_SHARE_WANTED;
		const words = this.#words.filter((_, at) => (this.#counts[at]?.[index] ?? 0) > 0);
		const used = this.#used.get(index);
		return { whole, short, isNamed: this.#named.has(index), words, ...(used === undefined ? {} : { used }) };
	}
}

function createShelf(capabilities: readonly Valued[]): CapabilityShelf {
	const counts = countsIn(capabilities);
	return {
		counts,
		sources: countSourceRuns(capabilities),
		names: () => capabilities,
		needs: collectNeeds(capabilities),
	};
}

/** Places of what they need, by the places of those that need others; whoever tells of them sees what is not there. */
export function collectNeeds(capabilities: readonly NamedSummary[]): ReadonlyMap<number, readonly number[]> {
	return new Map([...resolveRequirements(capabilities)].map(([index, { needs }]) => [index, needs]));
}

export function countSourceRuns(
	capabilities: readonly Pick<NamedSummary, 'source'>[],
): [CapabilitySummary['source'], number][] {
	const runs: [CapabilitySummary['source'], number][] = [];
	for (const { source } of capabilities) {
		const last = runs.at(-1);
		if (last?.[0] === source) last[1] += 1;
		else runs.push([source, 1]);
	}
	return runs;
}

function hasName(said: string, name: string): boolean {
	for (let at = said.indexOf(name); at !== -1; at = said.indexOf(name, at + 1)) {
		if (!/[\p{L}\p{N}_-]/u.test(said[at + name.length] ?? ' ') && !/[\p{L}\p{N}_/-]/u.test(said[at - 1] ?? ' '))
			return true;
	}
	return false;
}

/** Scores of how well each matches the words. */
function computeMatchScores(lengths: ArrayLike<number>, counts: readonly ArrayLike<number>[]): Float64Array {
	const scores = new Float64Array(lengths.length);
	let sum = 0;
	for (let at = 0; at < lengths.length; at += 1) sum += lengths[at] ?? 0;
	const average = sum / lengths.length || 1;
	for (const found of counts) {
		let having = 0;
		for (let at = 0; at < lengths.length; at += 1) having += (found[at] ?? 0) > 0 ? 1 : 0;
		const rarity = Math.log(1 + (lengths.length - having + 0.5) / (having + 0.5));
		for (let at = 0; at < lengths.length; at += 1) {
			const count = found[at] ?? 0;
			if (count === 0) continue;
			const length = K1 * (1 - B + (B * (lengths[at] ?? 0)) / average);
			scores[at] = (scores[at] ?? 0) + (rarity * count * (K1 + 1)) / (count + length);
		}
	}
	return scores;
}
