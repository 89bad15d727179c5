/** Streams written by hand after what vendors send: why an answer ended, what is skipped, what is read in another shape. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import { ModelSettings, type ProviderKind } from '../../src/protocol/turn/models.ts';
import type { ModelPart, StopReason } from '../../src/server/models/model-port.ts';
import { ask, assistantOf, callsOf, partsOf, textOf } from './model-contract.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';

describe('streams as vendors write them', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	/** The parts of `stream`, asserted to be the same when every byte comes alone. */
	async function read(kind: ProviderKind, stream: string): Promise<ModelPart[]> {
		endpoint.answers = [{ chunks: [stream] }];
		const whole = await partsOf(endpoint.model(kind), ask('x'));
		endpoint.answers = [{ chunks: [...Buffer.from(stream)].map((byte) => Uint8Array.of(byte)) }];
		const split = await partsOf(endpoint.model(kind), ask('x'));
		assert.deepEqual(
			[textOf(split), thoughtsOf(split), endOf(split)],
			[textOf(whole), thoughtsOf(whole), endOf(whole)],
		);
		return whole;
	}

	function thoughtsOf(parts: readonly ModelPart[]): string {
		return parts.map((part) => (part.kind === 'thinkingDelta' ? part.text : '')).join('');
	}

	function endOf(parts: readonly ModelPart[]): StopReason | undefined {
		const last = parts.at(-1);
		return last?.kind === 'finish' ? last.reason : undefined;
	}

	async function failureOf(kind: ProviderKind) {
		try {
			await partsOf(endpoint.model(kind), ask('x'));
		} catch (error) {
			assert.ok(isProwessError(error), String(error));
			return error;
		}
		assert.fail('the stream did not fail');
	}

	const chat = (delta: unknown, finish: string | null = null) => ({
		choices: [{ index: 0, delta, finish_reason: finish }],
	});
	const piece = (call: unknown) => chat({ tool_calls: [call] });
	const anthropicText = [
		{ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
		{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
		{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half a' } },
		{ type: 'content_block_stop', index: 0 },
	];
	const anthropicEnd = (reason: string) => [
		{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 2 } },
		{ type: 'message_stop' },
	];
	const google = (finishReason: string, ...parts: unknown[]) => ({
		candidates: [{ content: { parts }, finishReason }],
	});
	const responsesText = { type: 'response.output_text.delta', item_id: 'm', delta: 'Half a' };

	describe('why an answer ended', () => {
		const endings: readonly (readonly [ProviderKind, string, StopReason, readonly unknown[]])[] = [
			['anthropic', 'end_turn', 'stop', [...anthropicText, ...anthropicEnd('end_turn')]],
			['anthropic', 'max_tokens', 'length', [...anthropicText, ...anthropicEnd('max_tokens')]],
			['anthropic', 'refusal', 'refusal', [...anthropicText, ...anthropicEnd('refusal')]],
			['anthropic', 'pause_turn', 'paused', [...anthropicText, ...anthropicEnd('pause_turn')]],
			['anthropic', 'a reason of next year', 'unknown', [...anthropicText, ...anthropicEnd('tired')]],
			['openai', 'completed', 'stop', [responsesText, { type: 'response.completed', response: {} }]],
			['openai', 'max_output_tokens', 'length', [responsesText, incomplete('max_output_tokens')]],
			['openai', 'pause_turn', 'paused', [responsesText, incomplete('pause_turn')]],
			['openai', 'content_filter', 'contentFilter', [responsesText, incomplete('content_filter')]],
			[
				'openai',
				'a refusal',
				'refusal',
				[
					{ type: 'response.refusal.delta', item_id: 'm', delta: 'No.' },
					{ type: 'response.completed', response: {} },
				],
			],
			['google', 'STOP', 'stop', [google('STOP', { text: 'Half a' })]],
			['google', 'MAX_TOKENS', 'length', [google('MAX_TOKENS', { text: 'Half a' })]],
			['google', 'SAFETY', 'contentFilter', [google('SAFETY', { text: 'Half a' })]],
			['google', 'RECITATION', 'contentFilter', [google('RECITATION')]],
			['google', 'a blocked prompt', 'contentFilter', [{ promptFeedback: { blockReason: 'OTHER' } }]],
			['google', 'MALFORMED_FUNCTION_CALL', 'malformedCall', [google('MALFORMED_FUNCTION_CALL')]],
			['openai-compatible', 'stop', 'stop', [chat({ content: 'Half a' }, 'stop'), '[DONE]']],
			['openai-compatible', 'pause_turn', 'paused', [chat({ content: 'Half a' }, 'pause_turn'), '[DONE]']],
			['openai-compatible', 'length', 'length', [chat({ content: 'Half a' }, 'length'), '[DONE]']],
			[
				'openai-compatible',
				'content_filter',
				'contentFilter',
				[chat({ content: 'Half a' }, 'content_filter'), '[DONE]'],
			],
			[
				'openai-compatible',
				'a refusal that ends with stop',
				'refusal',
				[chat({ refusal: 'No.' }), chat({}, 'stop'), '[DONE]'],
			],
			['openai-compatible', 'a reason without [DONE]', 'stop', [chat({ content: 'Half a' }, 'stop')]],
			['openai-compatible', '[DONE] without a reason', 'stop', [chat({ content: 'Half a' }), '[DONE]']],
		];
		for (const [kind, name, expected, stream] of endings) {
			it(`is told of ${kind}: ${name}`, async () => {
				assert.equal(endOf(await read(kind, events(...stream))), expected);
			});
		}

		it('is no end where the endpoint itself gave up', async () => {
			endpoint.answers = [{ chunks: [events(chat({ content: 'Half' }), chat({}, 'error'), '[DONE]')] }];
			assert.equal((await failureOf('openai-compatible')).code, 'STREAM_CUT');
		});

		function incomplete(reason: string) {
			return { type: 'response.incomplete', response: { incomplete_details: { reason } } };
		}
	});

	describe('what a vendor adds', () => {
		it('is skipped where it is an event, a block or a delta that nobody knows', async () => {
			const parts = await read(
				'anthropic',
				events(
					{ type: 'weather', degrees: 4 },
					...anthropicText,
					{ type: 'content_block_start', index: 1, content_block: { type: 'hologram', data: 'x' } },
					{ type: 'content_block_delta', index: 1, delta: { type: 'hologram_delta', data: 'y' } },
					{ type: 'content_block_stop', index: 1 },
					...anthropicEnd('end_turn'),
				),
			);
			assert.deepEqual([textOf(parts), endOf(parts)], ['Half a', 'stop']);
			const added = { type: 'response.output_text.annotation.added', annotation: { type: 'url_citation' } };
			const done = { type: 'response.completed', response: {} };
			assert.equal(textOf(await read('openai', events(added, responsesText, done))), 'Half a');
		});

		it('is a thought where it stands between tags at the beginning of the text', async () => {
			const stream = events(
				...['<th', 'ink>I wonder', ' </', 'think>\n\n', 'Yes, <think> is a tag.'].map((content) => chat({ content })),
				chat({}, 'stop'),
			);
			const parts = await read('openai-compatible', stream);
			assert.deepEqual([thoughtsOf(parts), textOf(parts)], ['I wonder ', 'Yes, <think> is a tag.']);
		});

		it('is text and thought where the content is a list', async () => {
			const content = [
				{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
				{ type: 'text', text: 'Yes.' },
			];
			const parts = await read('openai-compatible', events(chat({ content }, 'stop')));
			assert.deepEqual([thoughtsOf(parts), textOf(parts)], ['Hm.', 'Yes.']);
		});
	});

	describe('calls in pieces', () => {
		const first = { name: 'fs_read', arguments: '{"path":"a"}' };
		const second = { name: 'fs_read', arguments: '{"path":"b"}' };
		const spellings: Readonly<Record<string, readonly unknown[]>> = {
			'with the same index for all': [
				piece({ index: 0, id: 'a', function: first }),
				piece({ index: 0, id: 'b', function: second }),
			],
			'with the same index and no id': [piece({ index: 0, function: first }), piece({ index: 0, function: second })],
			'without an index': [piece({ id: 'a', function: first }), piece({ id: 'b', function: second })],
			'with the same id twice': [
				piece({ index: 0, id: 'a', function: first }),
				piece({ index: 1, id: 'a', function: second }),
			],
			interleaved: [
				piece({ index: 0, id: 'a', function: { name: 'fs_read', arguments: '{"path":' } }),
				piece({ index: 1, id: 'b', function: { name: 'fs_read', arguments: '{"path":' } }),
				piece({ index: 0, function: { arguments: '"a"}' } }),
				piece({ index: 1, function: { arguments: '"b"}' } }),
			],
			'with their name in every piece': [
				piece({ index: 0, id: 'a', function: { name: 'fs_read', arguments: '{"path":' } }),
				piece({ index: 0, id: 'a', function: { name: 'fs_read', arguments: '"a"}' } }),
				piece({ index: 1, id: 'b', function: second }),
			],
			'with an object in the place of text': [
				piece({ index: 0, id: 'a', function: { name: 'fs_read', arguments: { path: 'a' } } }),
				piece({ index: 1, id: 'b', function: { name: 'fs_read', arguments: { path: 'b' } } }),
			],
		};
		for (const [how, stream] of Object.entries(spellings)) {
			it(`are put together ${how}`, async () => {
				const calls = callsOf(await read('openai-compatible', events(...stream, chat({}, 'tool_calls'), '[DONE]')));
				assert.deepEqual(
					calls.map(({ tool, inputText }) => [tool, JSON.parse(inputText)]),
					[
						['fs_read', { path: 'a' }],
						['fs_read', { path: 'b' }],
					],
				);
				assert.equal(new Set(calls.map(({ callId }) => callId)).size, 2);
			});
		}

		it('are one call in the form before tool_calls, and none where that is null', async () => {
			const former = (function_call: unknown) => chat({ content: null, function_call });
			const end = [chat({}, 'function_call'), '[DONE]'];
			const pieces = [former({ name: 'fs_read', arguments: '{"pa' }), former({ arguments: 'th":"a"}' })];
			const parts = await read('openai-compatible', events(...pieces, ...end));
			const calls = callsOf(parts).map(({ tool, inputText }) => [tool, JSON.parse(inputText)]);
			assert.deepEqual([calls, endOf(parts)], [[['fs_read', { path: 'a' }]], 'toolCalls']);
			const none = await read('openai-compatible', events(former(null), chat({ content: 'No.' }, 'stop'), '[DONE]'));
			assert.deepEqual([callsOf(none), endOf(none)], [[], 'stop']);
		});
	});

	describe('an answer that is no stream', () => {
		const json = { 'content-type': 'application/json' };
		const whole: Readonly<Record<ProviderKind, unknown>> = {
			'openai-compatible': { choices: [{ message: { role: 'assistant', content: 'Half a' }, finish_reason: 'stop' }] },
			anthropic: { type: 'message', content: [{ type: 'text', text: 'Half a' }], stop_reason: 'end_turn', usage: {} },
			openai: { object: 'response', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Half a' }] }] },
			google: [google('STOP', { text: 'Half a' })],
		};
		for (const [kind, answer] of Object.entries(whole) as [ProviderKind, unknown][]) {
			it(`is read all the same: ${kind}`, async () => {
				endpoint.answers = [{ headers: json, chunks: [JSON.stringify(answer)] }];
				const parts = await partsOf(endpoint.model(kind), ask('x'));
				assert.deepEqual([textOf(parts), endOf(parts)], ['Half a', 'stop']);
			});

			it(`is an error where it tells of one: ${kind}`, async () => {
				endpoint.answers = [{ headers: json, chunks: [JSON.stringify({ error: 'model is overloaded' })] }];
				const { code, message } = await failureOf(kind);
				assert.deepEqual([code, message], ['PROVIDER_OVERLOADED', 'provider "acme" answered 529: model is overloaded']);
			});
		}

		it('is read when a proxy has compressed it', async () => {
			const stream = gzipSync(events(chat({ content: 'Half a' }, 'stop'), '[DONE]'));
			endpoint.answers = [{ headers: { 'content-encoding': 'gzip' }, chunks: [stream] }];
			assert.equal(textOf(await partsOf(endpoint.model('openai-compatible'), ask('x'))), 'Half a');
			endpoint.answers = [{ headers: { 'content-encoding': 'gzip' }, chunks: [stream.subarray(0, 40)] }];
			assert.equal((await failureOf('openai-compatible')).code, 'STREAM_CUT');
		});
	});

	describe('a parameter that an endpoint does not take', () => {
		const refused = (message: string) => ({ status: 400, chunks: [JSON.stringify({ error: { message } })] });
		const done = { chunks: [events({ type: 'response.completed', response: {} })] };

		it('is left out at once, and from then on', async () => {
			const model = endpoint.model('openai', 'gpt-5-canary');
			endpoint.answers = [refused('Encrypted content is not supported with this model.'), done];
			await partsOf(model, ask('x'));
			await partsOf(model, ask('x'));
			assert.deepEqual(
				endpoint.requests.map((request) => 'include' in request),
				[true, false, false],
			);
		});

		it('is not asked of a model that is known not to take it', async () => {
			endpoint.answers = [done];
			await partsOf(endpoint.model('openai', 'gpt-4o'), ask('x'));
			assert.equal('include' in (endpoint.requests[0] ?? {}), false);
			endpoint.answers = [{ chunks: [events(google('STOP', { text: 'x' }))] }];
			await partsOf(endpoint.model('google', 'gemini-2.0-flash'), ask('x'));
			assert.deepEqual(endpoint.requests[1]?.['generationConfig'], {});
		});

		it('is not left out again and again', async () => {
			endpoint.answers = [refused('include and temperature and more are wrong')];
			const { code } = await failureOf('openai-compatible');
			assert.equal(code, 'PROVIDER_ERROR');
			assert.equal(endpoint.requests.length, 2);
		});
	});

	describe('what the user knows of a model', () => {
		const whole: Readonly<Record<ProviderKind, string>> = {
			'openai-compatible': events(chat({ content: 'x' }, 'stop'), '[DONE]'),
			anthropic: events(...anthropicText, ...anthropicEnd('end_turn')),
			openai: events({ type: 'response.completed', response: {} }),
			google: events(google('STOP', { text: 'x' })),
		};
		const known = { maxOutput: 9_000, temperature: 0.5, headers: { 'x-team': 'blue' } };
		const asked = async (kind: ProviderKind, modelId: string, settings: ModelSettings) => {
			endpoint.answers = [{ chunks: [whole[kind]] }];
			await partsOf(endpoint.model(kind, modelId, settings), ask('x'));
			return endpoint.requests.at(-1) ?? {};
		};

		it('is in the request, in the words of the vendor', async () => {
			const { max_tokens, temperature } = await asked('openai-compatible', 'qwen3', known);
			assert.deepEqual([max_tokens, temperature, endpoint.headers[0]?.['x-team']], [9_000, 0.5, 'blue']);
			const google = (await asked('google', 'gemini-2.5-pro', known))['generationConfig'];
			assert.deepEqual(google, { maxOutputTokens: 9_000, temperature: 0.5, thinkingConfig: { includeThoughts: true } });
			assert.equal((await asked('openai', 'gpt-5', known))['max_output_tokens'], 9_000);
			assert.equal((await asked('anthropic', 'glm-5', known))['max_tokens'], 9_000);
			assert.equal((await asked('anthropic', 'glm-5', {}))['max_tokens'], 32_000);
		});

		it('is asked of each vendor as thinking, where it is an effort', async () => {
			const high: ModelSettings = { effort: 'high' };
			const claude = await asked('anthropic', 'claude-sonnet-4-5', { ...high, temperature: 0.5 });
			assert.deepEqual(
				[claude['thinking'], 'temperature' in claude],
				[{ type: 'enabled', budget_tokens: 24_576 }, false],
			);
			assert.deepEqual((await asked('anthropic', 'claude-x', { ...high, maxOutput: 5_000 }))['thinking'], {
				type: 'enabled',
				budget_tokens: 4_000,
			});
			assert.deepEqual((await asked('openai', 'gpt-5', high))['reasoning'], { effort: 'high', summary: 'auto' });
			assert.deepEqual((await asked('openai', 'gpt-5', { effort: 'off' }))['reasoning'], { effort: 'minimal' });
			assert.equal('reasoning' in (await asked('openai', 'gpt-4o', high)), false);
			assert.equal((await asked('openai-compatible', 'qwen3', { effort: 'off' }))['reasoning_effort'], 'none');
			assert.deepEqual((await asked('google', 'gemini-2.5-flash', { effort: 'off' }))['generationConfig'], {
				thinkingConfig: { includeThoughts: true, thinkingBudget: 0 },
			});
			assert.deepEqual((await asked('google', 'gemini-3-pro', high))['generationConfig'], {
				thinkingConfig: { includeThoughts: true, thinkingLevel: 'high' },
			});
		});

		it('is refused where it cannot be meant, and where it is a key', () => {
			const bad = [{ contextWindow: -1 }, { maxOutput: 0 }, { temperature: 3 }, { effort: 'max' }, { wnidow: 1 }];
			const keys = ['Authorization', 'x-api-key', 'Cookie', 'host'].map((name) => ({ headers: { [name]: 'x' } }));
			for (const settings of [...bad, ...keys, { headers: { 'x-a': 'line\nbreak' } }]) {
				assert.equal(ModelSettings.safeParse(settings).success, false, JSON.stringify(settings));
			}
		});
	});

	describe('thoughts of one endpoint', () => {
		it('go back to it and to no other', async () => {
			const stream = events(chat({ reasoning_content: 'Secret plan.' }), chat({ content: 'Yes.' }, 'stop'), '[DONE]');
			endpoint.answers = [{ chunks: [stream] }];
			const answer = assistantOf(await partsOf(endpoint.model('openai-compatible'), ask('x')));
			const other = await startRawEndpoint();
			try {
				other.answers = [{ chunks: [stream] }];
				await partsOf(endpoint.model('openai-compatible'), ask('more', { role: 'user', text: 'x' }, answer));
				await partsOf(other.model('openai-compatible'), ask('more', { role: 'user', text: 'x' }, answer));
				assert.match(JSON.stringify(endpoint.requests.at(-1)), /"reasoning_content":"Secret plan\."/);
				assert.doesNotMatch(JSON.stringify(other.requests), /Secret plan|openaiCompatible|from/);
			} finally {
				await other.close();
			}
		});
	});

	describe('a connection that was kept', () => {
		it('costs nothing when the endpoint has closed it meanwhile', async () => {
			const stream = events(chat({ content: 'Half a' }, 'stop'), '[DONE]');
			endpoint.answers = [{ chunks: [stream], closes: true }];
			for (let n = 0; n < 5; n += 1) {
				assert.equal(textOf(await partsOf(endpoint.model('openai-compatible'), ask('x'))), 'Half a');
			}
			assert.equal(endpoint.requests.length, 5);
		});
	});
});
