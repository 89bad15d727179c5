/** Messages of the user as rows: found again by the id that their writer gave them, so that none is taken twice. */
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { ItemId, ThreadId, TurnId } from '../../protocol/rpc/ids.ts';
import type { ResultOf } from '../../protocol/rpc/message.ts';
import type { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { readStoredItem } from '../../protocol/thread/stored-thread.ts';
import type { UserItem } from '../../protocol/thread/items.ts';
import { text } from '../../protocol/text/text.ts';
import type { ItemRow, ThreadRow } from '../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { sayWithSender } from '../history/messages.ts';
import { parseThreadAgent } from './updates/thread-view.ts';

/** Not in the history until it is said. */
export function toUserItemRow(item: UserItem): Omit<ItemRow, 'position' | 'in_history'> {
	return {
		id: item.id,
		turn_id: item.turnId,
		kind: 'user',
		op_id: null,
		call_id: null,
		body: JSON.stringify(item),
	};
}

/** Throws INVALID_STATE where a message of an agent would begin a turn in a thread of the user. */
export function refuseToBegin(row: ThreadRow, from: UserItem['from'] | undefined): void {
	if (from === undefined || parseThreadAgent(row)?.parent !== undefined) return;
	const message = 'the thread of the user rests, and only the user begins a turn there; say it in your report';
	throw new ProwessError('INVALID_STATE', message, {
		threadId: row.id,
		said: text('The thread that it works for rests. Only you begin a turn there.'),
	});
}

/** Turn in which a message of this id was taken before. Throws for an id that names anything else. */
export function turnOfMessage(store: ThreadStore, threadId: ThreadId, id: ItemId | undefined): TurnId | undefined {
	const row = id === undefined ? undefined : store.item(id);
	if (row !== undefined && (row.thread_id !== threadId || row.kind !== 'user')) {
		throw new ProwessError('INVALID_PARAMS', `messageId ${row.id} names no message of the user in ${threadId}`, {
			threadId,
			messageId: row.id,
		});
	}
	return row?.turn_id as TurnId | undefined;
}

/**
 * Returns the message that sends a turn again: all that the user said while the turn ran was meant for it as well.
 * `text`, when given, replaces the words and leaves the first message's context. Words of an agent stay its own.
 */
export function sentAgain(
	[first, ...others]: readonly [UserItem, ...UserItem[]],
	text: string | undefined,
): Pick<UserItem, 'text' | 'context' | 'from'> {
	if (text !== undefined) return { text, context: first.context };
	const more = others.filter(({ from }) => from === undefined);
	if (more.length === 0) return { text: first.text, context: first.context, ...(first.from && { from: first.from }) };
	const said = [first, ...more];
	return { text: said.map(sayWithSender).join('\n\n'), context: said.flatMap(({ context }) => context) };
}

/** A page of the messages that began a turn, from what lies after a position; `next` is null after the last page. */
export function listBegunMessages(
	store: ThreadStore,
	threadId: ThreadId,
	after: number,
	limit: number,
): ResultOf<typeof threadRequests.messages> {
	const rows = store.userItemsAfter(threadId, after, limit);
	const said = rows.map(readStoredItem).filter((item) => item.kind === 'user');
	const begun = said.filter((item) => item.isSteering !== true);
	return {
		messages: begun.map(({ turnId, at, text }) => ({ turnId, at, text })),
		next: rows.length < limit ? null : (rows.at(-1)?.position ?? null),
	};
}

/** All that the user said in a turn, in order. */
export function listUserItems(store: ThreadStore, turnId: TurnId): UserItem[] {
	return store
		.itemsOfTurn(turnId)
		.map(readStoredItem)
		.filter((item) => item.kind === 'user');
}
