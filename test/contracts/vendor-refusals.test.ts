/** Whole refusals as vendors and model servers send them, over real HTTP: their class, the sentence the user reads, the wait. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type ErrorCode, isProwessError } from '../../src/protocol/errors/errors.ts';
import type { ProviderKind } from '../../src/protocol/turn/models.ts';
import { ask, partsOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';

interface Refusal {
	readonly who: string;
	/** Absent: it speaks as OpenAI's chat completions. */
	readonly kind?: ProviderKind;
	readonly status: number;
	/** A text goes out as it is. */
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	readonly code: ErrorCode;
	readonly said: string;
	/** Absent: it is not tried again. */
	readonly retry?: true | number;
}

const error = (message: string, more: Record<string, unknown> = {}) => ({ error: { message, ...more } });
const claude = (type: string, message: string) => ({ type: 'error', error: { type, message }, request_id: 'req_1' });
const gemini = (code: number, status: string, message: string, details: unknown[] = []) =>
	error(message, { code, status, details });
const page = (title: string) => `<html>\r\n<head><title>${title}</title></head>\r\n<body>nginx</body></html>`;

const refusals: readonly Refusal[] = [
	{
		who: 'OpenAI without money',
		kind: 'openai',
		status: 429,
		body: error('You exceeded your current quota, please check your plan and billing details.', {
			type: 'insufficient_quota',
			code: 'insufficient_quota',
		}),
		code: 'PROVIDER_BILLING',
		said: 'You exceeded your current quota, please check your plan and billing details.',
	},
	{
		who: 'OpenAI, too fast',
		kind: 'openai',
		status: 429,
		body: error('Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 8s.'),
		code: 'PROVIDER_RATE_LIMITED',
		said: 'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000. Please try again in 8s.',
		retry: 8_000,
	},
	{
		who: 'OpenAI, more than a minute’s share',
		kind: 'openai',
		status: 429,
		body: error('Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.'),
		code: 'CONTEXT_OVERFLOW',
		said: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000.',
	},
	{
		who: 'OpenAI, too long',
		kind: 'openai',
		status: 400,
		body: error('Your input exceeds the context window of this model. Please adjust your input and try again.', {
			code: 'context_length_exceeded',
		}),
		code: 'CONTEXT_OVERFLOW',
		said: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
	},
	{
		who: 'OpenAI, a model that is not there',
		kind: 'openai',
		status: 404,
		body: error('The model `gpt-9` does not exist or you do not have access to it.', { code: 'model_not_found' }),
		code: 'MODEL_NOT_FOUND',
		said: 'The model `gpt-9` does not exist or you do not have access to it.',
	},
	{
		who: 'Anthropic, overloaded',
		kind: 'anthropic',
		status: 529,
		body: claude('overloaded_error', 'Overloaded'),
		code: 'PROVIDER_OVERLOADED',
		said: 'Overloaded',
		retry: true,
	},
	{
		who: 'Anthropic, too fast',
		kind: 'anthropic',
		status: 429,
		body: claude('rate_limit_error', 'This request would exceed your rate limit of 40,000 input tokens per minute.'),
		headers: { 'retry-after': '12' },
		code: 'PROVIDER_RATE_LIMITED',
		said: 'This request would exceed your rate limit of 40,000 input tokens per minute.',
		retry: 12_000,
	},
	{
		who: 'Anthropic, without money',
		kind: 'anthropic',
		status: 400,
		body: claude('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
		code: 'PROVIDER_BILLING',
		said: 'Your credit balance is too low to access the Anthropic API.',
	},
	{
		who: 'Anthropic, too large',
		kind: 'anthropic',
		status: 413,
		body: claude('request_too_large', 'Request exceeds the maximum size'),
		code: 'CONTEXT_OVERFLOW',
		said: 'Request exceeds the maximum size',
	},
	{
		who: 'Google, a wrong key',
		kind: 'google',
		status: 400,
		body: gemini(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
			{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
		]),
		code: 'PROVIDER_AUTH',
		said: 'API key not valid. Please pass a valid API key.',
	},
	{
		who: 'Google, too fast',
		kind: 'google',
		status: 429,
		body: gemini(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted.', [
			{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' },
		]),
		code: 'PROVIDER_RATE_LIMITED',
		said: 'Resource has been exhausted.',
		retry: 34_400,
	},
	{
		who: 'Google, too long',
		kind: 'google',
		status: 400,
		body: gemini(
			400,
			'INVALID_ARGUMENT',
			'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
		),
		code: 'CONTEXT_OVERFLOW',
		said: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
	},
	{
		who: 'Google, as a list',
		kind: 'google',
		status: 503,
		body: [gemini(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')],
		code: 'PROVIDER_OVERLOADED',
		said: 'The model is overloaded. Please try again later.',
		retry: true,
	},
	{
		who: 'OpenRouter, for another',
		status: 502,
		body: error('Provider returned error', {
			code: 502,
			metadata: { raw: '{"error":{"message":"No capacity"}}', provider_name: 'X' },
		}),
		code: 'PROVIDER_OVERLOADED',
		said: 'Provider returned error: No capacity',
		retry: true,
	},
	{
		who: 'OpenRouter, without money',
		status: 402,
		body: error('This request requires more credits, or fewer max_tokens.', { code: 402 }),
		code: 'PROVIDER_BILLING',
		said: 'This request requires more credits, or fewer max_tokens.',
	},
	{
		who: 'Groq, too large',
		status: 413,
		body: error('Request too large for model `llama-3` on tokens per minute (TPM): Limit 6000, Requested 9000'),
		code: 'CONTEXT_OVERFLOW',
		said: 'Request too large for model `llama-3` on tokens per minute (TPM): Limit 6000, Requested 9000',
	},
	{
		who: 'Mistral, a validation dump',
		status: 422,
		body: {
			detail: [
				{ type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: { messages: ['x'.repeat(500)] } },
			],
		},
		code: 'PROVIDER_ERROR',
		said: 'body.model: Field required',
	},
	{
		who: 'Mistral, a wrong key',
		status: 401,
		body: { message: 'Unauthorized', request_id: 'r1' },
		code: 'PROVIDER_AUTH',
		said: 'Unauthorized',
	},
	{
		who: 'Mistral, too long',
		status: 400,
		body: {
			object: 'error',
			message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
		},
		code: 'CONTEXT_OVERFLOW',
		said: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
	},
	{
		who: 'xAI, too long',
		status: 400,
		body: {
			code: 'Client specified an invalid argument',
			error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
		},
		code: 'CONTEXT_OVERFLOW',
		said: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
	},
	{
		who: 'DeepSeek, without money',
		status: 402,
		body: error('Insufficient Balance', { type: 'unknown_error' }),
		code: 'PROVIDER_BILLING',
		said: 'Insufficient Balance',
	},
	{
		who: 'Kimi, too long',
		status: 400,
		body: error('Invalid request: Your request exceeded model token limit: 262144'),
		code: 'CONTEXT_OVERFLOW',
		said: 'Invalid request: Your request exceeded model token limit: 262144',
	},
	{
		who: 'Kimi, without money',
		status: 429,
		body: error('Your account is suspended, please check your plan and billing details', {
			type: 'exceeded_current_quota_error',
		}),
		code: 'PROVIDER_BILLING',
		said: 'Your account is suspended, please check your plan and billing details',
	},
	{
		who: 'Z.ai, without money',
		status: 429,
		body: error('Insufficient balance or no resource package. Please recharge.', { code: '1113' }),
		code: 'PROVIDER_BILLING',
		said: 'Insufficient balance or no resource package. Please recharge.',
	},
	{
		who: 'SiliconFlow, without money',
		status: 403,
		body: { code: 30_001, message: 'Sorry, your account balance is insufficient', data: null },
		code: 'PROVIDER_BILLING',
		said: 'Sorry, your account balance is insufficient',
	},
	{
		who: 'Cerebras, too long',
		status: 400,
		body: {
			message: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
			code: 'context_length_exceeded',
		},
		code: 'CONTEXT_OVERFLOW',
		said: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
	},
	{
		who: 'Together, too long',
		status: 422,
		body: error(
			'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens',
		),
		code: 'CONTEXT_OVERFLOW',
		said: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens',
	},
	{
		who: 'Alibaba, too long',
		status: 400,
		body: error('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]'),
		code: 'CONTEXT_OVERFLOW',
		said: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
	},
	{
		who: 'Amazon, too long',
		status: 400,
		body: { message: 'Input is too long for requested model.' },
		code: 'CONTEXT_OVERFLOW',
		said: 'Input is too long for requested model.',
	},
	{
		who: 'GitHub, too large',
		status: 413,
		body: error('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' }),
		code: 'CONTEXT_OVERFLOW',
		said: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
	},
	{
		who: 'Azure, too fast',
		status: 429,
		body: error('Requests have exceeded the call rate limit. Please retry after 26 seconds.', { code: '429' }),
		code: 'PROVIDER_RATE_LIMITED',
		said: 'Requests have exceeded the call rate limit. Please retry after 26 seconds.',
		retry: 26_000,
	},
	{
		who: 'Azure, a wrong key',
		status: 401,
		body: { statusCode: 401, message: 'Unauthorized. Access token is missing, invalid, or expired.' },
		code: 'PROVIDER_AUTH',
		said: 'Unauthorized. Access token is missing, invalid, or expired.',
	},
	{
		who: 'Hugging Face, while it loads',
		status: 503,
		body: { error: 'Model x is currently loading', estimated_time: 20 },
		code: 'PROVIDER_OVERLOADED',
		said: 'Model x is currently loading',
		retry: true,
	},
	{
		who: 'vLLM, too long',
		status: 400,
		body: {
			object: 'error',
			message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
			type: 'BadRequestError',
			code: 400,
		},
		code: 'CONTEXT_OVERFLOW',
		said: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
	},
	{
		who: 'vLLM, a model that is not there',
		status: 404,
		body: { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 },
		code: 'MODEL_NOT_FOUND',
		said: 'The model `x` does not exist.',
	},
	{
		who: 'llama.cpp, too long',
		status: 400,
		body: error('the request exceeds the available context size (4096 tokens), try increasing it', {
			code: 400,
			type: 'exceed_context_size_error',
			n_ctx: 4_096,
		}),
		code: 'CONTEXT_OVERFLOW',
		said: 'the request exceeds the available context size (4096 tokens), try increasing it',
	},
	{
		who: 'llama.cpp, while it loads',
		status: 503,
		body: error('Loading model', { code: 503, type: 'unavailable_error' }),
		code: 'PROVIDER_OVERLOADED',
		said: 'Loading model',
		retry: true,
	},
	{
		who: 'Ollama, too long',
		status: 400,
		body: { error: 'prompt too long; exceeded max context length by 17 tokens' },
		code: 'CONTEXT_OVERFLOW',
		said: 'prompt too long; exceeded max context length by 17 tokens',
	},
	{
		who: 'Ollama, a model that is not there',
		status: 404,
		body: { error: 'model "x" not found, try pulling it first' },
		code: 'MODEL_NOT_FOUND',
		said: 'model "x" not found, try pulling it first',
	},
	{
		who: 'LM Studio, too long',
		status: 400,
		body: { error: 'The number of tokens to keep is greater than the context length of the loaded model (4096).' },
		code: 'CONTEXT_OVERFLOW',
		said: 'The number of tokens to keep is greater than the context length of the loaded model (4096).',
	},
	{
		who: 'a proxy, with a page',
		status: 502,
		body: page('502 Bad Gateway'),
		code: 'PROVIDER_OVERLOADED',
		said: 'a web page ("502 Bad Gateway")',
		retry: true,
	},
	{
		who: 'a proxy that takes no more',
		status: 413,
		body: page('413 Request Entity Too Large'),
		code: 'CONTEXT_OVERFLOW',
		said: 'a web page ("413 Request Entity Too Large")',
	},
	{
		who: 'a plain text',
		status: 500,
		body: 'Internal Server Error\n',
		code: 'PROVIDER_OVERLOADED',
		said: 'Internal Server Error',
		retry: true,
	},
	{
		who: 'Google, too fast without paying',
		kind: 'google',
		status: 429,
		body: gemini(
			429,
			'RESOURCE_EXHAUSTED',
			'You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10',
			[
				{
					'@type': 'type.googleapis.com/google.rpc.QuotaFailure',
					violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier', quotaValue: '10' }],
				},
				{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.4s' },
			],
		),
		code: 'PROVIDER_RATE_LIMITED',
		said: 'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 10',
		retry: 34_400,
	},
	{
		who: 'Google, overloaded',
		kind: 'google',
		status: 503,
		body: gemini(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
		code: 'PROVIDER_OVERLOADED',
		said: 'The model is overloaded. Please try again later.',
		retry: true,
	},
	{
		who: 'Google, from a country',
		kind: 'google',
		status: 400,
		body: gemini(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
		code: 'PROVIDER_ERROR',
		said: 'User location is not supported for the API use.',
	},
	{
		who: 'Google, without a right',
		kind: 'google',
		status: 403,
		body: gemini(403, 'PERMISSION_DENIED', 'Method doesn’t allow unregistered callers. Please use an API key.'),
		code: 'PROVIDER_AUTH',
		said: 'Method doesn’t allow unregistered callers. Please use an API key.',
	},
	{
		who: 'OpenAI, from a country',
		kind: 'openai',
		status: 403,
		body: error('Country, region, or territory not supported', {
			code: 'unsupported_country_region_territory',
			type: 'request_forbidden',
		}),
		code: 'PROVIDER_ERROR',
		said: 'Country, region, or territory not supported',
	},
	{
		who: 'OpenAI, a wrong key',
		kind: 'openai',
		status: 401,
		body: error('Incorrect API key provided: sk-ab***yz.', { type: 'invalid_request_error', code: 'invalid_api_key' }),
		code: 'PROVIDER_AUTH',
		said: 'Incorrect API key provided: sk-ab***yz.',
	},
	{
		who: 'OpenAI, overloaded',
		kind: 'openai',
		status: 503,
		body: error('The engine is currently overloaded, please try again later', { type: 'server_error' }),
		code: 'PROVIDER_OVERLOADED',
		said: 'The engine is currently overloaded, please try again later',
		retry: true,
	},
	{
		who: 'Anthropic, a wrong key',
		kind: 'anthropic',
		status: 401,
		body: claude('authentication_error', 'invalid x-api-key'),
		code: 'PROVIDER_AUTH',
		said: 'invalid x-api-key',
	},
	{
		who: 'Anthropic, a model that is not there',
		kind: 'anthropic',
		status: 404,
		body: claude('not_found_error', 'model: claude-9'),
		code: 'MODEL_NOT_FOUND',
		said: 'model: claude-9',
	},
	{
		who: 'OpenRouter, a model that is not there',
		status: 404,
		body: error('No endpoints found for acme/none.', { code: 404 }),
		code: 'MODEL_NOT_FOUND',
		said: 'No endpoints found for acme/none.',
	},
	{
		who: 'Groq, for long',
		status: 429,
		body: error('Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 7m12s.'),
		code: 'PROVIDER_RATE_LIMITED',
		said: 'Rate limit reached on tokens per day (TPD): Limit 100000. Please try again in 7m12s.',
		retry: 432_000,
	},
	{
		who: 'Mistral, too fast',
		status: 429,
		body: { object: 'error', message: 'Requests rate limit exceeded', type: 'rate_limited', code: '1300' },
		code: 'PROVIDER_RATE_LIMITED',
		said: 'Requests rate limit exceeded',
		retry: true,
	},
	{
		who: 'xAI, without money',
		status: 403,
		body: {
			code: 'The caller does not have permission to execute the specified operation',
			error: 'Your newly created teams doesn’t have any credits yet. You can purchase credits on https://console.x.ai.',
		},
		code: 'PROVIDER_BILLING',
		said: 'Your newly created teams doesn’t have any credits yet. You can purchase credits on https://console.x.ai.',
	},
	{
		who: 'DeepSeek, a wrong key',
		status: 401,
		body: error('Authentication Fails (no such user)', { type: 'authentication_error', code: 'invalid_request_error' }),
		code: 'PROVIDER_AUTH',
		said: 'Authentication Fails (no such user)',
	},
	{
		who: 'Azure, a deployment that is not there',
		status: 404,
		body: error('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
		code: 'MODEL_NOT_FOUND',
		said: 'The API deployment for this resource does not exist.',
	},
	{
		who: 'NVIDIA, a model that is not there',
		status: 404,
		body: { status: 404, title: 'Not Found', detail: 'Function "x": Not found for account "y"' },
		code: 'MODEL_NOT_FOUND',
		said: 'Function "x": Not found for account "y"',
	},
	{
		who: 'Perplexity, a wrong key, with a page',
		status: 401,
		body: page('401 Authorization Required'),
		code: 'PROVIDER_AUTH',
		said: 'a web page ("401 Authorization Required")',
	},
	{
		who: 'LM Studio, short of memory',
		status: 404,
		body: error('Failed to load model "qwen". Error: Model loading was stopped due to insufficient system resources.', {
			type: 'invalid_request_error',
			code: 'model_not_found',
		}),
		code: 'PROVIDER_ERROR',
		said: 'Failed to load model "qwen". Error: Model loading was stopped due to insufficient system resources.',
	},
	{
		who: 'Ollama, short of memory',
		status: 500,
		body: { error: 'model requires more system memory (9.2 GiB) than is available (6.1 GiB)' },
		code: 'PROVIDER_ERROR',
		said: 'model requires more system memory (9.2 GiB) than is available (6.1 GiB)',
	},
	{
		who: 'Cloudflare, too slow',
		status: 524,
		body: 'error code: 524',
		code: 'PROVIDER_OVERLOADED',
		said: 'error code: 524',
		retry: true,
	},
	{
		who: 'nobody’s words',
		status: 400,
		body: '',
		code: 'PROVIDER_ERROR',
		said: 'Bad Request',
	},
];

describe('A refusal as it comes', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	for (const { who, kind = 'openai-compatible', status, body, headers = {}, code, said, retry } of refusals) {
		it(`of ${who} is ${code}${retry === undefined ? '' : ', to be tried again'}`, async () => {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			const type = text.startsWith('<') ? 'text/html' : 'application/json';
			endpoint.answers = [{ status, headers: { 'content-type': type, ...headers }, chunks: [text] }];
			const failure = await partsOf(endpoint.model(kind), ask('x')).catch((thrown: unknown) => thrown);
			assert.ok(isProwessError(failure), String(failure));
			assert.deepEqual(
				[failure.code, failure.facts['said'], failure.facts['retryable'], failure.facts['retryAfterMs']],
				[code, said, retry !== undefined, typeof retry === 'number' ? retry : undefined],
			);
			assert.equal(endpoint.requests.length, 1);
		});
	}
});
