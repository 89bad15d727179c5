/** Fast path: lists the memories that a recall finds for a few words; a recall also gives the user's preferences. */
import type { FastPath } from '../fast-path.ts';
import type { Language } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { writeAnswer } from '../write-answer.ts';

const MEMORY_QUESTION = {
	en: /^what do you remember (?:about|of) (\S.{0,80}?) ?\??$/i,
	de: /^(?:was|woran) (?:hast du dir|erinnerst du dich) (?:über|zu|bei) (\S.{0,80}?)(?: gemerkt)? ?\??$/i,
};

export const memoryList: FastPath<{ readonly language: Language; readonly query: string }> = {
	name: 'memory-list',
	match(text) {
		const en = MEMORY_QUESTION.en.exec(text.trim())?.[1];
		const de = MEMORY_QUESTION.de.exec(text.trim())?.[1];
		return en !== undefined
			? { language: 'en', query: en }
			: de !== undefined
				? { language: 'de', query: de }
				: undefined;
	},
	async run({ language, query }, turn, deps, signal) {
		const { memories } = await runSilentOp('memory.recall', { query }, turn, deps, signal);
		if (memories.length === 0) {
			// Leave the question to the model: it may know the answer from elsewhere.
			throw new Error('nothing that was remembered fits');
		}
		const head = language === 'de' ? 'Gemerkt ist dazu:' : 'This is remembered:';
		writeAnswer(turn.journal, `${head}\n\n${memories.map(({ text }) => `- ${text}`).join('\n')}`);
	},
};
