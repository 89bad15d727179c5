/** Takes a retry of an older message back: what it removed stands in the thread again, and receivers follow by events. */
import { ProwessError } from '../../../protocol/errors.ts';
import type { TurnId } from '../../../protocol/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { eventsSince, seeThread } from '../updates/seen-thread.ts';
import type { ThreadHold } from '../thread-hold.ts';

/** `from`: the first turn of what is to be put back; undefined: whatever there is. Throws TURN_RUNNING and INVALID_STATE. */
export function restoreRemovedTurns(store: ThreadStore, hold: ThreadHold, from: TurnId | undefined): void {
	const { threadId, writer } = hold;
	const before = seeThread(store, threadId);
	if (before?.row.running_turn !== null) {
		throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${threadId}`, { threadId });
	}
	hold.change('power', () => {
		if (!writer.putBack(from)) {
			throw new ProwessError('INVALID_STATE', 'nothing that was removed from this thread can be put back', {
				threadId,
				said: text('Nothing was removed here that could be put back.'),
			});
		}
		const now = seeThread(store, threadId, before);
		return now === undefined ? [] : (eventsSince(before, now) ?? []);
	});
}
