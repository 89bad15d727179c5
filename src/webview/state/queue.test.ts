import assert from 'node:assert/strict';
import { newId } from '../../protocol/ids.ts';
import { queueOf, readQueues, withoutTaken, withQueue } from './queue.ts';

describe('messages that wait', () => {
	const threadId = newId('thr');
	const [one, two] = [
		{ id: newId('itm'), text: 'one', refs: [] },
		{ id: newId('itm'), text: 'two', refs: [{ kind: 'file' as const, path: 'a.ts' }] },
	];

	it('are read as an earlier view kept them, without what is no message', () => {
		for (const garbage of [undefined, null, 7, 'x', [], { a: 1, b: null, c: [3, null], d: {} }]) {
			assert.deepEqual(readQueues(garbage), {});
		}
		const kept: unknown = JSON.parse(JSON.stringify(withQueue({}, threadId, [one, two])));
		assert.deepEqual(queueOf(readQueues(kept), threadId), [one, two]);
	});

	it('of an older version get an id, and none of them is on its way in a new view', () => {
		const kept: unknown = JSON.parse(
			JSON.stringify({
				[threadId]: [
					{ text: 'old', refs: [] },
					{ ...one, isSending: true },
				],
			}),
		);
		const [old, sent] = queueOf(readQueues(kept), threadId);
		assert.match(old?.id ?? '', /^itm_/);
		assert.deepEqual(sent, one);
	});

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
		assert.deepEqual(queueOf(withoutTaken(queues, threadId, [item]), threadId), [two]);
		assert.equal(withoutTaken(queues, newId('thr'), [item]), queues);
	});

	it('belong to their thread', () => {
		const queues = withQueue({}, threadId, [one]);
		assert.deepEqual(queueOf(queues, newId('thr')), []);
		assert.deepEqual(queueOf(queues, null), []);
		assert.deepEqual(withQueue(queues, threadId, []), {});
	});
});
