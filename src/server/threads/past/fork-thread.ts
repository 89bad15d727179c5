/** Begins another thread with what was said in this one, up to a message of the user: both go on by themselves. */
import { ProwessError } from '../../../protocol/errors.ts';
import { ID_PREFIXES, newId, type ThreadId, type TurnId } from '../../../protocol/ids.ts';
import type { UserMessageContent } from '../../../protocol/thread/thread-requests.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { requireSaidInTurn } from './rewind-thread.ts';

const FORK_TITLE_CHARS = 200;
const FORK_MARK = ' (fork)';

/**
 * `before`: the turn of the first message that stays out; undefined: none does. Throws TURN_NOT_FOUND, and TURN_RUNNING where
 * a turn that would be copied has not come to its end.
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
