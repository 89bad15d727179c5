/** Takes a retry of an older message back: what it removed stands in the thread again, and receivers follow by events. */
import { ProwessError } from '../../protocol/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { eventsSince, seeThread } from './seen-thread.ts';
import type { ThreadHold } from './thread-hold.ts';

/** Throws TURN_RUNNING and INVALID_STATE. */
export function restoreThread(store: ThreadStore, hold: ThreadHold): void {
	const { threadId, writer } = hold;
	const before = seeThread(store, threadId);
	if (before?.row.running_turn !== null) {
		throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${threadId}`, { threadId });
	}
	hold.change('power', () => {
		if (!writer.putBack()) {
			throw new ProwessError('INVALID_STATE', 'no retry of an older message has removed anything here', {
				threadId,
				said: text('No retry of an older message has removed anything here.'),
			});
		}
		const now = seeThread(store, threadId, before);
		return now === undefined ? [] : (eventsSince(before, now) ?? []);
	});
}
