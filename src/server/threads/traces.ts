/** Says how turns went, from what is stored of them: also of turns that failed, or were killed. */
import { ProwessError } from '../../protocol/errors.ts';
import type { ItemId, ThreadId, TurnId } from '../../protocol/ids.ts';
import type { RequestHandlers } from '../../protocol/rpc/peer.ts';
import { itemOf, parsedOr } from '../../protocol/stored-thread.ts';
import type { Item } from '../../protocol/thread.ts';
import type { traceRequests, TurnTrace } from '../../protocol/turn-trace.ts';
import type { TurnRow } from '../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../store/threads/thread-store.ts';
import { stored } from './store-failure.ts';
import { errorOf } from './thread-view.ts';

export function createTraces(store: ThreadStore): RequestHandlers<typeof traceRequests> {
	return {
		list: async ({ threadId }) => {
			if (stored(() => store.thread(threadId)) === undefined) {
				throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${threadId}`, { threadId });
			}
			return { turns: stored(() => store.turns(threadId)).map(traceOf) };
		},
		show: async ({ turnId }) => {
			const row = stored(() => store.turn(turnId));
			if (row === undefined) {
				throw new ProwessError('TURN_NOT_FOUND', `there is no turn ${turnId}`, { turnId });
			}
			const items = stored(() => store.itemsOfTurn(turnId)).map(itemOf);
			return { ...traceOf(row), items: items.flatMap(tracedItem) };
		},
	};
}

function traceOf(row: TurnRow): Omit<TurnTrace, 'items'> {
	const error = errorOf(row);
	return {
		turnId: row.id as TurnId,
		threadId: row.thread_id as ThreadId,
		modelId: row.model_id,
		status: row.status,
		startedAt: row.started_at,
		endedAt: row.ended_at,
		...(error === undefined ? {} : { error }),
		stages: parsedOr<TurnTrace['stages']>(row.trace ?? '[]', []),
	};
}

function tracedItem(item: Item): TurnTrace['items'] {
	const { id, at } = item;
	const traced = { itemId: id as ItemId, at };
	switch (item.kind) {
		case 'tool':
			return [
				{
					...traced,
					kind: 'tool',
					text: item.title,
					opId: item.opId,
					status: item.status,
					...(item.durationMs === undefined ? {} : { durationMs: item.durationMs }),
					...(item.error === undefined ? {} : { error: item.error.code }),
				},
			];
		case 'notice':
			return [{ ...traced, kind: 'notice', text: item.text }];
		case 'compaction':
			return [
				{
					...traced,
					kind: 'compaction',
					text: `${item.messages} older messages left${item.model === undefined ? '' : `, summarized by ${item.model}`}`,
				},
			];
		default:
			return [];
	}
}
