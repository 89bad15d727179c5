/**
 * Reads a text once for several vocabularies: tokens, programs and families of secrets are each found by words, and a
 * second reading would cost as much as the first, however many words it looks for.
 */
import type { SecretFinding } from '../findings.ts';
import type { Family } from './everyday-families.ts';
import { WordFinder } from './word-finder.ts';

/** Results of the pass over one text. */
export interface WordFindings {
	readonly secrets: SecretFinding[];
	/** Families of which the text holds a word. */
	readonly held: Set<Family>;
}

export interface Vocabulary {
	/** None empty, each once; with `ignoresCase` in lower case. */
	readonly words: readonly string[];
	readonly ignoresCase: boolean;
	/** Called once for each text that holds a word of it. */
	readonly begin: (text: string, findings: WordFindings) => WordReading;
}

interface WordReading {
	/** Takes the index of a word that stands in the text, and the place behind it; in the order in which they end. */
	tell(word: number, end: number): void;
	/** Called when the text is over. */
	finish(): void;
}

/** Place of a word in its vocabulary, and how it is written if that counts. */
interface Entry {
	readonly vocabulary: number;
	readonly word: number;
	readonly exact: string | undefined;
}

export class WordPass {
	readonly #vocabularies: readonly Vocabulary[];
	readonly #finder: WordFinder;
	/** Vocabularies that a word of the finder belongs to, by its index. */
	readonly #entries: readonly (readonly Entry[])[];

	constructor(vocabularies: readonly Vocabulary[]) {
		const entries = new Map<string, Entry[]>();
		for (const [vocabulary, { words, ignoresCase }] of vocabularies.entries()) {
			for (const [word, text] of words.entries()) {
				const small = text.toLowerCase();
				const entry = { vocabulary, word, exact: ignoresCase ? undefined : text };
				entries.set(small, [...(entries.get(small) ?? []), entry]);
			}
		}
		this.#vocabularies = vocabularies;
		this.#finder = new WordFinder([...entries.keys()]);
		this.#entries = [...entries.values()];
	}

	read(text: string): WordFindings {
		const findings: WordFindings = { secrets: [], held: new Set() };
		const readings: (WordReading | undefined)[] = [];
		this.#finder.find(text, (index, end) => {
			for (const { vocabulary, word, exact } of this.#entries[index] ?? []) {
				if (exact === undefined || text.startsWith(exact, end - exact.length)) {
					const reading = (readings[vocabulary] ??= this.#vocabularies[vocabulary]?.begin(text, findings));
					reading?.tell(word, end);
				}
			}
		});
		for (const reading of readings) reading?.finish();
		return findings;
	}
}
