/** The languages in which fast paths are asked and answer: that of the question. */
import { plainWords } from './plain-words.ts';

export type Language = 'en' | 'de';

/** Language whose pattern the whole prompt fits, but for case, spaces and its last mark. */
export function detectLanguage(text: string, patterns: { readonly [L in Language]: RegExp }): Language | undefined {
	const words = plainWords(text);
	return patterns.en.test(words) ? 'en' : patterns.de.test(words) ? 'de' : undefined;
}
