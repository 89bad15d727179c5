/** Chance that can be had again: the same seed gives the same numbers. */

/** mulberry32: numbers from 0 to 1. */
export function seeded(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** From 0 to `below`, without it. */
export function below(random: () => number, limit: number): number {
	return Math.floor(random() * limit);
}

export function pick<T>(random: () => number, items: readonly T[]): T {
	const item = items[below(random, items.length)];
	if (item === undefined) {
		throw new Error('pick: nothing to pick from');
	}
	return item;
}

export function shuffled<T>(random: () => number, items: readonly T[]): T[] {
	const rest = [...items];
	return items.map(() => rest.splice(below(random, rest.length), 1)[0] as T);
}

/** The seed of a long run: the one that is asked for, to see a failure again, or a new one. */
export function seedOfSoak(): number {
	return Number(process.env['PROWESS_SEED'] ?? Date.now() % 2 ** 32);
}
