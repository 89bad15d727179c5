import assert from 'node:assert/strict';
import { costText } from '../../protocol/pages/usage-text.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import { totalUsage, usageBeforeTurn } from './total-usage.ts';

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 400_000, estimated: false };

describe('The cost of a thread', () => {
	const priced = { contextWindow: 1000, price: { input: 1, output: 1 } };
	const unpriced = { contextWindow: 1000 };

	it('is not said as long as no price is known, and never as nothing', () => {
		assert.equal('cost' in totalUsage(null, usage, unpriced), false);
		assert.equal(inEnglish(costText(0.000_01)), 'under $0.01');
	});

	it('is told of the last request and of the turn alone, too', () => {
		const first = totalUsage(totalUsage(null, usage, priced), usage, { ...priced, price: { input: 2, output: 1 } });
		assert.deepEqual([first.requestCost, first.turnCost, first.cost], [2.1, 3.2, 3.2]);
		const free = totalUsage(first, usage, unpriced);
		assert.deepEqual([free.requestCost, free.turnCost], [undefined, 3.2]);
		const next = totalUsage(usageBeforeTurn(free), usage, priced);
		assert.deepEqual([next.requestCost, next.turnCost, next.cost], [1.1, 1.1, 3.2 + 1.1]);
		assert.equal(usageBeforeTurn(null), null);
	});

	it('is the sum over its requests, and says where some had no price', () => {
		const one = totalUsage(null, usage, priced);
		const two = totalUsage(one, usage, priced);
		assert.deepEqual([one.cost, two.cost, two.isCostPartial], [1.1, 2.2, undefined]);
		const three = totalUsage(two, usage, unpriced);
		assert.deepEqual([three.cost, three.isCostPartial], [2.2, true]);
		assert.equal(totalUsage(totalUsage(null, usage, unpriced), usage, priced).isCostPartial, true);
		assert.equal(inEnglish(costText(three.cost ?? 0)), '$2.20');
		assert.equal(inEnglish(costText(1234.5)), '$1235');
	});
});
