/**
 * The best choice where some items need others: none is chosen without what it needs. Items that hang together become one, of
 * which each form is one way to choose among them, so that the choice is still the best there is.
 */
import { bestChoice, type ItemChoice, type ChoiceForm } from './best-choice.ts';
import { promptLimits } from './limits.ts';

/** Items that an item needs, directly or through others, by item. */
export type Needs = ReadonlyMap<number, readonly number[]>;

/** A way to choose among items that hang together; the ones before it are those with one item less. */
interface Way extends ChoiceForm {
	readonly item: number;
	readonly form: number;
	readonly before: Way | undefined;
	/** Chosen items on which the choice of later items depends. */
	readonly told: ReadonlySet<number>;
}

/**
 * Returns the best choice in which each chosen item has the items that it needs. `steps` as in `bestChoice`. When there
 * are very many ways, only those worth most for their weight are weighed: then the choice may not be the best.
 */
export function closedChoice(
	items: readonly (readonly ChoiceForm[])[],
	needs: Needs,
	room: number,
	steps: number,
): ItemChoice {
	if (needs.size === 0) {
		return bestChoice(items, room, steps);
	}
	const groups = groupTiedItems(needs, items);
	const isGrouped = new Set(groups.flat());
	const grouped = groups.map((group) => listGroupWays(group, items, needs, room));
	const alone: number[] = [];
	const whole: (readonly ChoiceForm[])[] = [];
	for (let item = 0; item < items.length; item += 1) {
		if (isGrouped.has(item)) continue;
		alone.push(item);
		whole.push(items[item] ?? []);
	}
	for (const { ways } of grouped) whole.push(ways);
	const chosen = bestChoice(whole, room, steps);
	const forms = Array.from(items, () => -1);
	for (let at = 0; at < alone.length; at += 1) forms[alone[at] ?? 0] = chosen.forms[at] ?? -1;
	for (const [at, { ways }] of grouped.entries()) {
		let way = ways[chosen.forms[alone.length + at] ?? -1];
		for (; way?.before !== undefined; way = way.before) forms[way.item] = way.form;
	}
	if (grouped.every(({ areAll }) => areAll)) {
		return { ...chosen, forms };
	}
	// Bound of the choice without needs: no choice with needs is worth more.
	const { bound } = bestChoice(items, room, steps);
	return { forms, value: chosen.value, bound: Math.max(bound, chosen.value), isBest: false };
}

/** Items that hang together, each after those that it needs, then those first that are worth most for their weight. */
function groupTiedItems(needs: Needs, items: readonly (readonly ChoiceForm[])[]): number[][] {
	const heads = new Map<number, number>();
	const findHead = (item: number): number => {
		let head = item;
		for (let next = heads.get(head); next !== undefined; next = heads.get(head)) head = next;
		return head;
	};
	for (const [item, needed] of needs) {
		for (const each of needed) {
			const [from, to] = [findHead(each), findHead(item)];
			if (from !== to) heads.set(from, to);
		}
	}
	const members = new Set([...needs].flatMap(([item, needed]) => (needed.length === 0 ? [] : [item, ...needed])));
	const countNeeds = (item: number) => needs.get(item)?.length ?? 0;
	const worth = new Map(
		[...members].map((item) => [item, Math.max(0, ...(items[item] ?? []).map(({ weight, value }) => value / weight))]),
	);
	return [...Map.groupBy(members, findHead).values()].map((group) =>
		group.toSorted((a, b) => countNeeds(a) - countNeeds(b) || (worth.get(b) ?? 0) - (worth.get(a) ?? 0)),
	);
}

function listGroupWays(
	group: readonly number[],
	items: readonly (readonly ChoiceForm[])[],
	needs: Needs,
	room: number,
): { readonly ways: readonly Way[]; readonly areAll: boolean } {
	const nothing: Way = { item: -1, form: -1, weight: 0, value: 0, before: undefined, told: new Set() };
	const tied = listGroupTies(group, needs);
	let ways: readonly Way[] = [nothing];
	let areAll = true;
	const most = Math.min(
		promptLimits.waysOfGroup,
		Math.max(promptLimits.leastWays, Math.floor(promptLimits.waysLookedAt / group.length)),
	);
	for (const [at, item] of group.entries()) {
		const wanted = tied.filter(({ place, needed }) => place < at && needed.has(item)).map(({ by }) => by);
		const wanting = tied.filter(({ place, needing }) => place < at && needing.has(item)).map(({ by }) => by);
		const deciding = tied.filter(({ place, last }) => place <= at && last > at).map(({ by }) => by);
		const isTied = deciding.includes(item);
		const next = ways.flatMap((way): Way[] => {
			const { told, weight, value } = way;
			const ways: Way[] = [];
			if (!wanting.some((each) => told.has(each))) ways.push({ item, form: -1, weight, value, before: way, told });
			if (!wanted.every((each) => told.has(each))) return ways;
			const toldWith = isTied ? new Set(told).add(item) : told;
			for (const [form, each] of (items[item] ?? []).entries()) {
				const more = weight + each.weight;
				if (more > room) continue;
				ways.push({ item, form, weight: more, value: value + each.value, before: way, told: toldWith });
			}
			return ways;
		});
		const kept = withoutWorse(next, deciding);
		const count = kept.reduce((sum, alike) => sum + alike.length, 0);
		const share = Math.ceil(most / kept.length);
		areAll &&= count <= most;
		ways = count <= most ? kept.flat() : kept.flatMap((alike) => thinWays(alike, share, room));
	}
	return { ways: ways.filter(({ weight }) => weight > 0), areAll };
}

/** An item that others of its group depend on, or that depends on them. */
interface Tied {
	readonly by: number;
	/** In the group. */
	readonly place: number;
	/** Place of the last one that is tied to it. */
	readonly last: number;
	/** Items that need this item, and items that this item needs. */
	readonly needed: ReadonlySet<number>;
	readonly needing: ReadonlySet<number>;
}

function listGroupTies(group: readonly number[], needs: Needs): readonly Tied[] {
	const places = new Map(group.map((item, place) => [item, place]));
	const neededBy = new Map<number, Set<number>>(group.map((item) => [item, new Set()]));
	for (const item of group) for (const each of needs.get(item) ?? []) neededBy.get(each)?.add(item);
	return group.map((by, place) => {
		const needed = neededBy.get(by) ?? new Set<number>();
		const needing = new Set(needs.get(by));
		const last = [...needed, ...needing].reduce((most, each) => Math.max(most, places.get(each) ?? -1), -1);
		return { by, place, last, needed, needing };
	});
}

/**
 * Drops each way that weighs as much as another or more and is worth no more, among ways that leave the same choices
 * open. Returns the ways in groups, the lightest first.
 */
function withoutWorse(ways: readonly Way[], deciding: readonly number[]): Way[][] {
	const alike = Map.groupBy(ways, ({ told }) => deciding.map((each) => (told.has(each) ? '1' : '0')).join(''));
	return [...alike.values()].map((same) => {
		let most = -Infinity;
		return same
			.toSorted((a, b) => a.weight - b.weight || b.value - a.value)
			.filter(({ value }) => {
				const isBetter = value > most;
				most = Math.max(most, value);
				return isBetter;
			});
	});
}

/** Keeps the most valuable way among ways of about the same weight, and the way that chooses no item. */
function thinWays(ways: readonly Way[], count: number, room: number): Way[] {
	const computeWeightClass = ({ weight }: Way) => (weight === 0 ? -1 : Math.floor((weight * count) / (room + 1)));
	return ways.filter((way, at) => {
		const next = ways[at + 1];
		return next === undefined || computeWeightClass(next) !== computeWeightClass(way);
	});
}
