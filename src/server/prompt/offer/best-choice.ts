/**
 * The best choice under a limit: of each item one form or none, worth the most together within a weight. Solved exactly by
 * branch and bound: the price of a unit of weight at which the room is just used up tells what each departure from the
 * cheapest choice loses at least, and whatever loses more than there is to gain is never tried.
 */

export interface Form {
	/** Whole, above 0. */
	readonly weight: number;
	/** Above 0. */
	readonly value: number;
}

export interface Choice {
	/** By item: the index of its form; -1: left out. */
	readonly forms: readonly number[];
	readonly value: number;
	/** The most that any choice could be worth; the same as `value` where `isBest`. */
	readonly bound: number;
	/** False: the search was cut off. */
	readonly isBest: boolean;
}

/** One form of one item, and what it loses against the form that is best at the price. */
interface Option {
	readonly form: number;
	readonly weight: number;
	readonly value: number;
	readonly loss: number;
}

const OUT: Form = { weight: 0, value: 0 };
/** Values are sums of floats. */
const EQUAL = 1e-9;
/** Steps that are put in order as they are; of more, those that fill the room so many times over. */
const FEW_STEPS = 500;
const MANY_ROOMS = 2;
/** Of worth below 1, and as many of worth above. */
const CLASSES = 512;

/** `steps`: how many partial choices are looked at, so that the same items always give the same choice. */
export function bestChoice(items: readonly (readonly Form[])[], room: number, steps: number): Choice {
	const first = greedy(items, room);
	const { price } = first;
	const bound = price * room + items.reduce((sum, forms) => sum + mostGain(forms, price), 0);
	const search = new Search(items, first, { room, bound, steps });
	search.run();
	const { forms, value, isCutOff } = search;
	return { forms, value, bound: isCutOff ? Math.max(bound, value) : value, isBest: !isCutOff };
}

/** An item with more than one form, or none, that may be in the best choice; the one that loses least comes first. */
interface Open {
	readonly item: number;
	readonly options: readonly Option[];
	readonly least: number;
}

class Search {
	readonly #open: readonly Open[];
	readonly #room: number;
	readonly #settledValue: number;
	readonly #bound: number;
	/** Of what is settled. */
	readonly #forms: number[];
	/** Of what is open, as it is being tried, and as it was when it was worth most. */
	readonly #trial: number[] = [];
	#best: readonly number[] | undefined;
	readonly #first: Greedy;
	#stepsLeft: number;
	value: number;

	constructor(
		items: readonly (readonly Form[])[],
		first: Greedy,
		{ room, bound, steps }: { readonly room: number; readonly bound: number; readonly steps: number },
	) {
		this.#first = first;
		this.value = first.value;
		this.#bound = bound;
		this.#stepsLeft = steps;
		this.#forms = items.map(() => -1);
		const open: Open[] = [];
		const most = bound - first.value - EQUAL;
		let taken = 0;
		let value = 0;
		for (const [item, forms] of items.entries()) {
			const only = onlyForm(forms, first.price, most);
			if (only !== undefined) {
				this.#forms[item] = only;
				taken += forms[only]?.weight ?? 0;
				value += forms[only]?.value ?? 0;
			} else {
				const options = worthTrying(forms, first.price, most);
				open.push({ item, options, least: Math.min(...options.map(({ weight }) => weight)) });
			}
		}
		// What decides most comes first.
		this.#open = open.sort((a, b) => (b.options[1]?.loss ?? 0) - (a.options[1]?.loss ?? 0));
		this.#room = room - taken;
		this.#settledValue = value;
	}

	get isCutOff(): boolean {
		return this.#stepsLeft < 0;
	}

	get forms(): readonly number[] {
		if (this.#best === undefined) return this.#first.forms;
		for (const [at, { item }] of this.#open.entries()) this.#forms[item] = this.#best[at] ?? -1;
		return this.#forms;
	}

	run(): void {
		const least = this.#open.reduce((sum, each) => sum + each.least, 0);
		if (least <= this.#room) this.#try(0, 0, this.#settledValue, this.#room - least);
	}

	/** `spare`: the room that is left when all that is open takes the least. */
	#try(at: number, loss: number, value: number, spare: number): void {
		this.#stepsLeft -= 1;
		if (this.isCutOff) return;
		const next = this.#open[at];
		if (next === undefined) {
			if (value > this.value + EQUAL) {
				this.value = value;
				this.#best = [...this.#trial];
			}
			return;
		}
		for (const option of next.options) {
			const more = option.weight - next.least;
			// They come by their loss: none after it can be better.
			if (this.#bound - loss - option.loss <= this.value + EQUAL) return;
			if (more > spare) continue;
			this.#trial[at] = option.form;
			this.#try(at + 1, loss + option.loss, value + option.value, spare - more);
		}
	}
}

/** The form, or -1 for none, against which all others lose at least `most`; undefined: there is more than one to try. */
function onlyForm(forms: readonly Form[], price: number, most: number): number | undefined {
	let best = 0;
	let next = -Infinity;
	let only = -1;
	for (const [form, { weight, value }] of forms.entries()) {
		const gain = value - price * weight;
		if (gain > best) {
			next = best;
			best = gain;
			only = form;
		} else if (gain > next) {
			next = gain;
		}
	}
	return best - next >= most && best > next ? only : undefined;
}

/** Those that lose less than `most`; at least the one that loses nothing. */
function worthTrying(forms: readonly Form[], price: number, most: number): Option[] {
	const best = mostGain(forms, price);
	const options: Option[] = [];
	for (let form = -1; form < forms.length; form += 1) {
		const { weight, value } = forms[form] ?? OUT;
		const loss = best - (value - price * weight);
		if (loss < most || loss === 0) options.push({ form, weight, value, loss });
	}
	return options.sort((a, b) => a.loss - b.loss);
}

/** What the best of the forms, or none, is worth above the price of its weight. */
function mostGain(forms: readonly Form[], price: number): number {
	let most = 0;
	for (const { weight, value } of forms) most = Math.max(most, value - price * weight);
	return most;
}

interface Greedy {
	readonly forms: readonly number[];
	readonly value: number;
	/** What the unit of weight is worth that fits no more; 0: all fits. */
	readonly price: number;
}

/** One step from a form of an item to a larger one. */
interface Step extends Form {
	readonly item: number;
	readonly form: number;
	/** For its weight. */
	readonly worth: number;
}

/** The steps that are worth most for their weight, as long as they fit. */
function greedy(items: readonly (readonly Form[])[], room: number): Greedy {
	const steps = worthMost(items.flatMap(stepsOf), room).sort((a, b) => b.worth - a.worth);
	const forms = items.map(() => -1);
	const isShut = new Set<number>();
	let left = room;
	let value = 0;
	let price = 0;
	for (const step of steps) {
		if (isShut.has(step.item)) continue;
		if (step.weight > left) {
			price = Math.max(price, step.worth);
			isShut.add(step.item);
			continue;
		}
		forms[step.item] = step.form;
		left -= step.weight;
		value += step.value;
	}
	return { forms, value, price };
}

/** Of many steps those of most worth that together are far too many for the room: the others need not be put in order. */
function worthMost(steps: Step[], room: number): Step[] {
	if (steps.length < FEW_STEPS) return steps;
	const weights = new Float64Array(2 * CLASSES);
	for (const { worth, weight } of steps) {
		const at = classOf(worth);
		weights[at] = (weights[at] ?? 0) + weight;
	}
	let least = weights.length - 1;
	for (let weight = 0; least > 0; least -= 1) {
		weight += weights[least] ?? 0;
		if (weight > MANY_ROOMS * room) break;
	}
	return steps.filter(({ worth }) => classOf(worth) >= least);
}

/** By size: eight classes until it has doubled. */
function classOf(worth: number): number {
	return Math.max(0, Math.min(2 * CLASSES - 1, Math.floor(Math.log2(worth) * 8) + CLASSES));
}

/** From nothing over each form that is worth its weight, each step worth less for its weight than the one before. */
function stepsOf(forms: readonly Form[], item: number): Step[] {
	const steps: Step[] = [];
	let from = OUT;
	for (;;) {
		let best = -1;
		let most = 0;
		for (const [form, to] of forms.entries()) {
			const worth = to.weight > from.weight ? (to.value - from.value) / (to.weight - from.weight) : 0;
			if (worth > most) {
				best = form;
				most = worth;
			}
		}
		const to = forms[best];
		if (to === undefined) return steps;
		steps.push({ item, form: best, weight: to.weight - from.weight, value: to.value - from.value, worth: most });
		from = to;
	}
}
