import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { add, linePrice, total } from '../src/cart.ts';

const pen = { product: 'pen', unitPrice: 150, quantity: 1 };

describe('a cart', () => {
	it('asks the full price for a few pieces', () => {
		assert.equal(linePrice({ ...pen, quantity: 5 }), 750);
	});

	it('is 10 % cheaper from 10 pieces on', () => {
		assert.equal(linePrice({ ...pen, quantity: 10 }), 1350);
	});

	it('adds the tax to the sum of the lines', () => {
		assert.equal(total([pen, { product: 'book', unitPrice: 2000, quantity: 2 }]), 4980);
	});

	it('keeps one line per product', () => {
		assert.deepEqual(add([pen], { ...pen, quantity: 2 }), [{ ...pen, quantity: 3 }]);
	});
});
