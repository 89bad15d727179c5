import assert from 'node:assert/strict';
import { newId } from '../../protocol/ids.ts';
import { queueOf, readQueues, withQueue } from './queue.ts';

describe('messages that wait', () => {
	const threadId = newId('thr');
	const [one, two] = [
		{ text: 'one', refs: [] },
		{ text: 'two', refs: [{ kind: 'file' as const, path: 'a.ts' }] },
	];

	it('are read as an earlier view kept them, without what is no message', () => {
		for (const garbage of [undefined, null, 7, 'x', [], { a: 1, b: null, c: [3, null], d: {} }]) {
			assert.deepEqual(readQueues(garbage), {});
		}
		const kept: unknown = JSON.parse(JSON.stringify(withQueue({}, threadId, [one, two])));
		assert.deepEqual(queueOf(readQueues(kept), threadId), [one, two]);
	});

	it('belong to their thread', () => {
		const queues = withQueue({}, threadId, [one]);
		assert.deepEqual(queueOf(queues, newId('thr')), []);
		assert.deepEqual(queueOf(queues, null), []);
		assert.deepEqual(withQueue(queues, threadId, []), {});
	});
});
