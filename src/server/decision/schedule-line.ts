/** A schedule in one line of an answer: when, what, its next run by the clock of its own zone, and its id. */
import { cutText } from '../../base/text/cut-text.ts';
import type { ListedSchedule } from '../../protocol/ops/definitions/agent/schedule.ts';
import type { Language } from './language.ts';

const MOST_SCHEDULE_CHARS = 80;

const SCHEDULE_STATE_WORDS = {
	en: { paused: 'paused', over: 'no run to come', next: 'next' },
	de: { paused: 'pausiert', over: 'kein Lauf mehr', next: 'nächster Lauf' },
} as const;

export function scheduleLine({ id, text, when, next, zone, isPaused }: ListedSchedule, language: Language): string {
	const { paused, over, next: ahead } = SCHEDULE_STATE_WORDS[language];
	const what = cutText(text.replaceAll(/\s+/g, ' '), MOST_SCHEDULE_CHARS);
	const state = isPaused ? paused : next === null ? over : `${ahead}: ${formatRunTime(next, zone, language)}`;
	return `${when}: ${what} (${state}) \`${id}\``;
}

function formatRunTime(at: string, zone: string, language: Language): string {
	const locale = language === 'de' ? 'de-DE' : 'en-GB';
	const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
	return `${new Intl.DateTimeFormat(locale, options).format(new Date(at))}, ${zone}`;
}
