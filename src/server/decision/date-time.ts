/** What time or date it is here. */
import type { FastPath } from './fast-path.ts';
import { plainWords } from './plain-words.ts';
import { writeAnswer } from './write-answer.ts';

const QUESTIONS =
	/^(?:what (?:time|date|day) is it|what(?:'s| is) (?:the (?:current )?(?:time|date|date and time|time and date)|today's date))(?: (?:right )?now| today)?$/;

export const dateTime: FastPath<true> = {
	name: 'date-time',
	match: (text) => QUESTIONS.test(plainWords(text)) || undefined,
	async run(_match, { journal }) {
		writeAnswer(journal, `It is ${localTime(new Date())}.`);
	},
};

function localTime(now: Date): string {
	const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format(now);
	const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
	return `${time.format(now)} on ${date} (${time.resolvedOptions().timeZone})`;
}
