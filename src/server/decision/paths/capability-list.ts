/** Which capabilities there are. */
import type { FastPath } from '../fast-path.ts';
import { type Language, detectLanguage } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { writeAnswer } from '../write-answer.ts';

const CAPABILITY_LIST_QUESTIONS = {
	en: /^(?:(?:which|what) (?:capabilities|skills) (?:are there|are installed|are available|do you have|can i use)|(?:list|show)(?: me)?(?: all)?(?: the| my| your)?(?: available| installed)? (?:capabilities|skills))$/,
	de: /^(?:welche (?:fähigkeiten|skills) (?:gibt es|hast du|haben sie|sind installiert)|(?:zeige?|liste)(?: mir)?(?: alle| die| deine)* (?:fähigkeiten|skills)(?: auf)?)$/,
};

export const capabilityListFastPath: FastPath<Language> = {
	name: 'capability-list',
	match: (text) => detectLanguage(text, CAPABILITY_LIST_QUESTIONS),
	async run(language, turn, deps, signal) {
		const { capabilities, isComplete } = await runSilentOp('capability.list', {}, turn, deps, signal);
		if (capabilities.length === 0 || !isComplete) {
			throw new Error('the capabilities are not all known yet');
		}
		const lines = capabilities.map(({ type, name, description }) => `- \`${type}/${name}\`: ${description}`);
		const head = language === 'de' ? 'Diese Fähigkeiten gibt es:' : 'These capabilities are there:';
		writeAnswer(turn.journal, `${head}\n\n${lines.join('\n')}`);
	},
};
