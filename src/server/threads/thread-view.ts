/**
 * Rows as the protocol shows them. What we stored ourselves is not parsed again by schema; what a disk has altered so that it
 * is no JSON any more is said to be so in its place, and the rest of the thread remains.
 */
import type { OpError } from '../../protocol/broker.ts';
import type { ItemId, ThreadId, TurnId } from '../../protocol/ids.ts';
import { type Item, Mode, type ThreadInfo, type ThreadSnapshot, type Usage } from '../../protocol/thread.ts';
import type { TodoItem } from '../../protocol/todo-item.ts';
import type { ItemRow, MessageRow, ThreadRow, TurnRow } from '../../store/threads/thread-rows.ts';
import { kindOfHolder } from '../../store/threads/process-lease-holder.ts';
import type { ModelMessage } from '../models/model-port.ts';

/** `holder`: name of the other process that works in it. */
export function infoOf(row: ThreadRow, holder?: string): ThreadInfo {
	return {
		id: row.id as ThreadId,
		title: row.title,
		modelId: row.model_id,
		mode: Mode.safeParse(row.mode).data ?? 'ask',
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		workspace: row.workspace,
		running: row.running_turn !== null,
		...(holder === undefined ? {} : { heldBy: kindOfHolder(holder) }),
	};
}

export function itemOf(row: ItemRow): Item {
	const damaged: Item = {
		id: row.id as ItemId,
		turnId: row.turn_id as TurnId,
		at: new Date(0).toISOString(),
		kind: 'notice',
		level: 'error',
		actions: [],
		text: 'This part of the thread is damaged on the disk and cannot be read.',
	};
	return parsed<Item>(row.body, damaged);
}

export function messageOf(row: MessageRow): ModelMessage {
	return parsed<ModelMessage>(row.body, {
		role: 'user',
		text: '[A message of this conversation is damaged on the disk and cannot be read.]',
	});
}

export function usageOf(row: ThreadRow): Usage | null {
	return row.usage === null ? null : parsed<Usage | null>(row.usage, null);
}

export function todosOf(row: ThreadRow): TodoItem[] {
	return parsed<TodoItem[]>(row.todos, []);
}

function parsed<T>(json: string, damaged: T): T {
	try {
		return (JSON.parse(json) as T | null) ?? damaged;
	} catch {
		// SQLite checks its pages, not what is in them.
		return damaged;
	}
}

export function errorOf(row: TurnRow): OpError | undefined {
	return row.error === null ? undefined : parsed<OpError | undefined>(row.error, undefined);
}

/** `seq` of a thread that runs here is known better by its update stream. */
export function snapshotOf(
	row: ThreadRow,
	info: ThreadInfo,
	seq: number,
	last: { items: ItemRow[]; earlier: number },
): ThreadSnapshot {
	return {
		info,
		seq,
		items: last.items.map(itemOf),
		earlier: last.earlier,
		turnId: row.running_turn as TurnId | null,
		todos: todosOf(row),
		usage: usageOf(row),
	};
}

/** The first line of the first message, as a heading. */
export function titleFrom(text: string, maxChars: number): string {
	const [line = ''] = text.trim().split(/\r?\n/, 1);
	const characters = [...line.replace(/\s+/g, ' ').trim()];
	return characters.length > maxChars
		? `${characters.slice(0, maxChars - 1).join('')}…`
		: characters.join('') || 'New thread';
}
