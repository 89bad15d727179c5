/**
 * A thread as it was last seen in the store, and the events that lead from there to how it is now: so a receiver follows
 * what another process writes as it follows a turn of this one.
 */
import type { ItemId, TurnId } from '../../../protocol/rpc/ids.ts';
import { readStoredItem, readStoredTodos, readStoredUsage } from '../../../protocol/thread/stored-thread.ts';
import { type ThreadItem, type ToolItem, ToolPatch } from '../../../protocol/thread/items.ts';
import { type ThreadEvent, type ThreadInfo, TurnOutcome } from '../../../protocol/thread/thread.ts';
import { stepsSince } from '../../../protocol/turn/run-steps.ts';
import type { ItemRow, ThreadRow, TurnRow } from '../../../store/threads/thread-rows.ts';
import type { ThreadStore } from '../../../store/threads/thread-store.ts';
import { parseTurnError, toThreadInfo } from './thread-view.ts';

export interface SeenThread {
	readonly row: ThreadRow;
	readonly info: ThreadInfo;
	readonly turns: ReadonlyMap<string, TurnRow>;
	/** Items of the turns that were not over when it was seen before, and of the newer ones. */
	readonly items: ReadonlyMap<string, ItemRow>;
}

/** Undefined when there is no such thread. */
export function seeThread(store: ThreadStore, threadId: string, before?: SeenThread): SeenThread | undefined {
	const row = store.thread(threadId);
	if (row === undefined) {
		return undefined;
	}
	const turns = store.turns(threadId);
	const open = turns.filter(({ id, status }) => {
		const known = before?.turns.get(id);
		return status === 'running' || (before !== undefined && (known === undefined || known.status === 'running'));
	});
	const items = open.flatMap(({ id }) => store.itemsOfTurn(id));
	return {
		row,
		info: toThreadInfo(row, store.holderElsewhere(threadId)),
		turns: new Map(turns.map((turn) => [turn.id, turn])),
		items: new Map(items.map((item) => [item.id, item])),
	};
}

/** In order; undefined when no events say what was changed. */
export function eventsSince(before: SeenThread, now: SeenThread): ThreadEvent[] | undefined {
	const cut = [...before.turns.keys()].filter((id) => !now.turns.has(id)) as TurnId[];
	const events: ThreadEvent[] = [];
	if (JSON.stringify(now.info) !== JSON.stringify(before.info)) {
		events.push({ type: 'thread.changed', info: now.info });
	}
	if (cut.length > 0) {
		events.push({ type: 'thread.cut', turnIds: cut });
	}
	for (const turn of now.turns.values()) {
		const changes = turnEvents(turn, before, now);
		if (changes === undefined) {
			return undefined;
		}
		events.push(...changes);
	}
	if (now.row.todos !== before.row.todos) {
		events.push({ type: 'todos', items: readStoredTodos(now.row) });
	}
	const usage = readStoredUsage(now.row);
	if (now.row.usage !== before.row.usage && usage !== null) {
		events.push({ type: 'usage', usage });
	}
	return events;
}

function turnEvents(turn: TurnRow, before: SeenThread, now: SeenThread): ThreadEvent[] | undefined {
	const known = before.turns.get(turn.id);
	if (known !== undefined && known.status !== 'running') {
		return [];
	}
	const turnId = turn.id as TurnId;
	const events: ThreadEvent[] = known === undefined ? [{ type: 'turn.start', turnId, modelId: turn.model_id }] : [];
	for (const row of before.items.values()) {
		if (row.turn_id === turn.id && !now.items.has(row.id)) {
			events.push({ type: 'item.revised', itemId: row.id as ItemId });
		}
	}
	for (const row of now.items.values()) {
		const changes = row.turn_id === turn.id ? itemEvents(before.items.get(row.id), row) : [];
		if (changes === undefined) {
			return undefined;
		}
		events.push(...changes);
	}
	if (turn.status !== 'running') {
		const error = parseTurnError(turn);
		events.push({
			type: 'turn.end',
			turnId,
			outcome: TurnOutcome.safeParse(turn.status).data ?? 'interrupted',
			durationMs: Math.max(0, Date.parse(turn.ended_at ?? '') - Date.parse(turn.started_at)) || 0,
			...(error === undefined ? {} : { error }),
		});
	}
	return events;
}

function itemEvents(before: ItemRow | undefined, row: ItemRow): ThreadEvent[] | undefined {
	if (before === undefined) {
		return [{ type: 'item.start', item: readStoredItem(row) }];
	}
	return before.body === row.body ? [] : computeItemChanges(readStoredItem(before), readStoredItem(row));
}

function computeItemChanges(was: ThreadItem, is: ThreadItem): ThreadEvent[] | undefined {
	const itemId = is.id;
	if (was.kind === 'tool' && is.kind === 'tool') {
		return toolChanges(was, is);
	}
	const isText = is.kind === 'text' || is.kind === 'thinking';
	const wasText = was.kind === 'text' || was.kind === 'thinking';
	if (!isText || !wasText || !is.text.startsWith(was.text)) {
		return undefined;
	}
	const events: ThreadEvent[] = createDeltaEvents(itemId, was.text, is.text);
	if (is.done && !was.done) {
		const durationMs = is.kind === 'thinking' ? is.durationMs : undefined;
		events.push({ type: 'item.end', itemId, ...(durationMs === undefined ? {} : { durationMs }) });
	}
	return events;
}

function toolChanges(was: ToolItem, is: ToolItem): ThreadEvent[] | undefined {
	const names = Object.keys(ToolPatch.shape) as (keyof ToolPatch)[];
	const changed = names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
	if (changed.some((name) => is[name] === undefined)) {
		return undefined;
	}
	const steps = stepsSince(was.steps, is.steps);
	if (steps === undefined) {
		return undefined;
	}
	const isGrown = is.output.startsWith(was.output);
	const patched = changed.filter((name) => name !== 'output' || !isGrown);
	const patch = Object.fromEntries(patched.map((name) => [name, is[name]])) as ToolPatch;
	const events = steps.map((step): ThreadEvent => ({ type: 'item.step', itemId: is.id, step }));
	if (isGrown) events.push(...createDeltaEvents(is.id, was.output, is.output));
	return patched.length === 0 ? events : [...events, { type: 'item.tool', itemId: is.id, patch }];
}

function createDeltaEvents(itemId: ItemId, was: string, is: string): ThreadEvent[] {
	return is.length === was.length ? [] : [{ type: 'item.delta', itemId, text: is.slice(was.length) }];
}
