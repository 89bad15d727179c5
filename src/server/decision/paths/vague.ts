/** A first message that says nothing to work on: the user is asked what is meant. */
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { writeAnswer } from '../write-answer.ts';

const VAGUE = {
	en: /^(?:help(?: me)?|please help(?: me)?|i need help|it does ?n[o']t work|it doesn't work|something is wrong|hm+)$/,
	de: /^(?:hilfe|hilf mir|ich brauche hilfe|(?:es|das) geht nicht|(?:es|das) funktioniert nicht|irgendwas stimmt nicht)$/,
};
/** Marks, pictures and spaces, without a letter or digit. */
const NO_WORDS = /^[^\p{L}\p{N}]+$/u;
const ANSWERS: { readonly [L in Language]: string } = {
	en: 'What shall I do? Name a file, an error message or a goal. For example: “Why does `npm test` fail?” or “Explain `src/cart.ts`”. `@` adds files, problems or changes to your message.',
	de: 'Was soll ich tun? Nennen Sie eine Datei, eine Fehlermeldung oder ein Ziel, zum Beispiel: „Warum schlägt `npm test` fehl?“ oder „Erkläre `src/cart.ts`“. Mit `@` hängen Sie Dateien, Probleme oder Änderungen an.',
};

export const vague: FastPath<Language> = {
	name: 'vague',
	match(text, { isFirst }) {
		// Later it may well be an answer.
		return isFirst ? (detectLanguage(text, VAGUE) ?? (NO_WORDS.test(text.trim()) ? 'en' : undefined)) : undefined;
	},
	async run(language, { journal }) {
		writeAnswer(journal, ANSWERS[language]);
	},
};
