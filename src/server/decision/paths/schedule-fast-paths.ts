/** Fast paths about schedules: lists them, names the next run, pauses and resumes one. */
import { cutText } from '../../../base/text/one-line.ts';
import type { ListedSchedule } from '../../../protocol/ops/definitions/agent/schedule.ts';
import { schedulesNamed } from '../../../protocol/schedule/schedules-named.ts';
import { type PauseWish, pauseWish } from '../../../protocol/thread/message/user-wishes.ts';
import { requestHostOp } from '../../host/request-op.ts';
import { detectLanguage, type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { runSilentOp, writeAnswer } from '../run-op.ts';

const SCHEDULE_LIST_QUESTIONS = {
	en: /^(?:(?:list|show)(?: me)?(?: all)?(?: (?:the|my))? (?:schedules|scheduled (?:runs|prompts|tasks)|reminders)|(?:which|what) schedules (?:are there|do i have))$/,
	de: /^(?:(?:zeige?|liste)(?: mir)?(?: alle)?(?: die| meine)? (?:zeitpläne|geplanten (?:läufe|aufgaben)|erinnerungen)(?: auf)?|welche zeitpläne (?:gibt es|habe ich))$/,
};

const NEXT_RUN_QUESTIONS = {
	en: /^(?:when (?:is|does) the next (?:scheduled run|run|schedule)(?: due| run)?|(?:what is|what's) scheduled next|which schedule (?:is|runs) next)$/,
	de: /^(?:wann (?:ist|läuft) der nächste (?:geplante lauf|lauf|zeitplan)(?: fällig)?|was ist als nächstes geplant|welcher zeitplan läuft als nächste[rs])$/,
};

const NEXT_OF = {
	en: /^when (?:does (?:the|my) (?:schedule|reminder) ["“`]?(.{1,200}?)["”`]? run(?: next)?|is the next run of ["“`]?(.{1,200}?)["”`]?) ?\??$/i,
	de: /^wann läuft (?:der|mein|die|meine) (?:zeitplan|erinnerung) ["„`]?(.{1,200}?)["“”`]?(?: (?:als nächstes|das nächste mal))? ?\??$/i,
};

interface ScheduleQuestion {
	readonly language: Language;
	/** True when the question is about a single run: the next one. */
	readonly isNext: boolean;
	readonly name?: string | undefined;
}

export const scheduleListFastPath: FastPath<ScheduleQuestion> = {
	name: 'schedule-list',
	openings: toWordSet("list show which what what's when zeige zeig liste welche wann was welcher"),
	match(text) {
		const list = detectLanguage(text, SCHEDULE_LIST_QUESTIONS);
		const next = detectLanguage(text, NEXT_RUN_QUESTIONS);
		if (list !== undefined) return { language: list, isNext: false };
		if (next !== undefined) return { language: next, isNext: true };
		const languages: readonly Language[] = ['en', 'de'];
		for (const language of languages) {
			const found = NEXT_OF[language].exec(text.trim());
			if (found !== null) return { language, isNext: true, name: found[1] ?? found[2] };
		}
		return undefined;
	},
	async run({ language, isNext, name }, turn, deps, signal) {
		const { schedules } = await runSilentOp('schedule.list', {}, turn, deps, signal);
		const isGerman = language === 'de';
		if (isNext && schedulesNamed(schedules, name).length === 0) {
			throw new Error('nothing is scheduled that is asked about');
		}
		// In the order of their next run.
		const shown = isNext ? schedulesNamed(schedules, name).slice(0, 1) : schedules;
		const none = isGerman ? 'In diesem Projekt ist nichts geplant.' : 'Nothing is scheduled in this project.';
		const lines = shown.map((each) => `- ${scheduleLine(each, language)}`);
		writeAnswer(turn.journal, lines.length === 0 ? none : lines.join('\n'));
	},
};

/** A schedule to be paused or resumed. The host does it only where it has seen the user ask for it. */
export const schedulePauseFastPath: FastPath<{ readonly wish: PauseWish; readonly language: Language }> = {
	name: 'schedule-pause',
	openings: toWordSet('please bitte pause resume pausier pausiere halt halte setz setze'),
	match(text) {
		const wish = pauseWish(text);
		const isGerman = /^(?:bitte )?(?:pausier|halt|setz)/i.test(text.trim());
		return wish && { wish, language: isGerman ? 'de' : 'en' };
	},
	async run({ wish, language }, turn, deps, signal) {
		const { schedules } = await runSilentOp('schedule.list', {}, turn, deps, signal);
		const [meant, ...others] = schedulesNamed(schedules, wish.name);
		if (meant === undefined) {
			throw new Error('no schedule of this project fits');
		}
		if (others.length > 0) {
			const head =
				language === 'de'
					? 'Mehrere Zeitpläne passen. Nennen Sie einen mit seiner Id:'
					: 'Several schedules fit. Name one by its id:';
			const lines = [meant, ...others].map((each) => `- ${scheduleLine(each, language)}`);
			writeAnswer(turn.journal, `${head}\n\n${lines.join('\n')}`);
			return;
		}
		const asker = { host: deps.host, threadId: turn.threadId, turnId: turn.turnId };
		const switched = await requestHostOp('schedule.switch', wish, asker, signal);
		signal.throwIfAborted();
		writeAnswer(turn.journal, switched.ok ? scheduleLine(switched.result, language) : switched.text);
	},
};

const MOST_SCHEDULE_CHARS = 80;

const SCHEDULE_STATE_WORDS = {
	en: { paused: 'paused', over: 'no run to come', next: 'next', poll: 'next poll', last: 'last poll' },
	de: {
		paused: 'pausiert',
		over: 'kein Lauf mehr',
		next: 'nächster Lauf',
		poll: 'nächste Prüfung',
		last: 'letzte Prüfung',
	},
} as const;

/** A schedule in one line of an answer: when, what, its next run by the clock of its own zone, and its id. */
function scheduleLine({ id, text, when, next, zone, isPaused, watch }: ListedSchedule, language: Language): string {
	const { paused, over, next: run, poll, last } = SCHEDULE_STATE_WORDS[language];
	const ahead = watch === undefined ? run : poll;
	const what = cutText(text.replaceAll(/\s+/g, ' '), MOST_SCHEDULE_CHARS);
	const state = isPaused ? paused : next === null ? over : `${ahead}: ${formatRunTime(next, zone, language)}`;
	const seen = watch?.lastPoll ? `; ${last}: ${formatRunTime(watch.lastPoll, zone, language)}, ${watch.found}` : '';
	return `${when}: ${what} (${state}${seen}) \`${id}\``;
}

function formatRunTime(at: string, zone: string, language: Language): string {
	const locale = language === 'de' ? 'de-DE' : 'en-GB';
	const options = { timeZone: zone, dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' } as const;
	return `${new Intl.DateTimeFormat(locale, options).format(new Date(at))}, ${zone}`;
}
