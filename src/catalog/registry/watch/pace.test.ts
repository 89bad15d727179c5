import assert from 'node:assert/strict';
import { PIECE_MS } from '../limits.ts';
import { Pace } from './pace.ts';

describe('Work at a pace', () => {
	it('lets the loop turn after each piece that takes long, also when all are asked for at once', async () => {
		const pace = new Pace();
		let turns = 0;
		let isOver = false;
		const turn = () => {
			turns += 1;
			if (!isOver) setImmediate(turn);
		};
		setImmediate(turn);
		const long = () => {
			const end = performance.now() + PIECE_MS;
			while (performance.now() < end);
			return turns;
		};
		const seen = await Promise.all(Array.from({ length: 5 }, () => pace.take(long)));
		isOver = true;
		assert.equal(new Set(seen).size, 5);
	});

	it('goes on after a piece that fails', async () => {
		const pace = new Pace();
		const failing = pace.take(() => {
			throw new Error('no');
		});
		const next = pace.take(() => 'yes');
		await assert.rejects(failing, /no/);
		assert.equal(await next, 'yes');
	});
});
