/** Tests the errors made from vendors' refusals, in the words that vendors use. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ErrorCode } from '../../../protocol/errors/errors.ts';
import { refusalError } from './provider-error.ts';

describe('a refusal', () => {
	const refusals: readonly (readonly [string, number, string, ErrorCode, boolean])[] = [
		[
			'xAI',
			400,
			"This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
			'CONTEXT_OVERFLOW',
			false,
		],
		['Kimi', 400, 'Invalid request: Your request exceeded model token limit: 262144', 'CONTEXT_OVERFLOW', false],
		['Cerebras', 400, 'Please reduce the length of the messages or completion.', 'CONTEXT_OVERFLOW', false],
		[
			'Mistral',
			400,
			'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
			'CONTEXT_OVERFLOW',
			false,
		],
		['llama.cpp', 500, 'the request exceeds the available context size, try increasing it', 'CONTEXT_OVERFLOW', false],
		['Ollama', 400, 'prompt too long; exceeded max context length by 17 tokens', 'CONTEXT_OVERFLOW', false],
		['Anthropic', 400, 'prompt is too long: 213462 tokens > 200000 maximum', 'CONTEXT_OVERFLOW', false],
		[
			'OpenAI, per minute',
			429,
			'Request too large for gpt-4o on tokens per min (TPM): Limit 30000',
			'CONTEXT_OVERFLOW',
			false,
		],
		[
			'OpenAI, without money',
			429,
			'You exceeded your current quota, please check your plan',
			'PROVIDER_BILLING',
			false,
		],
		[
			'Google, per minute',
			429,
			'You exceeded your current quota, please check your plan and billing details. Quota exceeded for metric: generate_content_free_tier_requests, limit: 10, quotaId: GenerateRequestsPerMinutePerProjectPerModel-FreeTier',
			'PROVIDER_RATE_LIMITED',
			true,
		],
		[
			'Google, for the day',
			429,
			'You exceeded your current quota. quotaId: GenerateRequestsPerDayPerProjectPerModel-FreeTier',
			'PROVIDER_BILLING',
			false,
		],
		[
			'Azure, per minute',
			429,
			'You exceeded your current quota of tokens (TPM), retry in 5s',
			'PROVIDER_RATE_LIMITED',
			true,
		],
		['OpenAI, from a country', 403, 'Country, region, or territory not supported', 'PROVIDER_ERROR', false],
		['anybody, from a country', 403, 'This service is not available in your region', 'PROVIDER_ERROR', false],
		['anybody, without a right', 403, 'Your key may not use this model', 'PROVIDER_AUTH', false],
		['LM Studio', 404, 'Failed to load model "qwen". Error: insufficient system resources', 'PROVIDER_ERROR', false],
		[
			'LM Studio, anew',
			400,
			'Model loading was stopped due to insufficient system resources.',
			'PROVIDER_ERROR',
			false,
		],
		[
			'Ollama, short of memory',
			500,
			'model requires more system memory (9.2 GiB) than is available',
			'PROVIDER_ERROR',
			false,
		],
		[
			'Ollama, which did not load it',
			500,
			'model failed to load, this may be due to resource limitations or an internal error',
			'PROVIDER_ERROR',
			false,
		],
		['llama.cpp, short of memory', 500, 'failed to load model: out of memory', 'PROVIDER_ERROR', false],
		['anybody, an unknown model', 404, "The model 'm' does not exist", 'MODEL_NOT_FOUND', false],
		['Anthropic, without money', 400, 'Your credit balance is too low to access the API.', 'PROVIDER_BILLING', false],
		['OpenRouter, without money', 402, 'This request requires more credits', 'PROVIDER_BILLING', false],
		['DeepSeek, without money', 402, 'Insufficient Balance', 'PROVIDER_BILLING', false],
		['Google, a wrong key', 400, 'API key not valid. API_KEY_INVALID', 'PROVIDER_AUTH', false],
		['anybody, too fast', 429, 'Rate limit reached', 'PROVIDER_RATE_LIMITED', true],
		['anybody, a wrong request', 400, 'temperature must be below 2', 'PROVIDER_ERROR', false],
	];
	for (const [who, status, message, code, retryable] of refusals) {
		it(`of ${who} is ${code}: ${message}`, () => {
			const error = refusalError({ provider: 'acme', status, message });
			assert.deepEqual([error.code, error.facts.retryable, error.facts.said], [code, retryable, message]);
		});
	}

	it('says how long to wait in its words, where no header does', () => {
		const waits: readonly (readonly [string, number | undefined])[] = [
			['Rate limit reached. Please try again in 8s.', 8000],
			['Please try again in 1m8.5s. Visit the site', 68_500],
			['Please try again in 320ms.', 320],
			['{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}]}', 34_400],
			['Please retry after 20 seconds', 20_000],
			['Please try again in 2 minutes', 120_000],
			['Please try again in a while', undefined],
			['slow down', undefined],
		];
		for (const [message, expected] of waits) {
			const { facts } = refusalError({ provider: 'acme', status: 429, message });
			assert.equal(facts.retryAfterMs, expected, message);
		}
		const headers = { 'retry-after': '3' };
		const { facts } = refusalError({ provider: 'acme', status: 429, message: 'try again in 8s', headers });
		assert.equal(facts.retryAfterMs, 3000);
	});
});
