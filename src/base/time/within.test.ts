import assert from 'node:assert/strict';
import { raceTimeout } from './within.ts';

describe('within', () => {
	it('goes on without what takes longer, however that ends', async () => {
		const work = Promise.withResolvers<never>();
		assert.equal(await raceTimeout(work.promise, 1), undefined);
		work.reject(new Error('too late'));
	});

	it('is as the work is when that comes in time, and leaves no timer', async () => {
		assert.equal(await raceTimeout(Promise.resolve(1), 60_000), 1);
		await assert.rejects(raceTimeout(Promise.reject(new Error('no')), 60_000), /no/);
	});
});
