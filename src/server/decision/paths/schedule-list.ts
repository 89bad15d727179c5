/** Which schedules there are in this project, and when the next run is due. */
import { schedulesNamed } from '../../../protocol/schedule/schedules-named.ts';
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { scheduleLine } from '../schedule-line.ts';
import { writeAnswer } from '../write-answer.ts';

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
