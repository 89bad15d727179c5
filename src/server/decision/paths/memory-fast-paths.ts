/** Fast paths about memories: keeps one, and lists those that fit a subject. */
import { isOneStatement, rememberWish } from '../../../protocol/thread/message/user-wishes.ts';
import { type FastPath, type Language } from '../fast-path.ts';
import { toWordSet } from '../../turn/plain-words.ts';
import { runJournaledOp, runSilentOp, writeAnswer } from '../run-op.ts';

/** Something to be remembered for later threads. The host takes it as the user's own words only where it has seen them. */
export const memoryAddFastPath: FastPath<{ readonly text: string; readonly isGerman: boolean }> = {
	name: 'memory-add',
	openings: toWordSet('please bitte remember note merk merke'),
	match(message) {
		const text = rememberWish(message);
		return text === undefined ? undefined : { text, isGerman: /\bmerke? dir\b/i.test(message) };
	},
	async run({ text, isGerman }, turn, deps, signal) {
		if (!deps.settings()['prowess.memory.enabled'] || deps.workspace().folders.length === 0) {
			throw new Error('nothing can be remembered here');
		}
		const { result, text: why } = await runJournaledOp('memory.remember', { text }, turn, deps, signal);
		const done = isGerman
			? 'Gemerkt für spätere Threads dieses Projekts.'
			: 'Remembered for later threads of this project.';
		const waits = isGerman
			? 'Notiert. Es wartet auf der Seite *Automatisierung* unter *Gedächtnis* auf Ihre Durchsicht.'
			: 'Noted. It waits for your review on the page *Automation*, below *Memory*.';
		writeAnswer(turn.journal, result === undefined ? why : result.state === 'kept' ? done : waits);
	},
};

const MEMORY_QUESTION = {
	en: /^what do you remember (?:about|of) (\S.{0,80}?) ?\??$/i,
	de: /^(?:was|woran) (?:hast du dir|erinnerst du dich) (?:über|zu|bei) (\S.{0,80}?)(?: gemerkt)? ?\??$/i,
};

/** Lists the memories that a recall finds for a few words; a recall also gives the user's preferences. */
export const memoryListFastPath: FastPath<{ readonly language: Language; readonly query: string }> = {
	name: 'memory-list',
	openings: toWordSet('what was woran'),
	match(text) {
		const en = MEMORY_QUESTION.en.exec(text.trim())?.[1];
		const de = MEMORY_QUESTION.de.exec(text.trim())?.[1];
		const query = en ?? de;
		return query !== undefined && isOneStatement(query)
			? { language: en === undefined ? 'de' : 'en', query }
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
