/** The last commit of a turn, and the last words about it; also of a turn that another process left behind. */
import { readStoredItem } from '../../protocol/thread/stored-thread.ts';
import type { ToolItem } from '../../protocol/thread/items.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { sayWithSender } from '../history/messages.ts';
import { NO_RESULT, toolCalls } from '../history/repair.ts';
import type { ToolResultPart } from '../models/model-port.ts';
import type { SettledTurnEnd } from '../turn/turn.ts';
import type { ThreadHold } from './thread-hold.ts';
import { parseStoredMessage } from './updates/thread-view.ts';
import type { ThreadJournal } from './thread-journal.ts';

export function endTurn(
	store: ThreadStore,
	hold: ThreadHold,
	journal: ThreadJournal,
	end: SettledTurnEnd,
	durationMs: number,
): void {
	const endedAt = new Date().toISOString();
	journal.together('power', () => {
		journal.endAll({ status: 'cancelled' });
		journal.flush();
		completeHistory(store, journal);
		sayUnread(store, journal);
		if (end.notice !== undefined) {
			journal.notice(end.notice);
		}
		const error = end.error === undefined ? null : JSON.stringify(end.error);
		hold.writer.endTurn({ id: journal.turnId, status: end.outcome, endedAt, error });
		hold.writer.change({ updated_at: endedAt });
	});
	const error = end.error === undefined ? {} : { error: end.error };
	hold.change('process', () => [
		{ type: 'turn.end', turnId: journal.turnId, outcome: end.outcome, durationMs: Math.round(durationMs), ...error },
	]);
}

/**
 * Adds to the history what no message holds yet: results of the last calls, or text of an answer that did not come to
 * its end.
 */
function completeHistory(store: ThreadStore, journal: ThreadJournal): void {
	const last = store.lastMessage(journal.threadId);
	const message = last === undefined ? undefined : parseStoredMessage(last);
	const calls = message?.role === 'assistant' ? toolCalls(message.parts) : [];
	const items = store.itemsOfTurn(journal.turnId).filter((row) => row.in_history === 0);
	if (calls.length > 0) {
		const results = calls.map(({ callId, tool }): ToolResultPart => {
			const row = items.findLast((each) => each.call_id === callId);
			const item = row === undefined ? undefined : readStoredItem(row);
			return item?.kind === 'tool'
				? { callId, tool, text: formatUnfinishedResult(item), isError: item.status !== 'done' }
				: { callId, tool, text: 'Not run: the turn ended before it began.', isError: true };
		});
		journal.say({ role: 'tool', results });
		return;
	}
	const parts = items
		.map(readStoredItem)
		.flatMap((item) => (item.kind === 'text' && item.text !== '' ? [{ kind: 'text' as const, text: item.text }] : []));
	if (parts.length > 0) {
		journal.say({ role: 'assistant', parts });
	}
}

/** Returns the text of a call without a result: the reason first, then the output that the call had given. */
function formatUnfinishedResult({ told, output }: ToolItem): string {
	return [told, output].filter((text) => text !== undefined && text !== '').join('\n') || NO_RESULT;
}

/** Messages that the user sent while the turn ran and that the model had not read by its end: it reads them in the next one. */
function sayUnread(store: ThreadStore, journal: ThreadJournal): void {
	const unread = store
		.itemsOfTurn(journal.turnId)
		.filter((row) => row.in_history === 0)
		.map(readStoredItem)
		.filter((item) => item.kind === 'user');
	if (unread.length > 0) {
		const text = unread.map((item) => sayWithSender(item)).join('\n\n');
		journal.say(
			{ role: 'user', text },
			unread.map(({ id }) => id),
		);
	}
}
