/**
 * Finds every occurrence of many words in one pass over a text, by the automaton of Aho and Corasick: however many words
 * there are, each character costs one step. An edge of it is made when a text first takes it, because all of them together
 * take longer than most texts.
 */

/** Number of values that a unit of a text can have. */
const CODE_UNITS = 65_536;
const NO_WORD = -1;
/** No text begins in state 0, so that no row is 0. */
const FIRST_STATE = 1;

export class WordFinder {
	/** Class of each character; those that are in no word share the class 0, which leads back to the start. */
	readonly #classes = new Uint8Array(CODE_UNITS);
	#classCount = 1;
	/** Edges of the trie: the state in which a word goes on, by state and class. */
	readonly #children = new Map<number, number>();
	/**
	 * Edge to the next state, by row of the state and class: the row of that state, and one bit that says whether a word
	 * ends in it. 0 until a text has taken that edge. A row is the number of a state times the number of classes, so that
	 * the loop over the text need not multiply.
	 */
	readonly #next: Int32Array;
	/**
	 * State of the longest proper suffix of the text read that begins a word too, by state. Known once a text has
	 * reached the state.
	 */
	readonly #fallback: Uint16Array;
	/**
	 * Longest word that ends in the state, by state; inherited from shorter suffixes only once a text has reached the
	 * state.
	 */
	readonly #longest: Int16Array;
	/** Shorter word that ends where the word ends, by word. */
	readonly #shorter: Int16Array;

	/** Words in lower case, none empty, each once. Texts may have them in upper case as well. */
	constructor(words: readonly string[]) {
		for (const character of new Set(words.join(''))) {
			this.#classes[character.charCodeAt(0)] = this.#classCount;
			this.#classes[character.toUpperCase().charCodeAt(0)] = this.#classCount;
			this.#classCount += 1;
		}
		const states = words.reduce((sum, word) => sum + word.length, FIRST_STATE + 1);
		this.#next = new Int32Array(states * this.#classCount);
		this.#fallback = new Uint16Array(states).fill(FIRST_STATE);
		this.#longest = new Int16Array(states).fill(NO_WORD);
		this.#shorter = new Int16Array(words.length).fill(NO_WORD);
		this.#plant(words);
	}

	/** Tells each occurrence, by the index of its word and the place behind it, in the order in which they end. */
	find(text: string, found: (word: number, end: number) => void): void {
		const next = this.#next;
		const classes = this.#classes;
		const count = this.#classCount;
		let row = FIRST_STATE * count;
		for (let at = 0; at < text.length; at += 1) {
			const each = classes[text.charCodeAt(at)] ?? 0;
			const known = next[row + each] ?? 0;
			const edge = known === 0 ? this.#step(row, each) : known;
			row = edge >> 1;
			if ((edge & 1) === 1) {
				let word = this.#longest[row / count] ?? NO_WORD;
				while (word !== NO_WORD) {
					found(word, at + 1);
					word = this.#shorter[word] ?? NO_WORD;
				}
			}
		}
	}

	/** The trie of the words. */
	#plant(words: readonly string[]): void {
		let states = FIRST_STATE + 1;
		for (const [word, text] of words.entries()) {
			let state = FIRST_STATE;
			for (let at = 0; at < text.length; at += 1) {
				const edge = state * this.#classCount + (this.#classes[text.charCodeAt(at)] ?? 0);
				let child = this.#children.get(edge);
				if (child === undefined) {
					child = states;
					states += 1;
					this.#children.set(edge, child);
				}
				state = child;
			}
			this.#longest[state] = word;
		}
	}

	/** Returns the edge from a state that a text has come to, and keeps it for the next time. */
	#step(row: number, each: number): number {
		const state = row / this.#classCount;
		const at = row + each;
		const known = this.#next[at] ?? 0;
		if (known !== 0) {
			return known;
		}
		const back =
			state === FIRST_STATE
				? FIRST_STATE
				: this.#stateBehind(this.#step((this.#fallback[state] ?? FIRST_STATE) * this.#classCount, each));
		const child = this.#children.get(at);
		if (child !== undefined) {
			this.#arrive(child, back);
		}
		const next = child ?? back;
		const edge = (next * this.#classCount * 2) | (this.#longest[next] === NO_WORD ? 0 : 1);
		this.#next[at] = edge;
		return edge;
	}

	#stateBehind(edge: number): number {
		return (edge >> 1) / this.#classCount;
	}

	/** A text comes to a state for the first time: there is one way to each, so this happens once. */
	#arrive(state: number, fallback: number): void {
		this.#fallback[state] = fallback;
		const own = this.#longest[state] ?? NO_WORD;
		const inherited = this.#longest[fallback] ?? NO_WORD;
		if (own === NO_WORD) {
			this.#longest[state] = inherited;
		} else {
			this.#shorter[own] = inherited;
		}
	}
}
