import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { format, percentOf } from '../src/money.ts';

describe('money', () => {
	it('rounds half a cent up', () => {
		assert.equal(percentOf(25, 10), 3);
	});

	it('is written with two digits after the point', () => {
		assert.equal(format(1205), '12.05 €');
		assert.equal(format(-5), '-0.05 €');
	});
});
