import assert from 'node:assert/strict';
import { PacedQueue } from './paced-queue.ts';

describe('PacedQueue', () => {
	const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

	it('lets the loop come round after so many, and keeps the order', async () => {
		const handed: number[] = [];
		const queue = new PacedQueue<number>(3, (item) => handed.push(item));
		for (let n = 0; n < 8; n++) queue.push(n);
		const lengths = [handed.length];
		while (handed.length < 8) {
			await turn();
			lengths.push(handed.length);
		}
		assert.deepEqual(lengths, [3, 6, 8]);
		assert.deepEqual(handed, [0, 1, 2, 3, 4, 5, 6, 7]);
	});

	it('lets nothing overtake what waits', async () => {
		const handed: string[] = [];
		const queue = new PacedQueue<string>(1, (item) => {
			handed.push(item);
			if (item === 'b') queue.push('pushed while b was handed on');
		});
		for (const item of ['a', 'b', 'c']) queue.push(item);
		while (handed.length < 4) await turn();
		assert.deepEqual(handed, ['a', 'b', 'c', 'pushed while b was handed on']);
	});

	it('has its room again when a turn brought nothing', async () => {
		const handed: number[] = [];
		const queue = new PacedQueue<number>(2, (item) => handed.push(item));
		queue.push(1);
		await turn();
		await turn();
		queue.push(2);
		queue.push(3);
		assert.deepEqual(handed, [1, 2, 3]);
	});

	it('hands on everything at once when it is told that nothing comes any more', () => {
		const handed: number[] = [];
		const queue = new PacedQueue<number>(1, (item) => handed.push(item));
		for (let n = 0; n < 4; n++) queue.push(n);
		queue.flush();
		assert.deepEqual(handed, [0, 1, 2, 3]);
	});
});
