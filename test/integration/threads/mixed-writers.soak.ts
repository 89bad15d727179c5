import assert from 'node:assert/strict';
import { seedOfSoak } from '../../support/seeded.ts';
import { mixWriters } from './mixed-writers.ts';

const MIXTURES = 1_000;

describe('An undo or a restore after very many random writers', function () {
	this.timeout(7_200_000);

	it('takes nothing of anybody else', async () => {
		const first = seedOfSoak();
		console.log(`      seeds ${first} to ${first + MIXTURES - 1}`);
		let restored = 0;
		for (let seed = first; seed < first + MIXTURES; seed++) restored += await mixWriters(seed);
		console.log(`      ${restored} names came back`);
		assert.ok(restored > MIXTURES);
	});
});
