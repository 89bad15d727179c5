/** Fast path: tells the local time or date. */
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { writeAnswer } from '../write-answer.ts';

const DATE_TIME_QUESTIONS = {
	en: /^(?:what (?:time|date|day) is it|what(?:'s| is) (?:the (?:current )?(?:time|date|date and time|time and date)|today's date))(?: (?:right )?now| today)?$/,
	de: /^(?:wie spät ist es|wieviel uhr ist es|wie viel uhr ist es|welcher tag ist heute|welches datum (?:ist|haben wir) heute|der wievielte ist heute)(?: jetzt| gerade)?$/,
};

export const dateTime: FastPath<Language> = {
	name: 'date-time',
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
