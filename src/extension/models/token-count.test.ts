import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toTokenCount } from './token-count.ts';

describe('tokenCount', () => {
	it('makes a whole number of what a counter says', () => {
		assert.deepEqual([12, 12.25, 0, -3, Number.NaN, Infinity].map(toTokenCount), [12, 13, 0, 0, 0, 0]);
	});
});
