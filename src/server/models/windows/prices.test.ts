import assert from 'node:assert/strict';
import { ModelSettings } from '../../../protocol/turn/models.ts';
import { computeRequestCost, findListPrice, priceIn } from './prices.ts';

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 400_000, estimated: false };

describe('The price of a model', () => {
	it('is refused where it is no number, below nothing, or named otherwise', () => {
		const prices = [
			{ input: '3', output: 1 },
			{ input: -1, output: 1 },
			{ input: 1 },
			{ input: 1, output: 1, cached: 1 },
		];
		for (const price of prices) {
			assert.equal(ModelSettings.safeParse({ price }).success, false, JSON.stringify(price));
		}
	});

	it('is not taken from a list that says none, or something else', () => {
		for (const pricing of [
			undefined,
			null,
			{},
			{ prompt: '0.1' },
			{ prompt: 'free', completion: '1' },
			{ prompt: '-1', completion: '-1' },
		]) {
			assert.equal(priceIn(pricing), undefined, JSON.stringify(pricing));
		}
		assert.deepEqual(priceIn({ prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003' }), {
			input: 3,
			output: 15,
			cacheRead: 0.3,
		});
	});

	it('is known of the vendors’ own addresses only, and of no model that merely begins alike', () => {
		assert.equal(findListPrice({ kind: 'openai', baseUrl: 'https://gateway.example/v1' }, 'gpt-4o'), undefined);
		assert.equal(findListPrice({ kind: 'openai-compatible', baseUrl: undefined }, 'gpt-4o'), undefined);
		for (const other of ['gpt-5-pro', 'gpt-4o-search-preview', 'gpt-4o-2024-05-13', 'o4-mini-deep-research']) {
			assert.equal(findListPrice({ kind: 'openai', baseUrl: undefined }, other), undefined, other);
		}
		assert.equal(findListPrice({ kind: 'openai', baseUrl: 'https://api.openai.com/v1/' }, 'gpt-4o')?.input, 2.5);
		assert.equal(findListPrice({ kind: 'openai', baseUrl: undefined }, 'gpt-4o-2024-11-20')?.input, 2.5);
		assert.equal(findListPrice({ kind: 'openai', baseUrl: undefined }, 'gpt-5-mini')?.input, 0.25);
		assert.equal(findListPrice({ kind: 'anthropic', baseUrl: undefined }, 'claude-sonnet-4-5')?.cacheWrite, 3.75);
	});

	it('counts what was cached, and what was written to the cache, as the vendor does', () => {
		assert.equal(computeRequestCost(usage, { input: 3, output: 15, cacheRead: 0.5 }).toFixed(6), '3.500000');
		assert.equal(computeRequestCost(usage, { input: 3, output: 15 }), 4.5);
		const written = { ...usage, cacheWriteTokens: 200_000 };
		assert.equal(
			computeRequestCost(written, { input: 3, output: 0, cacheRead: 0, cacheWrite: 6 }).toFixed(6),
			'2.400000',
		);
	});
});
