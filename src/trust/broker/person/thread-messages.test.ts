import assert from 'node:assert/strict';
import { linkedPeers } from '../../../../test/support/linked-peers.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { threadRequests } from '../../../protocol/thread/thread-requests.ts';
import { threadMessages } from './thread-messages.ts';

const at = '2026-01-02T03:04:05.000Z';
const threadId = newId('thr');
const turnId = newId('trn');
const of = () => ({ id: newId('itm'), turnId, at });

/** Returns the messages made from a thread with exactly these items. */
async function told(items: readonly ThreadItem[]) {
	const { near, far } = linkedPeers();
	const info = {
		id: threadId,
		title: '',
		modelId: null,
		mode: 'agent',
		createdAt: at,
		updatedAt: at,
		workspace: null,
		running: false,
	} as const;
	const thread = { info, seq: 1, items: [...items], earlier: 0, turnId: null, todos: [], usage: null };
	const served = far.serve({ open: threadRequests.open }, { open: () => Promise.resolve(thread) });
	try {
		return await threadMessages(near, threadId, new AbortController().signal);
	} finally {
		served.dispose();
	}
}

describe('The messages of a thread that an execution is given', () => {
	it('are none of what only shows how the agent works', async () => {
		assert.deepEqual(
			await told([
				{ ...of(), kind: 'user', text: '', context: [] },
				{ ...of(), kind: 'thinking', text: 'hm', done: true },
				{ ...of(), kind: 'text', text: '', done: true },
			]),
			[],
		);
	});

	it('hold the words that stand in for older messages, as the system’s', async () => {
		const messages = await told([
			{ ...of(), kind: 'compaction', messages: 3, text: 'They agreed on tea.' },
			{ ...of(), kind: 'compaction', messages: 1, text: '' },
			{ ...of(), kind: 'user', text: 'And now?', context: [] },
		]);
		assert.deepEqual(
			messages.map(({ sender, content }) => [sender, content]),
			[
				['system', 'They agreed on tea.'],
				['user', 'And now?'],
			],
		);
	});

	it('come with what the user added to them, also to one without a word', async () => {
		const file = { kind: 'file', path: 'a.ts' } as const;
		const messages = await told([
			{ ...of(), kind: 'user', text: 'Look', context: [file] },
			{ ...of(), kind: 'text', text: 'I see.', done: true },
			{ ...of(), kind: 'user', text: '', context: [file] },
		]);
		assert.deepEqual(
			messages.map(({ sender, content, templateType, payload }) => [sender, content, templateType, payload]),
			[
				['user', 'Look', 'context', [file]],
				['agent', 'I see.', undefined, undefined],
				['user', '', 'context', [file]],
			],
		);
	});
});
