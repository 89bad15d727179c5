import assert from 'node:assert/strict';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Approval } from '../../protocol/approvals/approvals.ts';
import type { ThreadItem } from '../../protocol/thread/items.ts';
import type { ThreadEvent } from '../../protocol/thread/thread.ts';
import { text } from '../../protocol/text/text.ts';
import { configOptions, readOption } from './config-options.ts';
import { approvalAnswer, permissionFor } from './permissions.ts';
import { ThreadUpdates } from './thread-updates.ts';

const fields = { turnId: 'trn_1', at: '2026-11-30T07:00:00.000Z' };
const item = (each: Record<string, unknown>) => ({ ...fields, ...each }) as unknown as ThreadItem;
const call = item({
	id: 'itm_3',
	kind: 'tool',
	opId: 'op_1',
	tool: 'fs_edit',
	title: 'Edit a.txt',
	input: { path: 'a.txt' },
	status: 'pending',
	output: '',
	outputTruncated: false,
});
const events = [
	{ type: 'turn.start', turnId: 'trn_1', modelId: 'x/y' },
	{ type: 'item.start', item: item({ id: 'itm_0', kind: 'user', text: 'change it', context: [] }) },
	{ type: 'item.start', item: item({ id: 'itm_1', kind: 'thinking', text: '', done: false }) },
	{ type: 'item.delta', itemId: 'itm_1', text: 'Hm.' },
	{ type: 'item.end', itemId: 'itm_1' },
	{ type: 'item.start', item: item({ id: 'itm_2', kind: 'text', text: 'I', done: false }) },
	{ type: 'item.delta', itemId: 'itm_2', text: ' will.' },
	{ type: 'item.start', item: call },
	{
		type: 'item.tool',
		itemId: 'itm_3',
		patch: {
			status: 'done',
			output: 'changed',
			diff: { path: 'a.txt', created: false, added: 1, removed: 1, patch: '@@ -1,1 +1,1 @@\n-one\n+two' },
		},
	},
	{ type: 'todos', items: [{ text: 'Change it', status: 'done' }] },
	{
		type: 'usage',
		usage: { inputTokens: 9, outputTokens: 1, cachedInputTokens: 0, contextTokens: 10, contextWindow: 100, cost: 0.5 },
	},
	{
		type: 'item.start',
		item: item({ id: 'itm_4', kind: 'notice', level: 'info', text: 'Much is used.', actions: [] }),
	},
	// An offer that needs a button is not told.
	{
		type: 'item.start',
		item: item({ id: 'itm_6', kind: 'notice', level: 'info', text: 'As a goal?', actions: ['workAsGoal'] }),
	},
	{ type: 'item.start', item: item({ id: 'itm_5', kind: 'compaction', messages: 4, text: 'We spoke.' }) },
	{ type: 'item.delta', itemId: 'itm_9', text: 'of nobody' },
	{ type: 'turn.end', turnId: 'trn_1', outcome: 'done', durationMs: 1 },
] as unknown as ThreadEvent[];

const place = { title: 'Edit a.txt', kind: 'edit', locations: [{ path: '/w/a.txt' }] } as const;
const words = (sessionUpdate: string, messageId: string, said: string) => ({
	sessionUpdate,
	content: { type: 'text', text: said },
	messageId,
});
const turn = [
	words('agent_thought_chunk', 'itm_1', 'Hm.'),
	words('agent_message_chunk', 'itm_2', 'I'),
	words('agent_message_chunk', 'itm_2', ' will.'),
	{
		sessionUpdate: 'tool_call',
		toolCallId: 'op_1',
		...place,
		status: 'pending',
		content: [],
		rawInput: { path: 'a.txt' },
	},
	{
		sessionUpdate: 'tool_call_update',
		toolCallId: 'op_1',
		...place,
		status: 'completed',
		content: [{ type: 'diff', path: '/w/a.txt', oldText: 'one', newText: 'two' }],
	},
	{ sessionUpdate: 'plan', entries: [{ content: 'Change it', priority: 'medium', status: 'completed' }] },
	{ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } },
] as unknown as SessionUpdate[];

describe('Updates of a thread', () => {
	it('tell a turn in the words of the protocol, and nothing that the editor said itself', () => {
		const updates = new ThreadUpdates({ folder: { real: '/w', named: '/w' }, hasNotices: true, hasCompactions: true });
		assert.deepEqual(
			events.flatMap((event) => updates.of(event, true)),
			[
				...turn,
				{ sessionUpdate: 'notice', severity: 'info', title: 'Much is used.' },
				{
					sessionUpdate: 'compaction_update',
					compactionId: 'itm_5',
					status: 'completed',
					summary: [{ type: 'text', text: 'We spoke.' }],
				},
			],
		);
	});

	it('tell notices as words where the editor has none, and the words of a user who writes elsewhere', () => {
		const updates = new ThreadUpdates({
			folder: { real: '/w', named: '/w' },
			hasNotices: false,
			hasCompactions: false,
		});
		const told = events.flatMap((event) => updates.of(event, false));
		assert.deepEqual(told[0], words('user_message_chunk', 'itm_0', 'change it'));
		const kinds = new Set(told.map(({ sessionUpdate }) => sessionUpdate));
		assert.ok(!kinds.has('notice') && !kinds.has('compaction_update'));
		assert.match(JSON.stringify(told.slice(-2)), /> Much is used\..*> 4 older messages/);
	});

	it('show a failed call in the words for users, and no more of an output than its end', () => {
		const updates = new ThreadUpdates({ folder: { real: '/w', named: '/w' }, hasNotices: true, hasCompactions: true });
		updates.of({ type: 'item.start', item: call }, true);
		const error = { code: 'NOT_FOUND', message: 'no a.txt', facts: { path: 'a.txt' } } as const;
		const patch = { status: 'failed', output: 'NOT_FOUND: for the model', error } as const;
		const failed = JSON.stringify(
			updates.of({ type: 'item.tool', itemId: 'itm_3', patch } as unknown as ThreadEvent, true),
		);
		assert.match(failed, /"status":"failed"/);
		assert.doesNotMatch(failed, /for the model/);
		updates.of({ type: 'item.start', item: call }, true);
		for (let n = 0; n < 100; n++) {
			const [update] = updates.of(
				{ type: 'item.delta', itemId: 'itm_3', text: 'x'.repeat(1_000) } as ThreadEvent,
				true,
			);
			assert.ok(JSON.stringify(update).length < 9_000);
		}
	});
});

describe('A permission of an editor', () => {
	const approval = {
		op: 'fs.edit',
		opId: 'op_1',
		title: 'Edit a.txt',
		detail: { kind: 'path', path: 'a.txt' },
		isOnceOffered: true,
		threadScope: null,
		pattern: null,
		isProjectOffered: false,
	} as unknown as Approval;
	const ids = (asked: Partial<Approval>) =>
		permissionFor({ ...approval, ...asked }, 'words', { real: '/w', named: '/w' }).options.map(
			({ optionId, kind }) => `${optionId} ${kind}`,
		);

	it('offers what the question offers, and once or no where it is always asked', () => {
		assert.deepEqual(ids({}), ['once allow_once', 'deny reject_once']);
		assert.deepEqual(ids({ isOnceOffered: false }), ['deny reject_once']);
		const all = { turnScope: text('files'), threadScope: text('all files'), pattern: 'fs.edit **' };
		const first = ['once allow_once', 'turn allow_always', 'thread allow_always'];
		assert.deepEqual(ids(all), [...first, 'always allow_always', 'deny reject_once']);
		assert.deepEqual(ids({ ...all, isProjectOffered: true }), [...first, 'project allow_always', 'deny reject_once']);
	});

	it('is not answered by an id of another kind', () => {
		assert.deepEqual(approvalAnswer('turn'), { kind: 'turn' });
		for (const id of [undefined, '', 'constructor', '__proto__', 'yes']) assert.equal(approvalAnswer(id), undefined);
	});
});

describe('The options of a session', () => {
	const state = { mode: 'agent', modelId: null, effort: undefined, level: 'full', widest: 'edit', models: [] } as const;

	it('offer levels up to the widest, and the one in force', () => {
		const level = configOptions(state).find(({ id }) => id === 'level');
		const values = JSON.stringify(level)
			.match(/"value":"\w+"/g)
			?.map((each) => each.slice(9, -1));
		assert.deepEqual(values, ['manual', 'ask', 'edit', 'full']);
		assert.throws(() => readOption('level', 'auto', state), { code: -32_603, message: /wider/ });
	});
});
