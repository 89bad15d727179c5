/** Applies updates to a snapshot: pure, and the same in the server, the view and the tests. */
import { assertNever } from '../../base/assert-never.ts';
import { mergeStep } from '../turn/run-steps.ts';
import type { ThreadItem } from './items.ts';
import type { ThreadEvent, ThreadSnapshot, ThreadUpdate } from './thread.ts';

/** The new snapshot, or `gap` when an update in between was missed: then ask for the snapshot again. Old updates change nothing. */
export function applyUpdate(snapshot: ThreadSnapshot, update: ThreadUpdate): ThreadSnapshot | 'gap' {
	const known = snapshot.seq - update.seq + 1;
	if (known < 0) {
		return 'gap';
	}
	return update.events.slice(known).reduce(applyEvent, snapshot);
}

export function applyEvent(snapshot: ThreadSnapshot, event: ThreadEvent): ThreadSnapshot {
	return { ...changeSnapshot(snapshot, event), seq: snapshot.seq + 1 };
}

function changeSnapshot(snapshot: ThreadSnapshot, event: ThreadEvent): ThreadSnapshot {
	switch (event.type) {
		case 'thread.changed':
			return { ...snapshot, info: event.info };
		case 'thread.deleted':
			return { ...snapshot, items: [], earlier: 0, turnId: null };
		case 'thread.cut':
			return { ...snapshot, items: snapshot.items.filter((item) => !event.turnIds.includes(item.turnId)) };
		case 'turn.start':
			return { ...snapshot, turnId: event.turnId, info: { ...snapshot.info, running: true } };
		case 'turn.model':
			return snapshot;
		case 'turn.end':
			return { ...snapshot, turnId: null, info: { ...snapshot.info, running: false } };
		case 'item.start':
			return { ...snapshot, items: [...snapshot.items, event.item] };
		case 'item.delta':
			return updateItem(snapshot, event.itemId, (item) => appendText(item, event.text));
		case 'item.tool':
			return updateItem(snapshot, event.itemId, (item) =>
				item.kind === 'tool' ? { ...item, ...(event.patch as Partial<typeof item>) } : item,
			);
		case 'item.step':
			return updateItem(snapshot, event.itemId, (item) =>
				item.kind === 'tool' ? { ...item, steps: mergeStep(item.steps ?? [], event.step) } : item,
			);
		case 'item.revised':
			return { ...snapshot, items: snapshot.items.filter(({ id }) => id !== event.itemId) };
		case 'item.end':
			return updateItem(snapshot, event.itemId, (item) => endItem(item, event.durationMs));
		case 'todos':
			return { ...snapshot, todos: event.items };
		case 'usage':
			return { ...snapshot, usage: event.usage };
		default:
			return assertNever(event);
	}
}

/** Running items are at the end, so the search starts there. */
function updateItem(snapshot: ThreadSnapshot, id: string, update: (item: ThreadItem) => ThreadItem): ThreadSnapshot {
	const index = snapshot.items.findLastIndex((item) => item.id === id);
	const item = snapshot.items[index];
	return item === undefined ? snapshot : { ...snapshot, items: snapshot.items.with(index, update(item)) };
}

function appendText(item: ThreadItem, text: string): ThreadItem {
	switch (item.kind) {
		case 'text':
		case 'thinking':
			return { ...item, text: item.text + text };
		case 'tool':
			return { ...item, output: item.output + text };
		default:
			return item;
	}
}

function endItem(item: ThreadItem, durationMs: number | undefined): ThreadItem {
	switch (item.kind) {
		case 'text':
			return { ...item, done: true };
		case 'thinking':
			return { ...item, done: true, ...(durationMs === undefined ? {} : { durationMs }) };
		default:
			return item;
	}
}
