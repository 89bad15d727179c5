/** A greeting or thanks, and nothing else. */
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { plainWords } from '../plain-words.ts';
import { writeAnswer } from '../write-answer.ts';

const GREETINGS = {
	en: /^(?:(?:hello|hi|hey)(?: there)?|good (?:morning|afternoon|evening)|thanks(?: a lot)?|thank you(?: very much)?)(?: prowess)?$/,
	de: /^(?:hallo|guten (?:morgen|tag|abend)|servus|moin|grüß gott|danke(?: schön| sehr)?|vielen dank)(?: prowess)?$/,
};
const GREETING_TEXTS: {
	readonly [L in Language]: { readonly hello: string; readonly thanks: string; readonly offer: string };
} = {
	en: {
		hello: 'Hello',
		thanks: 'You are welcome',
		offer:
			'I can read, search and explain the files of this workspace, change them, and run commands; just say what you need.',
	},
	de: {
		hello: 'Hallo',
		thanks: 'Gern geschehen',
		offer:
			'Ich kann die Dateien dieses Arbeitsbereichs lesen, durchsuchen, erklären und ändern und Befehle ausführen. Sagen Sie einfach, was Sie brauchen.',
	},
};

export const greeting: FastPath<{ readonly language: Language; readonly kind: 'thanks' | 'hello' }> = {
	name: 'greeting',
	match(text) {
		const language = detectLanguage(text, GREETINGS);
		return language && { language, kind: /thank|dank/.test(plainWords(text)) ? 'thanks' : 'hello' };
	},
	async run({ language, kind }, { journal }) {
		const texts = GREETING_TEXTS[language];
		writeAnswer(journal, `${texts[kind]}! ${texts.offer}`);
	},
};
