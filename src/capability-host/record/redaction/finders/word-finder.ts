/**
 * Finds every occurrence of many words in one pass over a text, by the automaton of Aho and Corasick: however many words
 * there are, each character costs one step.
 */

/** Characters beyond are in no word. */
const ASCII = 128;
const NONE = -1;

export class WordFinder {
	/** Class of each character; those that are in no word share the class 0, which leads back to the start. */
	readonly #classes = new Uint8Array(ASCII);
	#classCount = 1;
	/** Next state, by state and class. */
	readonly #next: Uint16Array;
	/** By state, the longest word that ends there. */
	readonly #longest: Int16Array;
	/** By word, a shorter one that ends where it does. */
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
		this.#longest = new Int16Array(most).fill(NONE);
		this.#shorter = new Int16Array(words.length).fill(NONE);
		this.#complete(this.#plant(words));
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
			state = code < ASCII ? (next[state * count + (classes[code] ?? 0)] ?? 0) : 0;
			for (let word = longest[state] ?? NONE; word !== NONE; word = this.#shorter[word] ?? NONE) {
				found(word, at + 1);
			}
		}
	}

	/** The trie of the words; its number of states. */
	#plant(words: readonly string[]): number {
		let states = 1;
		for (const [word, text] of words.entries()) {
			let state = 0;
			for (let at = 0; at < text.length; at += 1) {
				const edge = state * this.#classCount + (this.#classes[text.charCodeAt(at)] ?? 0);
				if (this.#next[edge] === 0) {
					this.#next[edge] = states;
					states += 1;
				}
				state = this.#next[edge] ?? 0;
			}
			this.#longest[state] = word;
		}
		return states;
	}

	/** Gives each state an edge for each class: to the longest end of what was read that begins a word. */
	#complete(states: number): void {
		const count = this.#classCount;
		const fallback = new Uint16Array(states);
		const queue = [0];
		for (const state of queue) {
			for (let each = 1; each < count; each += 1) {
				const edge = state * count + each;
				const child = this.#next[edge] ?? 0;
				const back = state === 0 ? 0 : (this.#next[(fallback[state] ?? 0) * count + each] ?? 0);
				if (child === 0) {
					this.#next[edge] = back;
				} else {
					fallback[child] = back;
					const own = this.#longest[child] ?? NONE;
					const inherited = this.#longest[back] ?? NONE;
					if (own === NONE) {
						this.#longest[child] = inherited;
					} else {
						this.#shorter[own] = inherited;
					}
					queue.push(child);
				}
			}
		}
	}
}
