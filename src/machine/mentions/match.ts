/** Scores how well a text fits what was typed after `@`, and keeps the best. Pure; costly work per text is prepared once. */

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

export interface Matchable {
	/** Text that is matched: a path, or a word like `problems`. */
	readonly text: string;
	readonly lower: string;
	/** Where the last part of a path begins in `lower`; a slash at the end belongs to it. */
	readonly nameStart: number;
}

export function toMatchable(text: string): Matchable {
	const lower = text.toLowerCase();
	return { text, lower, nameStart: lower.lastIndexOf('/', lower.length - 2) + 1 };
}

interface MatchQuery {
	readonly text: string;
	readonly letters: readonly string[];
}

export function toMatchQuery(query: string): MatchQuery {
	const text = query.toLowerCase().replaceAll('\\', '/');
	return { text, letters: [...text] };
}

/**
 * Letters must occur in order; a hit in the last part of a path, at the start of a word, or in one piece counts more.
 * Undefined if they do not: then nothing longer that begins the same way fits either.
 */
export function scoreMatch({ text: wanted, letters }: MatchQuery, { lower, nameStart }: Matchable): number | undefined {
	if (wanted === '') {
		return 0;
	}
	const first = lower.indexOf(wanted);
	if (first === -1) {
		return scoreOfLetters(letters, lower);
	}
	if (lower.startsWith(wanted, nameStart)) {
		return 100 - (lower.length - nameStart) / 100;
	}
	return first >= nameStart || lower.includes(wanted, nameStart) ? 80 : 60;
}

function scoreOfLetters(letters: readonly string[], lower: string): number | undefined {
	let at = -1;
	let gaps = 0;
	for (const letter of letters) {
		const next = lower.indexOf(letter, at + 1);
		if (next === -1) {
			return undefined;
		}
		gaps += at === -1 || next === at + 1 || '/-_.'.includes(lower.charAt(next - 1)) ? 0 : 1;
		at = next;
	}
	return 40 - gaps * 4;
}
