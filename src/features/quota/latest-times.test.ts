import assert from 'node:assert/strict';
import { LatestTimes } from './latest-times.ts';

describe('Latest times', () => {
	it('counts each until its while is over, in that millisecond', () => {
		const times = new LatestTimes(100);
		for (const at of [0, 0, 1, 50]) times.add(at);
		assert.deepEqual(
			[50, 99, 100, 101, 149, 150].map((now) => times.count(now)),
			[4, 4, 2, 1, 1, 0],
		);
		times.add(200);
		assert.equal(times.count(200), 1);
	});

	it('counts as one that looks at all of them does, while they come and go', () => {
		const times = new LatestTimes(100);
		const all: number[] = [];
		let now = 0;
		for (let n = 0; n < 2_000; n += 1) {
			now += (n * 7) % 13;
			all.push(now);
			times.add(now);
			assert.equal(times.count(now), all.filter((at) => at > now - 100).length, `after ${n}`);
		}
	});
});
