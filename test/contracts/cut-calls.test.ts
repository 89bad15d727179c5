/** Calls that the token limit cut, as each vendor's endpoint shows them or hides them, over real HTTP. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ModelPart, ModelPort, ModelRequest } from '../../src/server/models/model-port.ts';
import { ask, callsOf, partsOf, textOf } from './model-contract.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { dialects } from './written-streams.ts';

const google = (candidate: Record<string, unknown>, usage: Record<string, number> = {}) =>
	events({ candidates: [candidate], usageMetadata: { promptTokenCount: 900, ...usage } });
const lines = (...objects: readonly unknown[]) => objects.map((each) => `${JSON.stringify(each)}\n`).join('');
const ended = (tokens: number) => ({
	message: { role: 'assistant', content: '' },
	done: true,
	done_reason: 'length',
	prompt_eval_count: 900,
	eval_count: tokens,
});
const said = (message: Record<string, unknown>) => ({ message: { role: 'assistant', ...message }, done: false });
const long = 'The readme lists the parts of the project, one after the other. '.repeat(60);

interface Cut {
	readonly as: string;
	readonly open: (endpoint: RawEndpoint) => ModelPort;
	readonly stream: string;
	/** Tool of the cut call; empty where nothing names it, undefined where no call was cut. */
	readonly tool: string | undefined;
	readonly text?: string;
}

const gemini = (endpoint: RawEndpoint) => endpoint.model('google', 'gemini-2.5-pro');
const ollama = (endpoint: RawEndpoint) => endpoint.ollama(8_192);
const claude = (endpoint: RawEndpoint) => endpoint.model('anthropic');
const gpt = (endpoint: RawEndpoint) => endpoint.model('openai', 'gpt-5');
const compatible = (endpoint: RawEndpoint) => endpoint.model('openai-compatible');

const started = { type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } };
const cuts: readonly Cut[] = [
	{
		as: 'Gemini leaves it out, and counts its tokens',
		open: gemini,
		stream: google({ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }, { candidatesTokenCount: 4_096 }),
		tool: '',
	},
	{
		as: 'Gemini leaves it out after a text',
		open: gemini,
		stream: google(
			{ content: { parts: [{ text: 'I write it.' }] }, finishReason: 'MAX_TOKENS' },
			{ candidatesTokenCount: 4_096, thoughtsTokenCount: 300 },
		),
		tool: '',
		text: 'I write it.',
	},
	{
		as: 'Gemini gives on what it had of it',
		open: gemini,
		stream: google(
			{
				content: { parts: [{ functionCall: { name: 'fs_write', args: { path: 'long.txt' } } }] },
				finishReason: 'MAX_TOKENS',
			},
			{ candidatesTokenCount: 4_096 },
		),
		tool: 'fs_write',
	},
	{
		as: 'none, where the thoughts of Gemini have filled the answer',
		open: gemini,
		stream: google({ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }, { thoughtsTokenCount: 4_096 }),
		tool: undefined,
	},
	{
		as: 'none, where a text of Gemini reached the limit',
		open: gemini,
		stream: google({ content: { parts: [{ text: long }] }, finishReason: 'MAX_TOKENS' }, { candidatesTokenCount: 900 }),
		tool: undefined,
		text: long,
	},
	{ as: 'Ollama leaves it out, and counts its tokens', open: ollama, stream: lines(ended(2_048)), tool: '' },
	{
		as: 'Ollama leaves it out after a text',
		open: ollama,
		stream: lines(said({ content: 'I write it.' }), ended(2_048)),
		tool: '',
		text: 'I write it.',
	},
	{
		as: 'Ollama gives on what it had of it',
		open: ollama,
		stream: lines(
			said({ content: '', tool_calls: [{ function: { name: 'fs_write', arguments: { path: 'long.txt' } } }] }),
			ended(2_048),
		),
		tool: 'fs_write',
	},
	{
		as: 'none, where a thought of Ollama reached the limit',
		open: ollama,
		stream: lines(said({ content: '', thinking: long }), ended(900)),
		tool: undefined,
	},
	{
		as: 'none, where a text of Ollama reached the limit',
		open: ollama,
		stream: lines(said({ content: long }), ended(900)),
		tool: undefined,
		text: long,
	},
	{
		as: 'Anthropic ends in the middle of its block',
		open: claude,
		stream: events(
			started,
			{ type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c1', name: 'fs_write' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"lo' } },
			{ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 4_096 } },
			{ type: 'message_stop' },
		),
		tool: 'fs_write',
	},
	{
		as: 'OpenAI does not end the item',
		open: gpt,
		stream: events(
			{ type: 'response.output_item.added', item: { type: 'function_call', id: 'f', name: 'fs_write' } },
			{ type: 'response.function_call_arguments.delta', item_id: 'f', delta: '{"path":"lo' },
			{ type: 'response.incomplete', response: { incomplete_details: { reason: 'max_output_tokens' } } },
		),
		tool: 'fs_write',
	},
	...Object.entries(dialects)
		.filter(([name]) => name !== 'google' && name !== 'ollama')
		.map(([name, { open, stream }]) => ({
			as: `${name} gives on what it had of it`,
			open,
			stream: stream({ text: 'I write it.', input: '{"path":"lo', end: 'length' }),
			tool: 'fs_read',
			text: 'I write it.',
		})),
	{
		as: 'a model server has numbered it and named nothing',
		open: compatible,
		stream: events(
			{ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c1', function: {} }] }, finish_reason: null }] },
			{ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] },
			'[DONE]',
		),
		tool: '',
	},
];

/** Beginnings of calls as models write them into their text. */
const writtenCalls: readonly (readonly [text: string, tool: string | undefined, shown?: string])[] = [
	['I write it.\n<tool_call>{"name": "fs_read", "arguments": {"path": "lo', 'fs_read'],
	['I write it.\n<tool_call>{"na', ''],
	['I write it.\n<tool_call>', ''],
	['I write it.\n<tool_c', ''],
	['I write it.\n<skill>fs_read(path="lo', 'fs_read'],
	['I write it.\n<function=fs_read>\n<parameter=path>lo', 'fs_read'],
	['I write it.\n<function=fs_re', ''],
	['I write it.\n<invoke name="fs_read">\n<parameter name="path">lo', 'fs_read'],
	['I write it.\n[TOOL_CALLS]fs_read[ARGS]{"path": "lo', 'fs_read'],
	['I write it.\n[TOOL_CALLS][{"name": "fs_read", "arguments": {"path": "lo', 'fs_read'],
	['I write it.\n```json\n{"name": "fs_read", "arguments": {"path": "lo', 'fs_read'],
	['I write it.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>fs_read\n```json\n{"pa', 'fs_read'],
	['{"name": "fs_read", "arguments": {"path": "lo', 'fs_read', ''],
	['{"name": "a person", "age": 4', undefined, '{"name": "a person", "age": 4'],
	['```json\n{"name": "a person", "age": 4', undefined, '```json\n{"name": "a person", "age": 4'],
	['```xml\n<tool_call>{"name": "fs_read", "ar', undefined, '```xml\n<tool_call>{"name": "fs_read", "ar'],
	['Is a < b', undefined, 'Is a < b'],
];

describe('a call that the token limit cut', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	/**
	 * Returns the name of the cut tool as the agent loop takes it: from the finish part, or else from the last call.
	 */
	function cutIn(parts: readonly ModelPart[]): string | undefined {
		const last = parts.at(-1);
		assert.ok(last?.kind === 'finish' && last.reason === 'length', JSON.stringify(last));
		const before = parts.at(-2);
		return last.cutTool ?? (before?.kind === 'toolCall' ? before.tool : undefined);
	}

	async function read(open: Cut['open'], stream: string, request: ModelRequest = ask('x')): Promise<ModelPart[]> {
		endpoint.answers = [{ chunks: [stream] }];
		const whole = await partsOf(open(endpoint), request);
		endpoint.answers = [{ chunks: [...Buffer.from(stream)].map((byte) => Uint8Array.of(byte)) }];
		const split = await partsOf(open(endpoint), request);
		assert.deepEqual([cutIn(split), textOf(split)], [cutIn(whole), textOf(whole)]);
		return whole;
	}

	for (const { as, open, stream, tool, text = '' } of cuts) {
		it(`is recognised: ${as}`, async () => {
			const parts = await read(open, stream);
			assert.deepEqual([cutIn(parts), textOf(parts)], [tool, text]);
			// A text that goes on has no end, one before a call has.
			assert.equal(
				parts.some(({ kind }) => kind === 'textEnd'),
				text !== '' && tool !== undefined,
			);
		});
	}

	it('is none where the request had no tools to call', async () => {
		const [hidden] = cuts;
		assert.ok(hidden !== undefined);
		assert.equal(cutIn(await read(hidden.open, hidden.stream, { ...ask('x'), tools: [] })), undefined);
	});

	for (const [written, tool, shown = 'I write it.'] of writtenCalls) {
		it(`is recognised in a text, and not shown: ${JSON.stringify(written.slice(-50))}`, async () => {
			for (const [name, dialect] of Object.entries(dialects)) {
				const open = () =>
					name === 'ollama'
						? endpoint.ollama(8_192, { calls: 'text' })
						: endpoint.model(name as 'google', 'm', { calls: 'text' });
				const parts = await read(open, dialect.stream({ text: written, end: 'length' }));
				assert.deepEqual([cutIn(parts), textOf(parts), callsOf(parts)], [tool, shown, []], name);
			}
		});
	}

	it('leaves the whole ones before it in a text as they are', async () => {
		const call = '<tool_call>{"name":"fs_read","arguments":{"path":"a.ts"}}</tool_call>';
		const open = () => endpoint.model('openai-compatible', 'm', { calls: 'text' });
		const text = `${call}\n<tool_call>{"name":"fs_read","ar`;
		const parts = await read(open, dialects['openai-compatible']?.stream({ text, end: 'length' }) ?? '');
		assert.deepEqual([callsOf(parts).length, parts.at(-1)], [1, { ...parts.at(-1), cutTool: 'fs_read' }]);
	});
});
