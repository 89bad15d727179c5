/** A run to be stopped: the one that is named by its id, or the only one. */
import type { FastPath } from '../fast-path.ts';
import type { Language } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { runJournaledOp } from '../run-op.ts';
import { writeAnswer } from '../write-answer.ts';

const STOP = {
	en: /^(?:stop|cancel|end) (?:(?:the |that )?(?:run|execution)|(?:the )?(?:run |execution )?[`"]?(cap_[\w-]+)[`"]?)[.!]?$/i,
	de: /^(?:stoppe?|beende|brich) (?:(?:den |die )?(?:lauf|ausführung)|(?:den |die )?(?:lauf |ausführung )?[`"]?(cap_[\w-]+)[`"]?)(?: ab)?[.!]?$/i,
};

export const stopRun: FastPath<{ readonly language: Language; readonly executionId: string | undefined }> = {
	name: 'stop-run',
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
			writeAnswer(
				turn.journal,
				isGerman ? 'In diesem Thread läuft nichts davon.' : 'No such run goes on in this thread.',
			);
			return;
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
