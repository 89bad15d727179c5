/** A prompt that is answered without any model. */
import type { FastPathName } from '../../protocol/settings/groups/advanced.ts';
import type { Turn, TurnDeps } from '../turn/turn.ts';

/** Circumstances of a prompt that a fast path may depend on. */
export interface PromptPlace {
	/** True when the prompt is the first message of its thread. */
	readonly isFirst: boolean;
}

export interface FastPath<Match = unknown> {
	readonly name: FastPathName;
	/** True where it answers only if the user has switched it on. */
	readonly isOffAtFirst?: true;
	/** First words of all prompts that it answers, in lower case. With others, none of its patterns is compiled. */
	readonly openings: ReadonlySet<string>;
	/** Undefined unless the whole message asks for just this; what asks for more is the model's. */
	match(text: string, place: PromptPlace): Match | undefined;
	/**
	 * Leaves in the journal what a model's turn would. Rejects when the signal aborts. When it rejects with anything else, the
	 * model answers as it would without the table.
	 */
	run(match: Match, turn: Turn, deps: TurnDeps, signal: AbortSignal): Promise<void>;
}

/** The languages in which fast paths are asked and answer: that of the question. */
export type Language = 'en' | 'de';

/** Language whose pattern the whole prompt fits, but for case, spaces and its last mark. */
export function detectLanguage(text: string, patterns: { readonly [L in Language]: RegExp }): Language | undefined {
	const words = plainWords(text);
	return patterns.en.test(words) ? 'en' : patterns.de.test(words) ? 'de' : undefined;
}

/** A prompt without what does not change its meaning: case, spaces around and between words, punctuation at its end. */
export function plainWords(text: string): string {
	return text
		.trim()
		.toLowerCase()
		.replaceAll('’', "'")
		.replaceAll(/\s+/g, ' ')
		.replace(/ ?[.!?]{1,3}$/, '');
}
