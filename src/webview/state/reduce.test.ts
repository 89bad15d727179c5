import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import type { ThreadEvent, ThreadInfo, ThreadSnapshot, ThreadUpdate } from '../../protocol/thread/thread.ts';
import type { TypedInput } from '../../protocol/pages/typed-input.ts';
import { findAnnouncement } from './announcement.ts';
import { reduceView } from './reduce.ts';
import type { ViewEvent } from './view-event.ts';
import { initialState, type ViewState } from './view-state.ts';

const AT = '2026-11-20T12:00:00.000Z';
const threadId = newId('thr');
const turnId = newId('trn');
const itemId = newId('itm');

function info(given: Partial<ThreadInfo> = {}): ThreadInfo {
	return {
		id: threadId,
		title: 'A',
		modelId: null,
		mode: 'agent',
		createdAt: AT,
		updatedAt: AT,
		workspace: null,
		running: false,
		...given,
	};
}

function text(given: string): ThreadItem {
	return { id: itemId, turnId, at: AT, kind: 'text', text: given, done: false };
}

function snapshot(given: Partial<ThreadSnapshot> = {}): ThreadSnapshot {
	return { info: info(), seq: 1, items: [text('a')], earlier: 0, turnId: null, todos: [], usage: null, ...given };
}

function update(seq: number, ...events: ThreadEvent[]): ThreadUpdate {
	return { threadId, seq, events };
}

function delta(seq: number, given: string): ViewEvent {
	return { type: 'update', update: update(seq, { type: 'item.delta', itemId, text: given }) };
}

function after(...events: ViewEvent[]): ViewState {
	return events.reduce(reduceView, initialState());
}

const shown: ViewEvent = { type: 'threadShown', threadId };
const opened: readonly ViewEvent[] = [shown, { type: 'snapshot', snapshot: snapshot() }];

function shownText({ open }: ViewState): unknown {
	return open.kind === 'open' && open.snapshot.items.map((item) => ('text' in item ? item.text : ''));
}

describe('state of the view', () => {
	it('notes a gap, keeps what comes after it, and is whole again with the next snapshot', () => {
		const gap = after(...opened, delta(3, 'c'), delta(4, 'd'));
		assert.deepEqual(shownText(gap), ['a']);
		assert.equal(gap.open.kind === 'open' && gap.open.gap?.length, 2);
		const whole = reduceView(gap, { type: 'snapshot', snapshot: snapshot({ seq: 3, items: [text('abc')] }) });
		assert.deepEqual(shownText(whole), ['abcd']);
		assert.equal(whole.open.kind === 'open' && whole.open.gap, null);
	});

	it('notes a gap again when the new snapshot is older than what waits for it', () => {
		const gap = after(...opened, delta(5, 'e'));
		const still = reduceView(gap, { type: 'snapshot', snapshot: snapshot({ seq: 2, items: [text('ab')] }) });
		assert.equal(still.open.kind === 'open' && still.open.gap?.length, 1);
	});

	it('applies updates that came before the snapshot, and none twice', () => {
		assert.deepEqual(
			shownText(after(shown, delta(1, 'a'), delta(2, 'b'), { type: 'snapshot', snapshot: snapshot() })),
			['ab'],
		);
	});

	it('ignores a snapshot, a failure and changes of a thread that is no longer shown', () => {
		const other = newId('thr');
		const state = after(...opened);
		assert.equal(reduceView(state, { type: 'snapshot', snapshot: snapshot({ info: info({ id: other }) }) }), state);
		assert.equal(reduceView(state, { type: 'openFailed', threadId: other, error: { message: 'x' } }), state);
		assert.equal(reduceView(state, { type: 'changes', threadId: other, changes: [], undone: [] }), state);
	});

	it('keeps an open thread in sight while it is fetched again', () => {
		assert.deepEqual(shownText(after(...opened, shown)), ['a']);
	});

	it('leaves a thread that was deleted, in the list too', () => {
		const state = after({ type: 'threads', threads: [info()], isSearch: false }, ...opened, {
			type: 'update',
			update: update(2, { type: 'thread.deleted' }),
		});
		assert.deepEqual([state.open, state.threads], [{ kind: 'none' }, []]);
	});

	it('follows titles and running turns of threads that are not shown', () => {
		const renamed: ViewEvent = {
			type: 'update',
			update: update(7, { type: 'thread.changed', info: info({ title: 'B' }) }),
		};
		const started: ViewEvent = { type: 'update', update: update(8, { type: 'turn.start', turnId, modelId: 'm' }) };
		assert.deepEqual(
			after(renamed, started).threads.map(({ title, running }) => [title, running]),
			[['B', true]],
		);
	});

	it('adds no thread to those that a search has found, and follows those', () => {
		const found = info({ id: newId('thr'), title: 'found' });
		const state = after(
			{ type: 'threads', threads: [found], isSearch: true },
			...opened,
			{ type: 'update', update: update(2, { type: 'thread.changed', info: info({ title: 'B' }) }) },
			{ type: 'info', info: info({ title: 'C' }) },
			{ type: 'info', info: { ...found, title: 'found as well' } },
		);
		assert.deepEqual(
			state.threads.map(({ title }) => title),
			['found as well'],
		);
	});

	it('puts older items before the others, each once', () => {
		const older: ThreadItem = { ...text('older'), id: newId('itm') };
		const state = after(...opened, { type: 'earlier', threadId, items: [older, text('a')], earlier: 3 });
		assert.deepEqual(shownText(state), ['older', 'a']);
	});

	it('keeps the drafts of each thread apart', () => {
		const state = after(
			{ type: 'draft', threadId, draft: { text: 'one', refs: [] } },
			{ type: 'draft', threadId: null, draft: { text: 'two', refs: [] } },
			{ type: 'draft', threadId, draft: { text: '', refs: [] } },
		);
		assert.deepEqual(state.drafts, { new: { text: 'two', refs: [] } });
	});

	it('announces the end of a turn with the beginning of the answer', () => {
		const running = after(shown, {
			type: 'snapshot',
			snapshot: snapshot({ info: info({ running: true }), items: [text('x'.repeat(500))] }),
		});
		const ended = reduceView(running, {
			type: 'update',
			update: update(2, { type: 'turn.end', turnId, outcome: 'done', durationMs: 1 }),
		});
		const said = findAnnouncement(running, ended, (english, args = {}) =>
			english.replace('{text}', String(args['text'])),
		);
		assert.equal(said?.isUrgent, false);
		assert.equal(said?.text, `Done: ${'x'.repeat(240)}…`);
		assert.equal(
			findAnnouncement(ended, ended, (english) => english),
			undefined,
		);
	});

	it('announces a turn that was stopped as what it is', () => {
		const at = { turnId, at: AT };
		const stopped: ThreadItem = {
			...at,
			id: newId('itm'),
			kind: 'notice',
			level: 'info',
			text: 'Stopped.',
			actions: [],
		};
		const running = after(shown, {
			type: 'snapshot',
			snapshot: snapshot({ info: info({ running: true }), items: [text('**half**'), stopped] }),
		});
		const ended = reduceView(running, {
			type: 'update',
			update: update(2, { type: 'turn.end', turnId, outcome: 'stopped', durationMs: 1 }),
		});
		assert.equal(findAnnouncement(running, ended, (english) => english)?.text, 'Stopped.');
	});
});

describe('What the page before kept', () => {
	const started = (typed: TypedInput): ViewEvent => ({
		type: 'started',
		...initialState(),
		threadId,
		typed,
	});
	const kept: TypedInput = {
		drafts: { [threadId]: { text: 'older', refs: [] }, new: { text: 'other', refs: [] } },
		queues: { [threadId]: [{ id: itemId, text: 'waits', refs: [] }] },
	};

	it('is there when the page starts, once', () => {
		const state = after(started(kept));
		assert.deepEqual({ drafts: state.drafts, queues: state.queues }, kept);
		const cleared = reduceView(state, { type: 'draft', threadId, draft: { text: '', refs: [] } });
		assert.deepEqual(reduceView(cleared, started(kept)).drafts, { new: { text: 'other', refs: [] } });
	});

	it('gives way to what was typed meanwhile', () => {
		const typed: ViewEvent = { type: 'draft', threadId: null, draft: { text: 'newer', refs: [] } };
		assert.deepEqual(after(typed, started(kept)).drafts, {
			[threadId]: { text: 'newer', refs: [] },
			new: { text: 'other', refs: [] },
		});
	});

	it('is without the messages that the thread has by now', () => {
		const item: ThreadItem = { id: itemId, turnId, at: AT, kind: 'user', text: 'waits', context: [] };
		const opened: ViewEvent = { type: 'snapshot', snapshot: snapshot({ items: [item] }) };
		assert.deepEqual(after(started(kept), shown, opened).queues, {});
	});
});

describe('The mode of a new thread', () => {
	it('is that of the settings again once a thread is shown: a choice for one new thread is none for the next', () => {
		const chosen = [{ type: 'fresh', mode: 'ask' }] as const satisfies readonly ViewEvent[];
		const state = [...chosen, { type: 'threadShown', threadId } as const].reduce(reduceView, initialState());
		assert.equal(chosen.reduce(reduceView, initialState()).fresh.mode, 'ask');
		assert.equal(reduceView(state, { type: 'threadShown', threadId: null }).fresh.mode, 'agent');
	});
});
