/**
 * A turn in which the token limit cuts a call, as each vendor shows it: the real server over HTTP. The model hears what was cut,
 * no request is sent twice, more output is asked for, and the file is written.
 */
import assert from 'node:assert/strict';
import type { ProviderKind } from '../../../src/protocol/turn/models.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { events, type RawEndpoint, startRawEndpoint } from '../../contracts/raw-endpoint.ts';
import { ollama } from '../../support/local-servers.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
const MODEL = 'scripted';
const HALF = '{"path":"long.txt","content":"on';
const input = { path: 'long.txt', content: 'one\n' };

interface Vendor {
	readonly kind: ProviderKind;
	readonly settings?: Record<string, unknown>;
	readonly beside?: Record<string, unknown>;
	readonly cut: string;
	readonly whole: string;
	readonly done: string;
	/** Pattern of the message that tells the model of the cut. */
	readonly told: RegExp;
	/** Limit of output in each request. */
	readonly limits: readonly unknown[];
}

const chat = (delta: unknown, finish: string) =>
	events(
		{ choices: [{ index: 0, delta, finish_reason: finish }], usage: { prompt_tokens: 900, completion_tokens: 4_096 } },
		'[DONE]',
	);
const google = (parts: readonly unknown[], finishReason: string, candidatesTokenCount = 4_096) =>
	events({
		candidates: [{ content: { role: 'model', parts }, finishReason }],
		usageMetadata: { promptTokenCount: 900, candidatesTokenCount },
	});
const line = (message: Record<string, unknown>, reason: string, tokens = 4_096) =>
	[
		{ message: { role: 'assistant', content: '', ...message }, done: false },
		{ message: { content: '' }, done: true, done_reason: reason, prompt_eval_count: 900, eval_count: tokens },
	]
		.map((each) => `${JSON.stringify(each)}\n`)
		.join('');
const claude = (content: Record<string, unknown>, delta: Record<string, unknown>, reason: string) =>
	events(
		{ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } },
		{ type: 'content_block_start', index: 0, content_block: content },
		{ type: 'content_block_delta', index: 0, delta },
		{ type: 'content_block_stop', index: 0 },
		{ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 4_096 } },
		{ type: 'message_stop' },
	);
const tool = { type: 'tool_use', id: 'c1', name: 'fs_write', input: {} };
const usage = { input_tokens: 900, output_tokens: 4_096 };
const call = (written: unknown) => ({ name: 'fs_write', arguments: written });
const item = (written: string) => ({
	type: 'response.output_item.done',
	item: { type: 'function_call', call_id: 'c1', name: 'fs_write', arguments: written },
});

const vendors: Readonly<Record<string, Vendor>> = {
	'Gemini, which leaves it out': {
		kind: 'google',
		cut: google([], 'MAX_TOKENS'),
		whole: google([{ functionCall: { name: 'fs_write', args: input } }], 'STOP', 40),
		done: google([{ text: 'Written.' }], 'STOP', 3),
		told: /The tool call that you had begun was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	'Gemini, which gives on a part of it': {
		kind: 'google',
		cut: google([{ functionCall: { name: 'fs_write', args: { path: 'long.txt' } } }], 'MAX_TOKENS'),
		whole: google([{ functionCall: { name: 'fs_write', args: input } }], 'STOP', 40),
		done: google([{ text: 'Written.' }], 'STOP', 3),
		told: /Your call of fs_write was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	'Ollama, which leaves it out': {
		kind: 'openai-compatible',
		settings: { contextWindow: 32_000 },
		beside: {
			...ollama({ loaded: 32_000, most: 131_072 }).answers,
			'/v1/models': { object: 'list', data: [{ id: MODEL, object: 'model', owned_by: 'library' }] },
		},
		cut: line({}, 'length'),
		whole: line({ tool_calls: [{ function: { name: 'fs_write', arguments: input } }] }, 'stop', 40),
		done: line({ content: 'Written.' }, 'stop', 3),
		told: /The tool call that you had begun was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	Anthropic: {
		kind: 'anthropic',
		cut: claude(tool, { type: 'input_json_delta', partial_json: HALF }, 'max_tokens'),
		whole: claude(tool, { type: 'input_json_delta', partial_json: JSON.stringify(input) }, 'tool_use'),
		done: claude({ type: 'text', text: '' }, { type: 'text_delta', text: 'Written.' }, 'end_turn'),
		told: /Your call of fs_write was cut off/,
		// The dialect asks 32,000 tokens of a model that it does not know, more than twice the raised limit of the
		// other vendors, so nothing is raised.
		limits: [32_000, 32_000, 32_000],
	},
	OpenAI: {
		kind: 'openai',
		cut: events(item(HALF), {
			type: 'response.incomplete',
			response: { incomplete_details: { reason: 'max_output_tokens' }, usage },
		}),
		whole: events(item(JSON.stringify(input)), { type: 'response.completed', response: { usage } }),
		done: events(
			{ type: 'response.output_text.delta', item_id: 'm', delta: 'Written.' },
			{ type: 'response.completed', response: { usage } },
		),
		told: /Your call of fs_write was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	'a compatible endpoint': {
		kind: 'openai-compatible',
		cut: chat({ tool_calls: [{ index: 0, id: 'c1', function: call(HALF) }] }, 'length'),
		whole: chat({ tool_calls: [{ index: 0, id: 'c1', function: call(JSON.stringify(input)) }] }, 'tool_calls'),
		done: chat({ content: 'Written.' }, 'stop'),
		told: /Your call of fs_write was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	'a model that writes its calls into the text': {
		kind: 'openai-compatible',
		settings: { calls: 'text' },
		cut: chat({ content: '<tool_call>{"name":"fs_write","arguments":{"path":"long.txt","content":"on' }, 'length'),
		whole: chat({ content: `<tool_call>${JSON.stringify(call(input))}</tool_call>` }, 'stop'),
		done: chat({ content: 'Written.' }, 'stop'),
		told: /Your call of fs_write was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
	'a model whose skill in the text has no end': {
		kind: 'openai-compatible',
		settings: { calls: 'text' },
		cut: chat({ content: '<skill>fs_write(path="long.txt", content="on' }, 'length'),
		whole: chat({ content: `<skill>fs_write(path="long.txt", content="one\\n")</skill>` }, 'stop'),
		done: chat({ content: 'Written.' }, 'stop'),
		told: /Your call of fs_write was cut off/,
		limits: [undefined, 8_192, 8_192],
	},
};

describe('a turn in which the token limit cuts a call', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	let server: ServerUnderTest | undefined;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(async () => {
		await server?.stop();
		server = undefined;
		await endpoint.close();
	});

	async function play(vendor: Vendor, ...answers: readonly string[]) {
		const host = new MemoryHost({});
		endpoint.beside = vendor.beside ?? {};
		endpoint.answers = answers.map((stream) => ({ chunks: [stream] }));
		server = await ServerUnderTest.startHere({
			home: tempDir('home'),
			host,
			modelUrl: endpoint.baseUrl,
			settings: {
				'prowess.providers': [{ id: 'test', kind: vendor.kind, baseUrl: endpoint.baseUrl, models: [MODEL] }],
				'prowess.models.settings': { [`test/${MODEL}`]: vendor.settings ?? {} },
			},
		});
		const { id: threadId } = await server.peer.call(threadRequests.create, { modelId: `test/${MODEL}` }, signal);
		const { turnId } = await server.peer.call(threadRequests.prompt, { threadId, text: 'Write the file' }, signal);
		const end = await server.event((event) => event.type === 'turn.end' && event.turnId === turnId);
		assert.ok(end.type === 'turn.end');
		const texts = endpoint.requests.map((request) => JSON.stringify(request));
		assert.equal(new Set(texts).size, texts.length, 'two requests are the same');
		const { items } = await server.peer.call(threadRequests.open, { threadId }, signal);
		const shown = items.flatMap((each) => (each.kind === 'text' ? [each.text] : []));
		const notices = items.flatMap((each) => (each.kind === 'notice' ? [each.text] : []));
		return { end, texts, shown, notices, files: host.files };
	}

	for (const [who, vendor] of Object.entries(vendors)) {
		it(`is told to the model, which writes in parts with more output: ${who}`, async () => {
			const { end, texts, shown, files } = await play(vendor, vendor.cut, vendor.whole, vendor.done);
			assert.deepEqual([end.outcome, files.get('long.txt'), shown], ['done', 'one\n', ['Written.']]);
			assert.match(texts[1] ?? '', vendor.told);
			assert.match(texts[1] ?? '', /Do it in smaller parts/);
			assert.deepEqual(endpoint.requests.map(limitIn), vendor.limits);
		});

		it(`fails where every answer is cut in one, says what to do, and nothing is run: ${who}`, async () => {
			const { end, texts, notices, files } = await play(vendor, vendor.cut);
			assert.deepEqual([end.outcome, end.error?.code, texts.length, files.size], ['failed', 'ANSWERS_CUT', 5, 0]);
			assert.match(notices.join(), /^Stopped, because answer after answer was cut off.*Ask for less.*maxOutput/);
		});
	}
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
