import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { readThreadQueue, withoutTaken, withQueue } from './queue.ts';

describe('messages that wait', () => {
	const threadId = newId('thr');
	const [one, two] = [
		{ id: newId('itm'), text: 'one', refs: [] },
		{ id: newId('itm'), text: 'two', refs: [{ kind: 'file' as const, path: 'a.ts' }] },
	];

	it('are dropped once they are in their thread', () => {
		const queues = withQueue({}, threadId, [one, two]);
		const item = {
			id: one.id,
			turnId: newId('trn'),
			at: '2026-11-23T00:00:00Z',
			kind: 'user' as const,
			text: 'one',
			context: [],
		};
		assert.deepEqual(readThreadQueue(withoutTaken(queues, threadId, [item]), threadId), [two]);
		assert.equal(withoutTaken(queues, newId('thr'), [item]), queues);
	});

	it('belong to their thread', () => {
		const queues = withQueue({}, threadId, [one]);
		assert.deepEqual(readThreadQueue(queues, newId('thr')), []);
		assert.deepEqual(readThreadQueue(queues, null), []);
		assert.deepEqual(withQueue(queues, threadId, []), {});
	});
});
