/** A schedule to be paused or resumed. The host does it only where it has seen the user ask for it. */
import { schedulesNamed } from '../../../protocol/schedule/schedules-named.ts';
import { type PauseWish, pauseWish } from '../../../protocol/thread/message/user-wishes.ts';
import { requestHostOp } from '../../host/request-op.ts';
import type { FastPath } from '../fast-path.ts';
import type { Language } from '../language.ts';
import { runSilentOp } from '../look.ts';
import { scheduleLine } from '../schedule-line.ts';
import { writeAnswer } from '../write-answer.ts';

export const schedulePause: FastPath<{ readonly wish: PauseWish; readonly language: Language }> = {
	name: 'schedule-pause',
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
