/** A raised limit of output in each dialect, over real HTTP: where it stands, what a refusal of it leads to, and where it is not sent. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ask, partsOf, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { dialects } from './written-streams.ts';

const RAISED = 40_000;
const raised = { ...ask('x'), raisedOutput: { tokens: RAISED } };

/** Refusals as vendors and model servers write them. */
const refusals = [
	'max_tokens is too large: 40000. This model supports at most 4096 completion tokens',
	'max_tokens: 40000 > 4096, which is the maximum allowed number of output tokens for this model',
	'Unable to submit request because it has a maxOutputTokens value of 40000 but the supported range is from 1 to 4097',
	"Invalid 'max_output_tokens': integer above maximum value",
	"This model's maximum context length is 8192 tokens. However, you requested 40100 tokens (100 in the messages, 40000 in the completion)",
];

describe('a raised limit of output', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	/** Limit in each request so far. */
	const sent = () => endpoint.requests.map(limitIn);

	for (const [name, dialect] of Object.entries(dialects)) {
		const own = name === 'anthropic' ? 32_000 : undefined;
		const answer = { chunks: [dialect.stream({ text: 'Half a', end: 'stop' })] };

		it(`is asked for in the dialect of ${name}, and nowhere unless it is raised`, async () => {
			endpoint.answers = [answer];
			const model = dialect.open(endpoint);
			await partsOf(model, ask('x'));
			await partsOf(model, raised);
			assert.deepEqual(sent(), [own, RAISED]);
		});

		for (const message of refusals) {
			it(`goes back to the former where ${name} refuses it, then and later: ${message.slice(0, 30)}`, async () => {
				endpoint.answers = [{ status: 400, chunks: [JSON.stringify({ error: { message } })] }, answer];
				const model = dialect.open(endpoint);
				assert.equal(textOf(await partsOf(model, raised)), 'Half a');
				await partsOf(model, raised);
				assert.deepEqual(sent(), [RAISED, own, own]);
			});
		}
	}

	it('goes back to a raised one that was taken before', async () => {
		const refused = { status: 400, chunks: [JSON.stringify({ error: { message: refusals[0] } })] };
		endpoint.answers = [refused, { chunks: [dialects['openai']?.stream({ text: 'a', end: 'stop' }) ?? ''] }];
		await partsOf(endpoint.model('openai'), { ...ask('x'), raisedOutput: { tokens: 2 * RAISED, former: RAISED } });
		assert.deepEqual(sent(), [2 * RAISED, RAISED]);
	});

	it('is not forgotten where another parameter is refused', async () => {
		const answer = { chunks: [dialects['openai-compatible']?.stream({ text: 'Half a', end: 'stop' }) ?? ''] };
		const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
		endpoint.answers = [{ status: 400, chunks: [JSON.stringify({ error: { message } })] }, answer];
		await partsOf(endpoint.model('openai-compatible'), raised);
		assert.deepEqual(sent(), [RAISED, RAISED]);
	});

	it('is not sent where the requests ask for the maximum already: as the user set it, and of a Claude', async () => {
		const { anthropic, 'openai-compatible': compatible } = dialects;
		endpoint.answers = [{ chunks: [compatible?.stream({ text: 'a', end: 'stop' }) ?? ''] }];
		await partsOf(endpoint.model('openai-compatible', 'm', { maxOutput: 5_000 }), raised);
		endpoint.answers = [{ chunks: [anthropic?.stream({ text: 'a', end: 'stop' }) ?? ''] }];
		await partsOf(endpoint.model('anthropic', 'claude-3-5-haiku-latest'), raised);
		await partsOf(endpoint.model('anthropic', 'claude-sonnet-4-5'), { ...raised, raisedOutput: { tokens: 128_000 } });
		assert.deepEqual(sent(), [5_000, 8_192, 64_000]);
	});
});

function limitIn(body: Record<string, unknown>): unknown {
	const { generationConfig = {}, options = {} } = body as Record<string, Record<string, unknown>>;
	return (
		body['max_tokens'] ??
		body['max_completion_tokens'] ??
		body['max_output_tokens'] ??
		generationConfig['maxOutputTokens'] ??
		options['num_predict']
	);
}
