/**
 * Rows of the store as the protocol shows them: by the server that writes them, and by a host whose server is gone. A row is
 * not parsed again by schema, because we stored it ourselves; where a disk has altered it so that it is no JSON any more,
 * its place says so, and the rest of the thread remains.
 */
import type { TodoItem } from '../ops/define-op.ts';
import { type ItemId, ThreadId, type TurnId } from '../rpc/ids.ts';
import { Effort } from '../turn/models.ts';
import { endFollowing, endOpenSteps, mergeStep, type RunStep } from '../turn/run-steps.ts';
import { isOpenCall, type ThreadItem, type ToolItem } from './items.ts';
import { Mode, Shelf, type ThreadInfo, type ThreadSnapshot, type Usage } from './thread.ts';

interface StoredThread {
	readonly id: string;
	readonly title: string;
	readonly model_id: string | null;
	readonly mode: string;
	readonly effort: string | null;
	readonly shelf: string | null;
	readonly agent: string | null;
	readonly created_at: string;
	readonly updated_at: string;
	readonly workspace: string | null;
	readonly running_turn: string | null;
	readonly set_aside: number | null;
	readonly todos: string;
	readonly usage: string | null;
}

interface StoredItem {
	readonly id: string;
	readonly turn_id: string;
	readonly body: string;
}

export function storedInfo(row: StoredThread): ThreadInfo {
	return {
		id: row.id as ThreadId,
		title: row.title,
		modelId: row.model_id,
		mode: Mode.safeParse(row.mode).data ?? 'ask',
		...readEffortField(row),
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		workspace: row.workspace,
		...readShelfField(row),
		...readAgentFields(row),
		running: row.running_turn !== null,
		...(row.set_aside === null ? {} : { setAside: row.set_aside }),
	};
}

function readEffortField({ effort }: StoredThread): Pick<ThreadInfo, 'effort'> {
	const read = Effort.safeParse(effort);
	return read.success ? { effort: read.data } : {};
}

function readShelfField({ shelf }: StoredThread): Pick<ThreadInfo, 'shelf'> {
	const read = Shelf.safeParse(shelf);
	return read.success ? { shelf: read.data } : {};
}

function readAgentFields({ agent }: StoredThread): Pick<ThreadInfo, 'parent' | 'agent'> {
	const told = parsedOr<{ parent?: unknown; name?: unknown } | null>(agent ?? 'null', null);
	const parent = ThreadId.safeParse(told?.parent);
	return parent.success ? { parent: parent.data } : typeof told?.name === 'string' ? { agent: told.name } : {};
}

export function readStoredItem(row: StoredItem): ThreadItem {
	const damaged: ThreadItem = {
		id: row.id as ItemId,
		turnId: row.turn_id as TurnId,
		at: new Date(0).toISOString(),
		kind: 'notice',
		level: 'error',
		actions: [],
		text: 'This part of the thread is damaged on the disk and cannot be read.',
	};
	return parsedOr<ThreadItem>(row.body, damaged);
}

export function readStoredUsage(row: StoredThread): Usage | null {
	return row.usage === null ? null : parsedOr<Usage | null>(row.usage, null);
}

export function readStoredTodos(row: StoredThread): TodoItem[] {
	return parsedOr<TodoItem[]>(row.todos, []);
}

/** `seq` of a thread that runs here is known better by its update stream. */
export function toThreadSnapshot(
	row: StoredThread,
	info: ThreadInfo,
	seq: number,
	last: { items: StoredItem[]; earlier: number },
): ThreadSnapshot {
	return {
		info,
		seq,
		items: last.items.map(readStoredItem),
		earlier: last.earlier,
		turnId: row.running_turn as TurnId | null,
		todos: readStoredTodos(row),
		usage: readStoredUsage(row),
	};
}

/** A thread as its next snapshot will say at least, when the server that ran it is gone. */
export function atRest(snapshot: ThreadSnapshot): ThreadSnapshot {
	const info = { ...snapshot.info, running: false };
	return { ...snapshot, info, turnId: null, items: snapshot.items.map(itemAtRest) };
}

export function itemAtRest(item: ThreadItem): ThreadItem {
	switch (item.kind) {
		case 'text':
		case 'thinking':
			return item.done ? item : { ...item, done: true };
		case 'tool':
			return {
				...item,
				...(isOpenCall(item.status) ? { status: 'interrupted' } : {}),
				...(item.steps === undefined ? {} : { steps: stepsAtRest(item, item.steps) }),
			};
		default:
			return item;
	}
}

/** No step stays open, and a run in the background is over, too: it ended with its host, or its server. */
function stepsAtRest({ inBackground }: Pick<ToolItem, 'inBackground'>, steps: readonly RunStep[]): RunStep[] {
	const last = inBackground === true ? endFollowing(steps, 'interrupted') : endOpenSteps(steps, 'interrupted');
	return last.reduce(mergeStep, [...steps]);
}

export function parsedOr<T>(json: string, damaged: T): T {
	try {
		return (JSON.parse(json) as T | null) ?? damaged;
	} catch {
		// SQLite checks its pages, not what is in them.
		return damaged;
	}
}
