import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { linkedPeers } from '../../../test/support/linked-peers.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { newId, type ThreadId } from '../../protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../protocol/thread/thread.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { shownThread } from './current-thread.ts';

const at = '2026-11-21T12:00:00.000Z';
const id = newId('thr');
const turnId = newId('trn');

const thread: ThreadSnapshot = {
	info: {
		id,
		title: 'Lines',
		modelId: null,
		mode: 'agent',
		workspace: null,
		running: false,
		createdAt: at,
		updatedAt: at,
	},
	items: [
		{ kind: 'user', id: newId('itm'), turnId, at, text: 'How many lines?', context: [] },
		{ kind: 'thinking', id: newId('itm'), turnId, at, text: 'hm', done: true },
		{ kind: 'text', id: newId('itm'), turnId, at, text: 'Three.', done: true },
	],
	seq: 3,
	earlier: 0,
	turnId: null,
	todos: [],
	usage: null,
};

/** Returns what `shownThread` finds on a server that has only this thread, and the warnings that were logged. */
async function shown(threadId: ThreadId | null) {
	const { near, far } = linkedPeers();
	const warnings: string[] = [];
	const silent = () => {};
	const log = { debug: silent, info: silent, error: silent, warn: (message: string) => void warnings.push(message) };
	const served = far.serve(
		{ open: threadRequests.open },
		{
			open: async (asked) => {
				if (asked.threadId !== id) throw new ProwessError('THREAD_NOT_FOUND', `there is no thread ${asked.threadId}`);
				return thread;
			},
		},
	);
	const found = await shownThread(near, { id: threadId }, log);
	served.dispose();
	return { found, warnings };
}

describe('The thread that goes along with what the user runs', () => {
	it('is none when none is shown', async () => {
		assert.deepEqual(await shown(null), { found: null, warnings: [] });
	});

	it('is none when it is gone, and that is in the log', async () => {
		const { found, warnings } = await shown(newId('thr'));
		assert.equal(found, null);
		assert.match(warnings.join('\n'), /^a capability runs without the thread thr_.*: .*there is no thread/);
	});

	it('is what was said in it, without what was only thought', async () => {
		const { found } = await shown(id);
		assert.equal(found?.id, id);
		assert.deepEqual(
			found?.messages.map(({ sender, content }) => `${sender}: ${content}`),
			['user: How many lines?', 'agent: Three.'],
		);
	});
});
