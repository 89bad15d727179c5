/** Which capabilities there are. */
import type { FastPath } from '../fast-path.ts';
import { type Language, languageOf } from '../language.ts';
import { look } from '../look.ts';
import { writeAnswer } from '../write-answer.ts';

const QUESTIONS = {
	en: /^(?:(?:which|what) (?:capabilities|skills) (?:are there|are installed|are available|do you have|can i use)|(?:list|show)(?: me)?(?: all)?(?: the| my| your)?(?: available| installed)? (?:capabilities|skills))$/,
	de: /^(?:welche (?:fähigkeiten|skills) (?:gibt es|hast du|haben sie|sind installiert)|(?:zeige?|liste)(?: mir)?(?: alle| die| deine)* (?:fähigkeiten|skills)(?: auf)?)$/,
};

export const capabilityList: FastPath<Language> = {
	name: 'capability-list',
	match: (text) => languageOf(text, QUESTIONS),
	async run(language, turn, deps, signal) {
		const { capabilities, isComplete } = await look('capability.list', {}, turn, deps, signal);
		if (capabilities.length === 0 || !isComplete) {
			throw new Error('the capabilities are not all known yet');
		}
		const lines = capabilities.map(({ type, name, description }) => `- \`${type}/${name}\`: ${description}`);
		const head = language === 'de' ? 'Diese Fähigkeiten gibt es:' : 'These capabilities are there:';
		writeAnswer(turn.journal, `${head}\n\n${lines.join('\n')}`);
	},
};
