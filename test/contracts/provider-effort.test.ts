/** Checks the effort of thinking: each vendor is asked in its own words, over real HTTP, and a refusal is handled. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Effort, type ProviderKind } from '../../src/protocol/turn/models.ts';
import type { ModelPort, ModelRequest } from '../../src/server/models/model-port.ts';
import { ask, assistantOf, partsOf } from './model-contract.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { streamedText as streamed } from './streamed-text.ts';

const budget = (tokens: number) => ({ type: 'enabled', budget_tokens: tokens });
const reasoning = (effort: string) => ({
	effort,
	...(effort !== 'minimal' && effort !== 'none' && { summary: 'auto' }),
});
const thoughts = (config: Record<string, unknown>) => ({ includeThoughts: true, ...config });

/** For off, low, medium and high. */
const words: readonly (readonly [ProviderKind | 'ollama', modelId: string, asked: readonly unknown[]])[] = [
	['anthropic', 'claude-sonnet-4-5', [undefined, budget(4_096), budget(10_240), budget(24_576)]],
	['anthropic', 'claude-3-5-haiku', [undefined, budget(4_096), budget(6_553), budget(6_553)]],
	['openai', 'gpt-5', ['minimal', 'low', 'medium', 'high'].map(reasoning)],
	['openai', 'gpt-5.1', ['none', 'low', 'medium', 'high'].map(reasoning)],
	['openai', 'gpt-5-codex', [{ effort: 'low' }, ...['low', 'medium', 'high'].map(reasoning)]],
	['openai', 'gpt-4.1', [undefined, undefined, undefined, undefined]],
	['google', 'gemini-2.5-flash', [0, 2_048, 8_192, 24_576].map((thinkingBudget) => thoughts({ thinkingBudget }))],
	['google', 'gemini-2.5-pro', [128, 2_048, 8_192, 24_576].map((thinkingBudget) => thoughts({ thinkingBudget }))],
	['google', 'gemini-3-pro', ['low', 'low', 'high', 'high'].map((thinkingLevel) => thoughts({ thinkingLevel }))],
	[
		'google',
		'gemini-3-flash',
		['minimal', 'low', 'medium', 'high'].map((thinkingLevel) => thoughts({ thinkingLevel })),
	],
	['google', 'gemini-2.0-flash', [undefined, undefined, undefined, undefined]],
	['openai-compatible', 'qwen3', ['none', 'low', 'medium', 'high']],
	['ollama', 'qwen3', [false, 'low', 'medium', 'high']],
];

describe('The effort of a model', function () {
	this.timeout(30_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	const refused = (message: string) => ({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
	const said = (kind: ProviderKind) => ({ chunks: [streamed[kind]('Yes.')] });

	/** Returns the part of the last request that asks for thinking, in the vendor's words. */
	function asked(): unknown {
		const body = endpoint.requests.at(-1) ?? {};
		const { thinkingConfig } = (body['generationConfig'] ?? {}) as Record<string, unknown>;
		return body['thinking'] ?? body['reasoning'] ?? body['reasoning_effort'] ?? body['think'] ?? thinkingConfig;
	}

	async function notes(model: ModelPort, request: ModelRequest): Promise<readonly string[]> {
		return (await partsOf(model, request)).flatMap((part) => (part.kind === 'note' ? [part.note] : []));
	}

	it('is left out where the endpoint refuses it, which is said once; another one is still asked for', async () => {
		endpoint.answers = [refused("'none' is not a valid reasoning_effort for this model"), said('openai-compatible')];
		const model = endpoint.model('openai-compatible');
		assert.deepEqual(await notes(model, { ...ask('x'), effort: 'off' }), ['effortLeftOut']);
		assert.equal(asked(), undefined);
		assert.deepEqual(await notes(model, { ...ask('x'), effort: 'off' }), []);
		assert.deepEqual([asked(), endpoint.requests.length], [undefined, 3]);
		assert.deepEqual(await notes(model, { ...ask('x'), effort: 'high' }), []);
		assert.equal(asked(), 'high');
	});

	it('is not told as left out where nobody chose one', async () => {
		endpoint.answers = [refused('thinking is not supported by this model'), said('google')];
		const model = endpoint.model('google', 'gemini-2.5-odd');
		assert.deepEqual(await notes(model, ask('x')), []);
		assert.equal(endpoint.requests.length, 2);
	});

	it('is no budget that Anthropic refuses as too small', async () => {
		endpoint.answers = [said('anthropic')];
		await partsOf(endpoint.model('anthropic', 'claude-x', { maxOutput: 1_200, effort: 'high' }), ask('x'));
		assert.equal(asked(), undefined);
	});

	it('waits for the next words of the user where Anthropic has not thought before the calls of this turn', async () => {
		endpoint.answers = [said('anthropic')];
		const model = endpoint.model('anthropic', 'claude-sonnet-4-5', { effort: 'high' });
		const call = { kind: 'toolCall', callId: 'c1', tool: 'fs_read', inputText: '{}' } as const;
		const result = { role: 'tool', results: [{ callId: 'c1', tool: 'fs_read', text: 'x', isError: false }] } as const;
		const begun = {
			...ask('x'),
			messages: [{ role: 'user', text: 'Look.' }, { role: 'assistant', parts: [call] }, result],
		};
		await partsOf(model, begun as ModelRequest);
		assert.equal(asked(), undefined);
		await partsOf(model, ask('And now?', ...(begun.messages as ModelRequest['messages'])));
		assert.deepEqual(asked(), budget(24_576));
	});

	it('goes on in a turn whose calls Anthropic has thought about', async () => {
		const block = (index: number, start: unknown, delta: unknown) => [
			{ type: 'content_block_start', index, content_block: start },
			{ type: 'content_block_delta', index, delta },
			{ type: 'content_block_stop', index },
		];
		const stream = events(
			{ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
			...block(0, { type: 'thinking', thinking: 'Hm.', signature: 's' }, { type: 'ping' }),
			...block(1, { type: 'tool_use', id: 'c1', name: 'fs_read' }, { type: 'input_json_delta', partial_json: '{}' }),
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
			{ type: 'message_stop' },
		);
		endpoint.answers = [{ chunks: [stream] }, said('anthropic')];
		const model = endpoint.model('anthropic', 'claude-sonnet-4-5', { effort: 'low' });
		const answer = assistantOf(await partsOf(model, ask('x')));
		const results = [{ callId: 'c1', tool: 'fs_read', text: 'x', isError: false }];
		await partsOf(model, { ...ask('x'), messages: [{ role: 'user', text: 'x' }, answer, { role: 'tool', results }] });
		assert.deepEqual(asked(), budget(4_096));
	});

	for (const [kind, modelId, expected] of words) {
		it(`is asked of ${kind} in its own words: ${modelId}`, async () => {
			const line = { message: { content: 'Yes.' }, done: true, done_reason: 'stop' };
			endpoint.answers = [kind === 'ollama' ? { chunks: [`${JSON.stringify(line)}\n`] } : said(kind)];
			const model = kind === 'ollama' ? endpoint.ollama(8_192) : endpoint.model(kind, modelId);
			const all: unknown[] = [];
			for (const effort of Effort.options) {
				await partsOf(model, { ...ask('x'), effort });
				all.push(asked());
			}
			assert.deepEqual(all, expected);
		});
	}
});
