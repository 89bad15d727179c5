import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RequestsUnderWay } from './requests-under-way.ts';

const request = { kind: 'request', id: 1, method: 'thread/list', params: {} };

describe('Requests of a page that are under way', () => {
	it('are no more than the most, also under one number, and give way with each answer', () => {
		const underWay = new RequestsUnderWay(2);
		assert.deepEqual(
			[1, 1, 1, 2].map((id) => underWay.take({ ...request, id })),
			[true, true, false, false],
		);
		underWay.note({ kind: 'notification', method: 'thread/update' });
		assert.equal(underWay.take(request), false);
		underWay.note({ kind: 'error', id: 1, code: -32601, message: 'no such method' });
		assert.deepEqual([underWay.take(request), underWay.take(request)], [true, false]);
	});

	it('are not what gets no answer', () => {
		const underWay = new RequestsUnderWay(0);
		for (const frame of [undefined, null, 7, { kind: 'cancel', id: 1 }, { kind: 'request', id: 'x', method: 'y' }]) {
			assert.equal(underWay.take(frame), true);
		}
	});
});
