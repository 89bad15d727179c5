import assert from 'node:assert/strict';
import { countSteps, MAX_STEPS_KEPT, mergeStep, type RunStep, stepsSince } from '../turn/run-steps.ts';
import { applyEvent, applyUpdate } from './apply-update.ts';
import { newId } from '../rpc/ids.ts';
import type { ThreadItem, ToolItem } from './items.ts';
import { itemAtRest } from './stored-thread.ts';
import { type ThreadEvent, ThreadSnapshot } from './thread.ts';

const at = '2026-01-02T03:04:05.000Z';
const threadId = newId('thr');
const turnId = newId('trn');
const base = { turnId, at };
const user: ThreadItem = { ...base, id: newId('itm'), kind: 'user', text: 'hello', context: [] };
const text: ThreadItem = { ...base, id: newId('itm'), kind: 'text', text: 'Hi', done: false };
const thinking: ThreadItem = { ...base, id: newId('itm'), kind: 'thinking', text: 'Hm', done: false };
const tool: ThreadItem = {
	...base,
	id: newId('itm'),
	kind: 'tool',
	opId: newId('op'),
	tool: 'fs_read',
	title: 'Read a.ts',
	input: { path: 'a.ts' },
	status: 'pending',
	output: '',
	outputTruncated: false,
};
const info = {
	id: threadId,
	title: 'Hello',
	modelId: 'tour/tour',
	mode: 'agent' as const,
	createdAt: at,
	updatedAt: at,
	workspace: null,
	running: false,
};
const snapshot = (items: ThreadItem[] = [], seq = 0): ThreadSnapshot =>
	ThreadSnapshot.parse({ info, seq, items, earlier: 3, turnId: null, todos: [], usage: null });

/** The snapshot after the given events, in one update. */
function after(items: ThreadItem[], ...events: [ThreadEvent, ...ThreadEvent[]]): ThreadSnapshot {
	const next = applyUpdate(snapshot(items), { threadId, seq: 1, events });
	assert.notEqual(next, 'gap');
	return next as ThreadSnapshot;
}
const item = (result: ThreadSnapshot, index = 0) => result.items[index];

describe('Steps of a running capability', () => {
	const step = (id: number, status: RunStep['status'] = 'done'): RunStep => {
		return { id, kind: 'op', at, status, title: `Step ${id}` };
	};
	const kept = (steps: readonly RunStep[]) =>
		steps.reduce<ThreadSnapshot>(
			(snapshot, each) => applyEvent(snapshot, { type: 'item.step', itemId: tool.id, step: each }),
			snapshot([tool]),
		).items[0] as ToolItem;

	it('stand in their order, each in its last state, the newest of many', () => {
		const { steps = [] } = kept([step(2, 'running'), step(1), step(3, 'waiting'), step(2, 'failed')]);
		assert.deepEqual(
			steps.map(({ id, status }) => `${id} ${status}`),
			['1 done', '2 failed', '3 waiting'],
		);
		const many =
			kept([step(1, 'running'), ...Array.from({ length: 300 }, (_, at) => step(at + 2)), step(5)]).steps ?? [];
		assert.deepEqual([many.length, many[0]?.id, many[1]?.id, many.at(-1)?.id], [MAX_STEPS_KEPT, 1, 203, 301]);
		assert.equal(countSteps(many), 301);
		const ended = mergeStep(many, step(1));
		assert.deepEqual([ended.length, ended[0]?.id, ended[0]?.status], [MAX_STEPS_KEPT, 1, 'done']);
	});

	it('lead from what another process had stored to what it has stored since, however they were changed', () => {
		const states = ['waiting', 'running', 'done', 'denied'] as const;
		let seed = 7;
		const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
		for (let round = 0; round < 200; round += 1) {
			const told = Array.from({ length: next(250) }, () => step(1 + next(250), states[next(4)]));
			const was = kept(told.slice(0, next(told.length + 1))).steps;
			const is = told.length === 0 ? undefined : kept([...(was ?? []), ...told]).steps;
			const changes = stepsSince(was, is);
			if (changes !== undefined) assert.deepEqual(changes.reduce(mergeStep, was ?? []), is ?? []);
		}
		assert.deepEqual(stepsSince([step(1), step(2, 'running')], [step(1), step(2), step(3)]), [step(2), step(3)]);
		assert.deepEqual(stepsSince(undefined, undefined), []);
		assert.equal(stepsSince([step(1), step(2)], [step(2)]), undefined);
	});

	it('are over when nobody can tell of them any more', () => {
		const card = { ...kept([step(1), step(2, 'running')]), status: 'running' as const };
		assert.deepEqual(
			(itemAtRest(card) as ToolItem).steps?.map(({ status }) => status),
			['done', 'interrupted'],
		);
		const left = itemAtRest({ ...card, status: 'done', inBackground: true }) as ToolItem;
		assert.deepEqual(
			left.steps?.map(({ kind, status }) => `${kind} ${status}`),
			['op done', 'op interrupted', 'end interrupted'],
		);
		assert.deepEqual(itemAtRest(left), left);
	});
});

describe('A text that was revised', () => {
	it('is gone, and the next one stands in its place', () => {
		const claimed: ThreadItem = { id: newId('itm'), turnId: tool.turnId, at, kind: 'text', text: 'Done.', done: true };
		const next: ThreadItem = { ...claimed, id: newId('itm'), text: 'Not done.' };
		const result = after(
			[tool, claimed],
			{ type: 'item.revised', itemId: claimed.id },
			{ type: 'item.start', item: next },
		);
		assert.deepEqual(result.items, [tool, next]);
	});
});

describe('applyUpdate', () => {
	const start: ThreadEvent = { type: 'item.start', item: text };

	it('asks for the snapshot again when an update was missed', () => {
		assert.equal(applyUpdate(snapshot([], 4), { threadId, seq: 6, events: [start] }), 'gap');
	});

	it('changes nothing for updates it has already', () => {
		const known = snapshot([text], 4);
		assert.deepEqual(applyUpdate(known, { threadId, seq: 3, events: [start, start] }), known);
	});

	it('applies only the new part of an overlapping update', () => {
		const next = applyUpdate(snapshot([text], 4), {
			threadId,
			seq: 4,
			events: [start, { type: 'item.delta', itemId: text.id, text: '!' }],
		});
		assert.deepEqual(next, { ...snapshot([{ ...text, text: 'Hi!' } as ThreadItem], 5) });
	});

	it('has the same result for single and batched updates', () => {
		const events: ThreadEvent[] = [
			start,
			{ type: 'item.delta', itemId: text.id, text: ' you' },
			{ type: 'item.end', itemId: text.id },
		];
		const together = applyUpdate(snapshot(), { threadId, seq: 1, events });
		let oneByOne: ThreadSnapshot | 'gap' = snapshot();
		for (const [index, event] of events.entries()) {
			assert.notEqual(oneByOne, 'gap');
			oneByOne = applyUpdate(oneByOne as ThreadSnapshot, { threadId, seq: index + 1, events: [event] });
		}
		assert.deepEqual(oneByOne, together);
	});

	it('does not change the snapshot it is given', () => {
		const before = snapshot([text]);
		const copy = structuredClone(before);
		applyUpdate(before, { threadId, seq: 1, events: [{ type: 'item.delta', itemId: text.id, text: '!' }] });
		assert.deepEqual(before, copy);
	});

	it('ignores events of an unknown item', () => {
		const itemId = newId('itm');
		const next = after(
			[text],
			{ type: 'item.delta', itemId, text: 'x' },
			{ type: 'item.tool', itemId, patch: { status: 'done' } },
			{ type: 'item.end', itemId },
		);
		assert.deepEqual(next.items, [text]);
		assert.equal(next.seq, 3);
	});

	it('patches only tools, and appends only to items with text or output', () => {
		assert.deepEqual(item(after([text], { type: 'item.tool', itemId: text.id, patch: { status: 'done' } })), text);
		assert.deepEqual(
			item(after([user], { type: 'item.delta', itemId: user.id, text: 'x' }, { type: 'item.end', itemId: user.id })),
			user,
		);
	});
});

describe('Each thread event', () => {
	it("thread.changed replaces the thread's info", () => {
		assert.equal(after([], { type: 'thread.changed', info: { ...info, title: 'New' } }).info.title, 'New');
	});
	it('thread.deleted leaves nothing to show', () => {
		const next = after([text], { type: 'thread.deleted' });
		assert.deepEqual([next.items, next.earlier, next.turnId], [[], 0, null]);
	});
	it('thread.cut removes the items of the named turns and no others', () => {
		const other: ThreadItem = { ...text, id: newId('itm'), turnId: newId('trn') };
		assert.deepEqual(after([user, text, other], { type: 'thread.cut', turnIds: [turnId] }).items, [other]);
	});
	it('turn.start and turn.end set whether a turn runs', () => {
		const running = after([], { type: 'turn.start', turnId, modelId: 'tour/tour' });
		assert.deepEqual([running.turnId, running.info.running], [turnId, true]);
		const ended = after(
			[],
			{ type: 'turn.start', turnId, modelId: 'tour/tour' },
			{ type: 'turn.end', turnId, outcome: 'failed', durationMs: 1 },
		);
		assert.deepEqual([ended.turnId, ended.info.running], [null, false]);
	});
	it('item.start adds at the end', () => {
		assert.deepEqual(after([user], { type: 'item.start', item: text }).items, [user, text]);
	});
	it('item.delta appends to text, thinking and the output of a tool', () => {
		assert.deepEqual(item(after([text], { type: 'item.delta', itemId: text.id, text: '!' })), { ...text, text: 'Hi!' });
		assert.deepEqual(item(after([thinking], { type: 'item.delta', itemId: thinking.id, text: 'm' })), {
			...thinking,
			text: 'Hmm',
		});
		assert.deepEqual(item(after([tool], { type: 'item.delta', itemId: tool.id, text: 'out' })), {
			...tool,
			output: 'out',
		});
	});
	it('item.tool changes the given fields and keeps the rest', () => {
		const patch = { status: 'done', exitCode: null, durationMs: 3 } as const;
		assert.deepEqual(item(after([tool], { type: 'item.tool', itemId: tool.id, patch })), { ...tool, ...patch });
	});
	it('item.end completes text and thinking', () => {
		assert.deepEqual(item(after([text], { type: 'item.end', itemId: text.id })), { ...text, done: true });
		assert.deepEqual(item(after([thinking], { type: 'item.end', itemId: thinking.id, durationMs: 9 })), {
			...thinking,
			done: true,
			durationMs: 9,
		});
	});
	it('todos and usage replace the previous value', () => {
		const usage = {
			inputTokens: 1,
			outputTokens: 2,
			cachedInputTokens: 0,
			contextTokens: 3,
			contextWindow: 4,
			estimated: true,
		};
		const next = after([], { type: 'todos', items: [{ text: 'a', status: 'done' }] }, { type: 'usage', usage });
		assert.deepEqual([next.todos, next.usage], [[{ text: 'a', status: 'done' }], usage]);
	});
});
