/** Fast paths about executions of capabilities: lists and stops them. */
import { detectLanguage, type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { runJournaledOp, runSilentOp, writeAnswer } from '../run-op.ts';

const RUNNING_QUESTIONS = {
	en: /^(?:what is running|what's running|which (?:capabilities|executions|runs) are running|(?:list|show)(?: me)?(?: all)?(?: the)? (?:executions|runs|running capabilities))$/,
	de: /^(?:was läuft(?: gerade)?|welche (?:fähigkeiten|ausführungen) laufen(?: gerade)?|(?:zeige?|liste)(?: mir)?(?: die| alle)? ausführungen(?: auf)?)$/,
};

/** Lists the executions that run for this thread, with their state. */
export const runningFastPath: FastPath<Language> = {
	name: 'running',
	openings: toWordSet("what what's which list show was welche zeige zeig liste"),
	match: (text) => detectLanguage(text, RUNNING_QUESTIONS),
	async run(language, turn, deps, signal) {
		const { executions } = await runSilentOp('capability.status', {}, turn, deps, signal);
		const lines = executions.map(
			({ type, name, status, executionId }) => `- \`${type}/${name}\`: ${status} (\`${executionId}\`)`,
		);
		const none = language === 'de' ? 'In diesem Thread läuft nichts.' : 'Nothing runs in this thread.';
		const head = language === 'de' ? 'Ausführungen dieses Threads:' : 'Executions of this thread:';
		writeAnswer(turn.journal, lines.length === 0 ? none : `${head}\n\n${lines.join('\n')}`);
	},
};

const STOP = {
	en: /^(?:stop|cancel|end) (?:(?:the |that )?(?:run|execution)|(?:the )?(?:run |execution )?[`"]?(cap_[\w-]+)[`"]?)[.!]?$/i,
	de: /^(?:stoppe?|beende|brich) (?:(?:den |die )?(?:lauf|ausführung)|(?:den |die )?(?:lauf |ausführung )?[`"]?(cap_[\w-]+)[`"]?)(?: ab)?[.!]?$/i,
};

/** A run to be stopped: the one that is named by its id, or the only one. */
export const stopRunFastPath: FastPath<{ readonly language: Language; readonly executionId: string | undefined }> = {
	name: 'stop-run',
	openings: toWordSet('stop cancel end stopp stoppe beende brich'),
	match(text) {
		const languages: readonly Language[] = ['en', 'de'];
		for (const language of languages) {
			const found = STOP[language].exec(text.trim());
			if (found !== null) return { language, executionId: found[1] };
		}
		return undefined;
	},
	async run({ language, executionId }, turn, deps, signal) {
		const { executions } = await runSilentOp('capability.status', {}, turn, deps, signal);
		const live = executions.filter(({ success }) => success === undefined);
		const [only, ...others] = live.filter((each) => executionId === undefined || each.executionId === executionId);
		const isGerman = language === 'de';
		if (only === undefined) {
			throw new Error('nothing runs that is meant; it may be a run of something else');
		}
		if (others.length > 0) {
			throw new Error('several run; the model asks which is meant');
		}
		const { result, text } = await runJournaledOp(
			'capability.stop',
			{ executionId: only.executionId },
			turn,
			deps,
			signal,
		);
		const stopped = `\`${only.type}/${only.name}\` ${isGerman ? 'ist gestoppt' : 'is stopped'}.`;
		writeAnswer(turn.journal, result === undefined ? text : stopped);
	},
};
