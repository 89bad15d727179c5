/** Something to be remembered for later threads. The host takes it as the user's own words only where it has seen them. */
import { rememberWish } from '../../../protocol/thread/message/user-wishes.ts';
import type { FastPath } from '../fast-path.ts';
import { runJournaledOp } from '../run-op.ts';
import { writeAnswer } from '../write-answer.ts';

export const memoryAdd: FastPath<{ readonly text: string; readonly isGerman: boolean }> = {
	name: 'memory-add',
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
			? 'Notiert. Es wartet in der Ansicht *Gedächtnis* auf Ihre Durchsicht.'
			: 'Noted. It waits for your review in the view *Memory*.';
		writeAnswer(turn.journal, result === undefined ? why : result.state === 'kept' ? done : waits);
	},
};
