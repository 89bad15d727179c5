/**
 * Finds every occurrence of many words in one pass over a text, by the automaton of Aho and Corasick: however many words
 * there are, each character costs one step. An edge of it is made when a text first takes it, because all of them together
 * take longer than most texts.
 */

/** Characters beyond are in no word. */
const ASCII = 128;
const NO_WORD = -1;

export class WordFinder {
	/** Class of each character; those that are in no word share the class 0, which leads back to the start. */
	readonly #classes = new Uint8Array(ASCII);
	#classCount = 1;
	/** Edges of the trie: the state in which a word goes on, by state and class. */
	readonly #children = new Map<number, number>();
	/** Next state plus one, by state and class; 0 until a text has taken that edge. */
	readonly #next: Uint16Array;
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

	/** Words of ASCII characters, none empty, each once; with `ignoresCase` in lower case. */
	constructor(words: readonly string[], ignoresCase: boolean) {
		for (const character of new Set(words.join(''))) {
			this.#classes[character.charCodeAt(0)] = this.#classCount;
			if (ignoresCase) {
				this.#classes[character.toUpperCase().charCodeAt(0)] = this.#classCount;
			}
			this.#classCount += 1;
		}
		const most = words.reduce((sum, word) => sum + word.length, 1);
		this.#next = new Uint16Array(most * this.#classCount);
		this.#fallback = new Uint16Array(most);
		this.#longest = new Int16Array(most).fill(NO_WORD);
		this.#shorter = new Int16Array(words.length).fill(NO_WORD);
		this.#plant(words);
	}

	/** Tells each occurrence, by the index of its word and the place behind it, in the order in which they end. */
	find(text: string, found: (word: number, end: number) => void): void {
		const next = this.#next;
		const classes = this.#classes;
		const longest = this.#longest;
		const count = this.#classCount;
		let state = 0;
		for (let at = 0; at < text.length; at += 1) {
			const code = text.charCodeAt(at);
			if (code < ASCII) {
				const known = next[state * count + (classes[code] ?? 0)] ?? 0;
				state = known === 0 ? this.#step(state, classes[code] ?? 0) : known - 1;
			} else {
				state = 0;
			}
			for (let word = longest[state] ?? NO_WORD; word !== NO_WORD; word = this.#shorter[word] ?? NO_WORD) {
				found(word, at + 1);
			}
		}
	}

	/** The trie of the words. */
	#plant(words: readonly string[]): void {
		let states = 1;
		for (const [word, text] of words.entries()) {
			let state = 0;
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

	/** The next state of one that a text has come to, kept for the next time. */
	#step(state: number, each: number): number {
		const edge = state * this.#classCount + each;
		const known = this.#next[edge] ?? 0;
		if (known !== 0) {
			return known - 1;
		}
		const back = state === 0 ? 0 : this.#step(this.#fallback[state] ?? 0, each);
		const child = this.#children.get(edge);
		if (child !== undefined) {
			this.#arrive(child, back);
		}
		const next = child ?? back;
		this.#next[edge] = next + 1;
		return next;
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
