/**
 * The best choice under a limit: of each item one form or none, worth the most together within a weight. Solved exactly by
 * branch and bound: the price of a unit of weight at which the room is just used up tells what each departure from the
 * cheapest choice loses at least, and whatever loses more than there is to gain is never tried.
 */

export interface ChoiceForm {
	/** Whole, above 0. */
	readonly weight: number;
	/** Above 0. */
	readonly value: number;
}

export interface ItemChoice {
	/** Index of the chosen form, by item; -1: left out. */
	readonly forms: readonly number[];
	readonly value: number;
	/** The most that any choice could be worth; the same as `value` where `isBest`. */
	readonly bound: number;
	/** False: the search was cut off. */
	readonly isBest: boolean;
}

/** A form of an item, with its loss against the form that is best at the price. */
interface Option {
	readonly form: number;
	readonly weight: number;
	readonly value: number;
	readonly loss: number;
}

/** Values are sums of floats. */
const EQUAL = 1e-9;
/** Steps that are put in order: those that fill the room so many times over, and more of about the same worth. */
const MANY_ROOMS = 2;
/** Number of classes of worth: eight for each doubling. */
const CLASSES = 2_048;
const CLASS_SHIFT = 20;
/** Items that are tried in more than one form, those first that lose least: of more, trying them ends nowhere. */
const MOST_OPEN = 400;

/** `steps`: how many partial choices are looked at, so that the same items always give the same choice. */
export function bestChoice(items: readonly (readonly ChoiceForm[])[], room: number, steps: number): ItemChoice {
	const columns = toFormColumns(items, room);
	const first = chooseGreedily(columns, room);
	const gains = computeFormGains(columns, first.price, room);
	const search = new ChoiceSearch(columns, first, gains, room, steps);
	search.run();
	const { forms, value, isCutOff } = search;
	return { forms, value, bound: isCutOff ? Math.max(gains.bound, value) : value, isBest: !isCutOff };
}

/** Forms of all items, one after the other: thousands of them are looked at in less time than as objects. */
interface FormColumns {
	/** Index of the first form, by item; the last entry is the number of all forms. */
	readonly starts: Uint32Array;
	/** Infinite for a form that does not fit at all: then it is no step, and has no gain. */
	readonly weights: Float64Array;
	readonly values: Float64Array;
}

function toFormColumns(items: readonly (readonly ChoiceForm[])[], room: number): FormColumns {
	let count = 0;
	for (const forms of items) count += forms.length;
	const starts = new Uint32Array(items.length + 1);
	const weights = new Float64Array(count);
	const values = new Float64Array(count);
	let at = 0;
	for (let item = 0; item < items.length; item += 1) {
		for (const { weight, value } of items[item] ?? []) {
			weights[at] = weight <= room ? weight : Infinity;
			values[at] = value;
			at += 1;
		}
		starts[item + 1] = at;
	}
	return { starts, weights, values };
}

/** Gains of the forms: their value above the price of their weight. */
interface Gains {
	/**
	 * Gains by item: `best` is the largest gain of a form, or 0 for none; `lead` is its distance to the next best form,
	 * or to none.
	 */
	readonly best: Float64Array;
	readonly lead: Float64Array;
	/** The form that is worth most; -1: none. */
	readonly forms: Int32Array;
	/** The most that any choice is worth. */
	readonly bound: number;
}

function computeFormGains({ starts, weights, values }: FormColumns, price: number, room: number): Gains {
	const count = starts.length - 1;
	const gains = { best: new Float64Array(count), lead: new Float64Array(count), forms: new Int32Array(count) };
	let bound = price * room;
	for (let item = 0; item < count; item += 1) {
		const start = starts[item] ?? 0;
		const end = starts[item + 1] ?? 0;
		let best = 0;
		let next = -Infinity;
		let form = -1;
		for (let at = start; at < end; at += 1) {
			const gain = (values[at] ?? 0) - price * (weights[at] ?? 0);
			if (gain > best) {
				next = best;
				best = gain;
				form = at - start;
			} else if (gain > next) {
				next = gain;
			}
		}
		bound += best;
		gains.best[item] = best;
		gains.lead[item] = best - next;
		gains.forms[item] = form;
	}
	return { ...gains, bound };
}

/** An item with more than one form, or none, that may be in the best choice; the one that loses least comes first. */
interface OpenItem {
	readonly item: number;
	readonly options: readonly Option[];
	readonly least: number;
}

class ChoiceSearch {
	readonly #open: readonly OpenItem[];
	readonly #room: number;
	readonly #settledValue: number;
	readonly #bound: number;
	/** Forms of the settled items, by item; -1: none, or the item is open. */
	readonly #forms: number[];
	/** Forms of the open items: `#trial` is the choice under trial, `#best` the most valuable choice so far. */
	readonly #trial: number[] = [];
	#best: readonly number[] | undefined;
	readonly #first: Greedy;
	/** The least that another form of an item loses that is not tried. */
	readonly #untried: number;
	#stepsLeft: number;
	value: number;

	constructor(columns: FormColumns, first: Greedy, gains: Gains, room: number, steps: number) {
		this.#first = first;
		this.value = first.value;
		this.#bound = gains.bound;
		this.#stepsLeft = steps;
		this.#forms = Array.from(gains.forms);
		const most = gains.bound - first.value - EQUAL;
		const close: number[] = [];
		for (let item = 0; item < gains.lead.length; item += 1) {
			const lead = gains.lead[item] ?? 0;
			if (lead < most || lead === 0) close.push(item);
		}
		// Largest lead first: the choice for that item decides most.
		close.sort((a, b) => (gains.lead[b] ?? 0) - (gains.lead[a] ?? 0));
		const tried = close.slice(-MOST_OPEN);
		this.#untried = gains.lead[close[close.length - tried.length - 1] ?? -1] ?? Infinity;
		this.#open = tried.map((item) => {
			const options = worthTrying(columns, item, gains.best[item] ?? 0, { price: first.price, most });
			return { item, options, least: options.reduce((least, { weight }) => Math.min(least, weight), Infinity) };
		});
		for (const item of tried) this.#forms[item] = -1;
		let taken = 0;
		let value = 0;
		for (let item = 0; item < this.#forms.length; item += 1) {
			const form = this.#forms[item] ?? -1;
			if (form === -1) continue;
			const at = (columns.starts[item] ?? 0) + form;
			taken += columns.weights[at] ?? 0;
			value += columns.values[at] ?? 0;
		}
		this.#room = room - taken;
		this.#settledValue = value;
	}

	get isCutOff(): boolean {
		return this.#stepsLeft < 0 || this.#untried < this.#bound - this.value - EQUAL;
	}

	get forms(): readonly number[] {
		if (this.#best === undefined) return this.#first.forms;
		for (const [at, { item }] of this.#open.entries()) this.#forms[item] = this.#best[at] ?? -1;
		return this.#forms;
	}

	/** Depth first, without a call for each. */
	run(): void {
		const open = this.#open;
		const room = open.reduce((left, { least }) => left - least, this.#room);
		if (room < 0) return;
		// Arrays by place among the open items: the option to try next; the loss and the value before it; and the room
		// that is left when all later items take their lightest option.
		const options = new Uint32Array(open.length + 1);
		const losses = new Float64Array(open.length + 1);
		const values = new Float64Array(open.length + 1);
		const spare = new Float64Array(open.length + 1);
		values[0] = this.#settledValue;
		spare[0] = room;
		this.#stepsLeft -= 1;
		for (let at = 0; at >= 0 && this.#stepsLeft >= 0;) {
			const value = values[at] ?? 0;
			const next = open[at];
			if (next === undefined) {
				if (value > this.value + EQUAL) {
					this.value = value;
					this.#best = [...this.#trial];
				}
				at -= 1;
				continue;
			}
			const loss = losses[at] ?? 0;
			const option = next.options[options[at] ?? 0];
			// They come by their loss: none after it can be better.
			if (option === undefined || this.#bound - loss - option.loss <= this.value + EQUAL) {
				at -= 1;
				continue;
			}
			options[at] = (options[at] ?? 0) + 1;
			const left = (spare[at] ?? 0) - option.weight + next.least;
			if (left < 0) continue;
			this.#trial[at] = option.form;
			at += 1;
			options[at] = 0;
			losses[at] = loss + option.loss;
			values[at] = value + option.value;
			spare[at] = left;
			this.#stepsLeft -= 1;
		}
	}
}

/**
 * Returns the options of an item that lose less than `most` against its best option, by their loss; at least the option
 * that loses nothing.
 */
function worthTrying(
	{ starts, weights, values }: FormColumns,
	item: number,
	best: number,
	{ price, most }: { readonly price: number; readonly most: number },
): Option[] {
	const start = starts[item] ?? 0;
	const end = starts[item + 1] ?? 0;
	const options: Option[] = [];
	for (let at = start - 1; at < end; at += 1) {
		const form = at - start;
		const weight = form === -1 ? 0 : (weights[at] ?? 0);
		const value = form === -1 ? 0 : (values[at] ?? 0);
		const loss = best - (value - price * weight);
		if (loss < most || loss === 0) options.push({ form, weight, value, loss });
	}
	return options.sort((a, b) => a.loss - b.loss);
}

interface Greedy {
	readonly forms: readonly number[];
	readonly value: number;
	/** Worth of a unit of weight in the best step that did not fit; 0: all steps fit. */
	readonly price: number;
}

/** Steps from a form of an item to a larger one. */
interface Steps {
	readonly count: number;
	readonly items: Uint32Array;
	readonly forms: Uint32Array;
	readonly weights: Float64Array;
	readonly values: Float64Array;
	/** For their weight. */
	readonly worths: Float64Array;
}

/** The steps that are worth most for their weight, as long as they fit. */
function chooseGreedily(columns: FormColumns, room: number): Greedy {
	const steps = computeUpgradeSteps(columns);
	const forms = Array.from({ length: columns.starts.length - 1 }, () => -1);
	const isShut = new Uint8Array(forms.length);
	let left = room;
	let value = 0;
	let price = 0;
	for (const step of worthMost(steps, room)) {
		const item = steps.items[step] ?? 0;
		const weight = steps.weights[step] ?? 0;
		if (isShut[item] === 1) continue;
		if (weight > left) {
			price = Math.max(price, steps.worths[step] ?? 0);
			isShut[item] = 1;
			continue;
		}
		forms[item] = steps.forms[step] ?? 0;
		left -= weight;
		value += steps.values[step] ?? 0;
	}
	return { forms, value, price };
}

/** In order; of many only those of most worth that together are far too many for the room. */
function worthMost({ count, worths, weights }: Steps, room: number): Uint32Array {
	const classes = new Uint32Array(new Float32Array(worths.subarray(0, count)).buffer);
	const filled = new Float64Array(CLASSES);
	for (let step = 0; step < count; step += 1) {
		const at = (classes[step] ?? 0) >>> CLASS_SHIFT;
		filled[at] = (filled[at] ?? 0) + (weights[step] ?? 0);
	}
	let least = CLASSES - 1;
	for (let weight = 0; least > 0; least -= 1) {
		weight += filled[least] ?? 0;
		if (weight > MANY_ROOMS * room) break;
	}
	const chosen = new Uint32Array(count);
	let length = 0;
	for (let step = 0; step < count; step += 1) {
		if ((classes[step] ?? 0) >>> CLASS_SHIFT >= least) {
			chosen[length] = step;
			length += 1;
		}
	}
	return chosen.subarray(0, length).sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b);
}

/**
 * Returns the steps of each item: from none over the forms that are worth their weight, each step worth less for its
 * weight than the one before.
 */
function computeUpgradeSteps({ starts, weights, values }: FormColumns): Steps {
	const most = weights.length;
	const steps = {
		items: new Uint32Array(most),
		forms: new Uint32Array(most),
		weights: new Float64Array(most),
		values: new Float64Array(most),
		worths: new Float64Array(most),
	};
	let count = 0;
	for (let item = 0; item < starts.length - 1; item += 1) {
		const start = starts[item] ?? 0;
		const end = starts[item + 1] ?? 0;
		let weight = 0;
		let value = 0;
		for (;;) {
			let best = -1;
			let worth = 0;
			for (let at = start; at < end; at += 1) {
				const more = (weights[at] ?? 0) - weight;
				const each = more > 0 ? ((values[at] ?? 0) - value) / more : 0;
				if (each > worth) {
					best = at;
					worth = each;
				}
			}
			if (best === -1) break;
			const toWeight = weights[best] ?? 0;
			const toValue = values[best] ?? 0;
			steps.items[count] = item;
			steps.forms[count] = best - start;
			steps.weights[count] = toWeight - weight;
			steps.values[count] = toValue - value;
			steps.worths[count] = worth;
			count += 1;
			weight = toWeight;
			value = toValue;
		}
	}
	return { count, ...steps };
}
