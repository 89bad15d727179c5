import assert from 'node:assert/strict';
import { fuseRankings } from './rank.ts';

describe('Rankings of memories', () => {
	it('become one in which a number that two of them hold comes first', () => {
		const rankings = [
			{ numbers: [1, 2], weight: 1 },
			{ numbers: [3, 2], weight: 1 },
		];
		assert.deepEqual(fuseRankings(rankings), [2, 1, 3]);
	});
});
