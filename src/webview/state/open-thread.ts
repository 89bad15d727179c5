/**
 * Applies updates to the shown thread in their order. Updates are kept while a snapshot is on its way, and never lost.
 */
import { applyUpdate } from '../../protocol/thread/apply-update.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import type { ThreadSnapshot, ThreadUpdate } from '../../protocol/thread/thread.ts';
import { type OpenThread, openThreadId } from './view-state.ts';

/** Enough for what can come while one snapshot is fetched; should more come, the next gap fetches again. */
const MAX_KEPT_UPDATES = 1000;

export function receiveUpdate(open: OpenThread, update: ThreadUpdate): OpenThread {
	if (openThreadId(open) !== update.threadId) {
		return open;
	}
	if (update.events.some((event) => event.type === 'thread.deleted')) {
		return { kind: 'none' };
	}
	switch (open.kind) {
		case 'none':
		case 'failed':
			return open;
		case 'loading':
			return { ...open, early: keepUpdate(open.early, update) };
		case 'open': {
			if (open.gap !== null) {
				return { ...open, gap: keepUpdate(open.gap, update) };
			}
			const snapshot = applyUpdate(open.snapshot, update);
			return snapshot === 'gap' ? { ...open, gap: [update] } : { kind: 'open', snapshot, gap: null };
		}
	}
}

/** A snapshot of the thread that is shown; one of another thread came too late. */
export function receiveSnapshot(open: OpenThread, snapshot: ThreadSnapshot): OpenThread {
	if (openThreadId(open) !== snapshot.info.id) {
		return open;
	}
	const kept = open.kind === 'loading' ? open.early : open.kind === 'open' ? (open.gap ?? []) : [];
	const start: OpenThread = { kind: 'open', snapshot, gap: null };
	return kept.reduce(receiveUpdate, start);
}

export function receiveEarlier(open: OpenThread, items: readonly ThreadItem[], earlier: number): OpenThread {
	if (open.kind !== 'open') {
		return open;
	}
	const known = new Set(open.snapshot.items.map((item) => item.id));
	const older = items.filter((item) => !known.has(item.id));
	return { ...open, snapshot: { ...open.snapshot, items: [...older, ...open.snapshot.items], earlier } };
}

function keepUpdate(updates: readonly ThreadUpdate[], update: ThreadUpdate): readonly ThreadUpdate[] {
	return [...updates, update].slice(-MAX_KEPT_UPDATES);
}
