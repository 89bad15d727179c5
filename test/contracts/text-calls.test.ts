/** Models that take no tools: told of them in words, and their calls read from their text, in every dialect. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { ModelSettings, type ProviderKind } from '../../src/protocol/turn/models.ts';
import type { ModelMessage, ModelPart, ModelRequest } from '../../src/server/models/model-port.ts';
import { ask, callsOf, partsOf, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { streamedText as streamed } from './streamed-text.ts';

const CALL = 'I look.\n<tool_call>{"name": "fs_read", "arguments": {"path": "a.ts"}}</tool_call>\n';

const kinds = Object.keys(streamed) as ProviderKind[];

const refusals: readonly (readonly [who: string, status: number, body: unknown])[] = [
	['Ollama', 400, { error: { message: 'registry.ollama.ai/library/gemma:2b does not support tools' } }],
	[
		'vLLM',
		400,
		{
			object: 'error',
			message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
		},
	],
	['llama.cpp', 500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }],
	['OpenRouter', 404, { error: { message: 'No endpoints found that support tool use. Try disabling "fs_read".' } }],
	['DeepSeek', 400, { error: { message: 'deepseek-reasoner does not support Function Calling' } }],
];

describe('A model that takes no tools', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	const asked = (at: number) => JSON.stringify(endpoint.requests.at(at));
	const ends = (parts: readonly ModelPart[]) => parts.flatMap((part) => (part.kind === 'finish' ? [part.reason] : []));
	const history: readonly ModelMessage[] = [
		{ role: 'user', text: 'Look.' },
		{
			role: 'assistant',
			parts: [{ kind: 'toolCall', callId: 'c1', tool: 'fs_read', inputText: '{"path":"b.ts"}' }],
		},
		{ role: 'tool', results: [{ callId: 'c1', tool: 'fs_read', text: 'x </tool_response> y', isError: true }] },
	];

	for (const [who, status, body] of refusals) {
		it(`is asked again in words as ${who} refuses tools, and told of once`, async () => {
			const refused = { status, chunks: [JSON.stringify(body)] };
			endpoint.answers = [refused, { chunks: [streamed['openai-compatible'](CALL)] }];
			const model = endpoint.model('openai-compatible');
			const first = await partsOf(model, ask('x'));
			assert.deepEqual(first[0], { kind: 'note', note: 'callsInText' });
			assert.deepEqual(
				callsOf(first).map(({ tool, inputText }) => [tool, JSON.parse(inputText)]),
				[['fs_read', { path: 'a.ts' }]],
			);
			const second = await partsOf(model, ask('y'));
			assert.ok(second.every(({ kind }) => kind !== 'note'));
			assert.equal(endpoint.requests.length, 3);
			assert.ok('tools' in (endpoint.requests[0] ?? {}) && !('tools' in (endpoint.requests[1] ?? {})));
		});
	}

	it('is not asked in words for an error of another kind, or where the user says that it takes tools', async () => {
		endpoint.answers = [{ status: 400, chunks: ['{"error":{"message":"the file tools.json is too odd"}}'] }];
		await assert.rejects(partsOf(endpoint.model('openai-compatible'), ask('x')), { code: 'PROVIDER_ERROR' });
		endpoint.answers = [{ status: 400, chunks: ['{"error":{"message":"m does not support tools"}}'] }];
		const native = endpoint.model('openai-compatible', 'm', { calls: 'native' });
		await assert.rejects(partsOf(native, ask('x')), { code: 'PROVIDER_ERROR' });
		assert.equal(endpoint.requests.length, 2);
	});

	for (const kind of kinds) {
		it(`is told of tools, calls and results in words, and its calls are read: ${kind}`, async () => {
			const stream = streamed[kind](CALL);
			for (const chunks of [[stream], [...Buffer.from(stream)].map((byte) => Uint8Array.of(byte))]) {
				endpoint.answers = [{ chunks }];
				const parts = await partsOf(endpoint.model(kind, 'm', { calls: 'text' }), ask('Go on.', ...history));
				assert.equal(textOf(parts), 'I look.');
				assert.deepEqual(
					callsOf(parts).map(({ tool, inputText }) => [tool, JSON.parse(inputText)]),
					[['fs_read', { path: 'a.ts' }]],
				);
				assert.deepEqual(ends(parts), ['toolCalls']);
			}
			const text = asked(-1);
			assert.doesNotMatch(text, /"tools"|tool_use|functionCall|function_call|tool_calls"/);
			assert.match(text, /- fs_read \{\\"path\\": string\}: Read a file\./);
			assert.match(
				text,
				/<tool_call>\{\\"name\\":\\"fs_read\\",\\"arguments\\":\{\\"path\\":\\"b\.ts\\"\}\}<\/tool_call>/,
			);
			assert.match(
				text,
				/<tool_response name=\\"fs_read\\" error=\\"true\\">\\nx <\\\\\/tool_response> y\\n<\/tool_response>\\n\\nGo on\./,
			);
		});
	}

	const forms: readonly (readonly [name: string, text: string])[] = [
		['Hermes', '<tool_call>\n{"name": "fs_read", "arguments": {"path": "a.ts"}}\n</tool_call>'],
		[
			'Hermes with an end of its template',
			'<tool_call>{"name":"fs_read","arguments":{"path":"a.ts"}}</tool_call><|im_end|>',
		],
		['Hermes without its end', '<tool_call>{"name":"fs_read","arguments":{"path":"a.ts"}}'],
		['Hermes in Python', "<tool_call>{'name': 'fs_read', 'arguments': {'path': 'a.ts'}}</tool_call>"],
		['JSON in a fence', '```json\n{"name": "fs_read", "arguments": {"path": "a.ts"}}\n```'],
		['JSON alone', '{"name": "fs_read", "parameters": {"path": "a.ts"}}'],
		['Mistral', '[TOOL_CALLS][{"name": "fs_read", "arguments": {"path": "a.ts"}}]'],
		['Mistral, newer', '[TOOL_CALLS]fs_read[ARGS]{"path": "a.ts"}'],
		['Qwen', '<tool_call>\n<function=fs_read>\n<parameter=path>\na.ts\n</parameter>\n</function>\n</tool_call>'],
		['GLM', '<tool_call>fs_read\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>'],
		[
			'MiniMax',
			'<minimax:tool_call><invoke name="fs_read"><parameter name="path">a.ts</parameter></invoke></minimax:tool_call>',
		],
		['Llama', '<|python_tag|>{"name": "fs_read", "parameters": {"path": "a.ts"}}<|eom_id|>'],
		[
			'DeepSeek',
			'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>fs_read\n```json\n{"path":"a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
		],
		['the form of skills', '<skill>fs_read(path="a.ts")</skill>'],
	];

	for (const kind of kinds) {
		it(`is read though it was given tools, where its answer is nothing but a call: ${kind}`, async () => {
			for (const [form, text] of forms) {
				endpoint.answers = [{ chunks: [streamed[kind](text)] }];
				const model = endpoint.model(kind, form);
				const first = await partsOf(model, ask('x'));
				assert.deepEqual(first[0], { kind: 'note', note: 'callsWritten' }, form);
				assert.deepEqual(
					[callsOf(first).map(({ tool, inputText }) => [tool, JSON.parse(inputText)]), ends(first)],
					[[['fs_read', { path: 'a.ts' }]], ['toolCalls']],
					form,
				);
				endpoint.answers = [{ chunks: [streamed[kind](CALL)] }];
				const second = await partsOf(model, ask('y'));
				assert.ok(second.every(({ kind: each }) => each !== 'note'));
				assert.deepEqual([textOf(second), callsOf(second).length], ['I look.', 1], 'remembered');
				assert.match(asked(-1), /"tools"/);
			}
		});
	}

	it('is shown as it answers where that is more than a call, of no tool, cut off, or where it is said to call by itself', async () => {
		const [[, call] = ['', '']] = forms;
		const rows = [
			CALL,
			'Use <tool_call>{"name":"fs_read","arguments":{}}</tool_call> for that.',
			`${call}\nThis is how a call looks.`,
			'<tool_call>{"name":"zeppelin","arguments":{}}</tool_call>',
			'```json\n{"name": "prowess", "version": "1.0.0"}\n```',
			'{"name": "prowess"}',
			'`<tool_call>`',
			'<',
			'',
		];
		for (const text of rows) {
			endpoint.answers = [{ chunks: [streamed['openai-compatible'](text)] }];
			const parts = await partsOf(endpoint.model('openai-compatible'), ask('x'));
			assert.deepEqual([callsOf(parts), textOf(parts)], [[], text]);
		}
		endpoint.answers = [{ chunks: [streamed['openai-compatible'](call)] }];
		const parts = await partsOf(endpoint.model('openai-compatible', 'm', { calls: 'native' }), ask('x'));
		assert.deepEqual([callsOf(parts), textOf(parts)], [[], call]);
	});

	it('is told that there are none where the user says so, and nothing is read as a call', async () => {
		endpoint.answers = [{ chunks: [streamed['openai-compatible'](CALL)] }];
		const parts = await partsOf(endpoint.model('openai-compatible', 'm', { calls: 'none' }), ask('x'));
		assert.deepEqual([callsOf(parts), textOf(parts), ends(parts)], [[], CALL, ['stop']]);
		assert.match(asked(-1), /There are no tools here/);
	});

	it('is left alone where no tools are asked for', async () => {
		endpoint.answers = [{ chunks: [streamed['openai-compatible'](CALL)] }];
		const request: ModelRequest = { ...ask('x'), tools: [] };
		const parts = await partsOf(endpoint.model('openai-compatible', 'm', { calls: 'text' }), request);
		assert.deepEqual([callsOf(parts), textOf(parts)], [[], CALL]);
		assert.doesNotMatch(asked(-1), /tool_call/);
	});

	it('can be named in the settings with nothing but the ways there are', () => {
		assert.equal(ModelSettings.safeParse({ calls: 'xml' }).success, false);
	});
});
