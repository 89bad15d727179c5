/** Goes back in a thread, puts back what that removed, and begins another thread with what was said in one. */
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { ID_PREFIXES, newId, type ThreadId, type TurnId } from '../../../protocol/rpc/ids.ts';
import { text } from '../../../protocol/text/text.ts';
import type { UserMessageContent } from '../../../protocol/thread/thread-requests.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { eventsSince, seeThread } from '../updates/seen-thread.ts';
import type { ThreadHold } from '../thread-hold.ts';
import { sentAgain, listUserItems } from '../user-messages.ts';

/**
 * Goes back to before a message of the user: the thread loses it and what came after, and keeps both to be put back.
 * Returns the turns taken out, oldest first. Throws TURN_RUNNING and TURN_NOT_FOUND.
 */
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

export function noTurn(threadId: ThreadId, turnId: TurnId): ProwessError {
	return new ProwessError('TURN_NOT_FOUND', `thread ${threadId} has no turn ${turnId}`, { threadId, turnId });
}

/**
 * Puts back what was removed; receivers follow by events. `from`: the first turn of it; undefined: whatever there is.
 * Throws TURN_RUNNING and INVALID_STATE.
 */
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

const FORK_TITLE_CHARS = 200;
const FORK_MARK = ' (fork)';

/**
 * Begins another thread with what was said in this one: both go on by themselves. `before`: the turn of the first
 * message that stays out; undefined: none does. Throws TURN_NOT_FOUND, and TURN_RUNNING where a turn that would be
 * copied has not come to its end.
 */
export function forkStoredThread(
	store: ThreadStore,
	{ id, title }: { readonly id: string; readonly title: string },
	before: TurnId | undefined,
): { readonly threadId: ThreadId; readonly said: UserMessageContent | null } {
	const from = id as ThreadId;
	const said = before === undefined ? null : requireSaidInTurn(store, from, before);
	const until = before === undefined ? undefined : store.turn(before)?.position;
	if (store.runningTurnsOf(from).some(({ position }) => until === undefined || position < until)) {
		throw new ProwessError('TURN_RUNNING', `a turn is running in thread ${from}`, { threadId: from });
	}
	const threadId = newId('thr');
	const name = title.endsWith(FORK_MARK) ? title : `${title.slice(0, FORK_TITLE_CHARS - FORK_MARK.length)}${FORK_MARK}`;
	store.fork(from, until, { id: threadId, title: name, at: new Date().toISOString() }, (prefix) => {
		const known = ID_PREFIXES.find((each) => each === prefix);
		return known === undefined ? `${prefix}_${threadId}` : newId(known);
	});
	return { threadId, said };
}
