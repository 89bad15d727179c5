/** Goes back to before a message of the user: the thread loses it and what came after, and keeps both to be put back. */
import { ProwessError } from '../../../protocol/errors.ts';
import type { ThreadId, TurnId } from '../../../protocol/ids.ts';
import type { UserMessageContent } from '../../../protocol/thread/thread-requests.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { eventsSince, seeThread } from '../updates/seen-thread.ts';
import type { ThreadHold } from '../thread-hold.ts';
import { sentAgain, listUserItems } from '../user-messages.ts';

/** Turns taken out, oldest first. Throws TURN_RUNNING and TURN_NOT_FOUND. */
export function rewindThread(
	store: ThreadStore,
	hold: ThreadHold,
	turnId: TurnId,
	files: 'restored' | 'kept',
): TurnId[] {
	const { threadId, writer } = hold;
	const before = seeThread(store, threadId);
	if (before?.row.running_turn !== null) {
		throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${threadId}`, { threadId });
	}
	let removed: TurnId[] = [];
	hold.change('power', () => {
		removed = writer.rewind(turnId, files) as TurnId[];
		if (removed.length === 0) {
			throw noTurn(threadId, turnId);
		}
		const now = seeThread(store, threadId, before);
		return now === undefined ? [] : (eventsSince(before, now) ?? []);
	});
	return removed;
}

/** All that the user said in a turn, to be said again. Throws TURN_NOT_FOUND. */
export function requireSaidInTurn(store: ThreadStore, threadId: ThreadId, turnId: TurnId): UserMessageContent {
	const [first, ...others] = listUserItems(store, turnId);
	if (first === undefined || store.turn(turnId)?.thread_id !== threadId) {
		throw noTurn(threadId, turnId);
	}
	return sentAgain([first, ...others], undefined);
}

function noTurn(threadId: ThreadId, turnId: TurnId): ProwessError {
	return new ProwessError('TURN_NOT_FOUND', `thread ${threadId} has no turn ${turnId}`, { threadId, turnId });
}
