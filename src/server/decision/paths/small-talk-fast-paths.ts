/** Fast paths for small talk: greetings and thanks, a message that names no work, the time and the date. */
import { detectLanguage, type FastPath, type Language, plainWords } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { writeAnswer } from '../run-op.ts';

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

export const greetingFastPath: FastPath<{ readonly language: Language; readonly kind: 'thanks' | 'hello' }> = {
	name: 'greeting',
	// A greeting would prove a wrong key, or an empty account, as fine.
	isOffAtFirst: true,
	openings: toWordSet('hello hi hey good thanks thank hallo guten servus moin grüß danke vielen'),
	match(text) {
		const language = detectLanguage(text, GREETINGS);
		return language && { language, kind: /thank|dank/.test(plainWords(text)) ? 'thanks' : 'hello' };
	},
	async run({ language, kind }, { journal }) {
		const texts = GREETING_TEXTS[language];
		writeAnswer(journal, `${texts[kind]}! ${texts.offer}`);
	},
};

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

/** A first message that says nothing to work on: the user is asked what is meant. */
export const vagueFastPath: FastPath<Language> = {
	name: 'vague',
	// Marks and pictures alone have no word.
	openings: new Set([...toWordSet('help please i it something hm hmm hmmm hmmmm hilfe hilf ich es das irgendwas'), '']),
	match(text, { isFirst }) {
		// Later it may well be an answer.
		return isFirst ? (detectLanguage(text, VAGUE) ?? (NO_WORDS.test(text.trim()) ? 'en' : undefined)) : undefined;
	},
	async run(language, { journal }) {
		writeAnswer(journal, ANSWERS[language]);
	},
};

const DATE_TIME_QUESTIONS = {
	en: /^(?:what (?:time|date|day) is it|what(?:'s| is) (?:the (?:current )?(?:time|date|date and time|time and date)|today's date))(?: (?:right )?now| today)?$/,
	de: /^(?:wie spät ist es|wieviel uhr ist es|wie viel uhr ist es|welcher tag ist heute|welches datum (?:ist|haben wir) heute|der wievielte ist heute)(?: jetzt| gerade)?$/,
};

/** Tells the local time or date. */
export const dateTimeFastPath: FastPath<Language> = {
	name: 'date-time',
	openings: toWordSet("what what's wie wieviel welcher welches der"),
	match: (text) => detectLanguage(text, DATE_TIME_QUESTIONS),
	async run(language, { journal }) {
		writeAnswer(journal, describeLocalTime(new Date(), language));
	},
};

function describeLocalTime(now: Date, language: Language): string {
	const locale = language === 'de' ? 'de-DE' : 'en-GB';
	const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full' }).format(now);
	const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
	const zone = time.resolvedOptions().timeZone;
	return language === 'de'
		? `Es ist ${time.format(now)} am ${date} (${zone}).`
		: `It is ${time.format(now)} on ${date} (${zone}).`;
}
