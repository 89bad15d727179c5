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

	it('takes no longer for a call after 100,000 others in its while', () => {
		const times = new LatestTimes(60_000);
		const before = process.cpuUsage();
		for (let n = 0; n < 100_000; n += 1) times.add(n / 2);
		const { user, system } = process.cpuUsage(before);
		assert.equal(times.count(50_000), 100_000);
		// Looking at all of them each time takes some 20 s, this some 10 ms.
		assert.ok(user + system < 2_000_000, `${(user + system) / 1_000} ms of the processor`);
	});
});
