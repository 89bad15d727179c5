/** The best of many, in order: the higher score, then the shorter text, then the alphabet. Never holds more than `most`. */
export class Best<T extends { readonly text: string }> {
	readonly #most: number;
	readonly #held: { readonly item: T; readonly score: number }[] = [];

	constructor(most: number) {
		this.#most = most;
	}

	get items(): T[] {
		return this.#held.map(({ item }) => item);
	}

	offer(item: T, score: number): void {
		const held = this.#held;
		const worst = held.length < this.#most ? undefined : held.at(-1);
		if (worst !== undefined && !isBetter(item, score, worst)) {
			return;
		}
		let [low, high] = [0, held.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			const other = held[middle];
			if (other === undefined || isBetter(item, score, other)) {
				high = middle;
			} else {
				low = middle + 1;
			}
		}
		held.splice(low, 0, { item, score });
		if (held.length > this.#most) {
			held.pop();
		}
	}
}

function isBetter(
	{ text }: { readonly text: string },
	score: number,
	other: { readonly item: { readonly text: string }; readonly score: number },
): boolean {
	if (score !== other.score) {
		return score > other.score;
	}
	const { text: its } = other.item;
	return text.length === its.length ? text < its : text.length < its.length;
}
