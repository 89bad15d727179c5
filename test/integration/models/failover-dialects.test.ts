/**
 * A chain of three vendors, each with an interface of its own, in one turn: the real server over HTTP. The history goes on in
 * the words of the next, without thoughts of the one before; windows and tools are those of the model that takes over.
 */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { events, type RawEndpoint, startRawEndpoint } from '../../contracts/raw-endpoint.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
const THOUGHT = 'Secret thought of the first';
const SIGNATURE = 'signature-of-the-first';

const refused = { status: 402, chunks: [JSON.stringify({ error: { message: 'Insufficient credits' } })] };
const claudeCalls = (tool: string, input: unknown) => ({
	chunks: [
		events(
			{ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } },
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: THOUGHT } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SIGNATURE } },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: tool } },
			{
				type: 'content_block_delta',
				index: 1,
				delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
			},
			{ type: 'content_block_stop', index: 1 },
			{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
			{ type: 'message_stop' },
		),
	],
});
const gptCalls = (tool: string, input: unknown) => ({
	chunks: [
		events(
			{
				type: 'response.output_item.done',
				item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'thoughts-of-the-second', summary: [] },
			},
			{
				type: 'response.output_item.done',
				item: { type: 'function_call', call_id: 'fc_1', name: tool, arguments: JSON.stringify(input) },
			},
			{ type: 'response.completed', response: { usage: { input_tokens: 900, output_tokens: 9 } } },
		),
	],
});
const geminiSays = (text: string) => ({
	chunks: [
		events({
			candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
			usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 3 },
		}),
	],
});

interface Played {
	readonly snapshot: ThreadSnapshot;
	readonly outcome: string;
	readonly sent: readonly (readonly string[])[];
}

describe('a turn that three vendors answer, one after the other', function () {
	this.timeout(60_000);
	let endpoints: readonly RawEndpoint[];
	let server: ServerUnderTest;
	let host: MemoryHost;
	beforeEach(async () => {
		endpoints = await Promise.all([startRawEndpoint(), startRawEndpoint(), startRawEndpoint()]);
		host = new MemoryHost({ 'long.txt': 'A line of the file.\n'.repeat(3_000) });
	});
	afterEach(async () => {
		await server.stop();
		await Promise.all(endpoints.map((endpoint) => endpoint.close()));
	});

	async function play(
		answers: readonly RawEndpoint['answers'][],
		known: Readonly<Record<string, unknown>> = {},
	): Promise<Played> {
		const [claude, gpt, gemini] = endpoints;
		assert.ok(claude !== undefined && gpt !== undefined && gemini !== undefined);
		for (const [at, endpoint] of endpoints.entries()) {
			endpoint.answers = answers[at] ?? [];
		}
		server = await ServerUnderTest.startHere({
			home: tempDir('home'),
			host,
			modelUrl: claude.baseUrl,
			settings: {
				'prowess.providers': [
					{ id: 'claude', kind: 'anthropic', baseUrl: claude.baseUrl, models: ['claude-sonnet-4-5'] },
					{ id: 'gpt', kind: 'openai', baseUrl: gpt.baseUrl, models: ['gpt-5'] },
					{ id: 'gemini', kind: 'google', baseUrl: gemini.baseUrl, models: ['gemini-2.5-pro'] },
				],
				'prowess.models.fallback': [
					{ provider: 'gpt', model: 'gpt-5' },
					{ provider: 'gemini', model: 'gemini-2.5-pro' },
				],
				'prowess.models.settings': known,
			},
		});
		const { id } = await server.peer.call(threadRequests.create, { modelId: 'claude/claude-sonnet-4-5' }, signal);
		const threadId = id as ThreadId;
		await server.peer.call(threadRequests.prompt, { threadId, text: 'Make the file' }, signal);
		const end = await server.event(({ type }) => type === 'turn.end');
		return {
			snapshot: await server.peer.call(threadRequests.open, { threadId, items: 1000 }, signal),
			outcome: end.type === 'turn.end' ? end.outcome : '',
			sent: endpoints.map(({ requests }) => requests.map((body) => JSON.stringify(body))),
		};
	}

	it('runs each tool once, keeps ids and results of calls, and sends nobody the thoughts of another', async () => {
		const { outcome, sent, snapshot } = await play([
			[claudeCalls('fs_write', { path: 'made.txt', content: 'once\n' }), refused],
			[gptCalls('fs_read', { path: 'made.txt' }), refused],
			[geminiSays('All done.')],
		]);
		const [toClaude, toGpt, toGemini] = sent;
		assert.deepEqual([outcome, sent.map(({ length }) => length)], ['done', [2, 2, 1]]);
		const ran = host.performed.filter(({ op }) => op.startsWith('fs.')).map(({ op }) => op);
		assert.deepEqual(ran, ['fs.write', 'fs.read']);
		assert.match(toClaude?.[1] ?? '', new RegExp(`${THOUGHT}.*${SIGNATURE}`));
		for (const foreign of [...(toGpt ?? []), ...(toGemini ?? [])]) {
			assert.doesNotMatch(foreign, new RegExp(`${THOUGHT}|${SIGNATURE}`));
		}
		assert.doesNotMatch(toGemini?.[0] ?? '', /thoughts-of-the-second|rs_1/);
		assert.match(toGpt?.[1] ?? '', /thoughts-of-the-second/);
		// A call and its result share an id in the words of each.
		const items = endpoints[1]?.requests[0]?.['input'] as { type?: string; call_id?: string }[];
		const call = items.find(({ type }) => type === 'function_call');
		assert.ok(call?.call_id !== undefined);
		assert.equal(items.find(({ type }) => type === 'function_call_output')?.call_id, call.call_id);
		const contents = endpoints[2]?.requests[0]?.['contents'] as { parts: Record<string, { id?: string }>[] }[];
		const idsOf = (kind: string) => contents.flatMap(({ parts }) => parts.flatMap((part) => part[kind]?.id ?? []));
		assert.deepEqual([idsOf('functionCall').length, idsOf('functionCall')], [2, idsOf('functionResponse')]);
		const takeovers = snapshot.items.flatMap((item) =>
			item.kind === 'notice' && item.attempt?.next !== undefined ? [item.attempt.next] : [],
		);
		assert.deepEqual(takeovers, ['gpt/gpt-5', 'gemini/gemini-2.5-pro']);
	});

	it('shows a model with a smaller window less, and one without tools its tools in words', async () => {
		const { outcome, sent } = await play(
			[[claudeCalls('fs_read', { path: 'long.txt' }), refused], [refused], [geminiSays('Read.')]],
			{
				'gpt/gpt-5': { contextWindow: 16_000 },
				'gemini/gemini-2.5-pro': { calls: 'text' },
			},
		);
		const [toClaude, toGpt, toGemini] = sent.map((requests) => requests.at(-1) ?? '');
		assert.equal(outcome, 'done');
		assert.ok((toGpt ?? '').length < (toClaude ?? '').length / 2, `${toGpt?.length} of ${toClaude?.length}`);
		// Four characters are a token, at least.
		assert.ok((toGpt ?? '').length < 16_000 * 4);
		assert.ok((toGemini ?? '').length > (toClaude ?? '').length / 2);
		assert.match(toGpt ?? '', /"type":"function","name":"fs_read"/);
		assert.doesNotMatch(toGemini ?? '', /functionDeclarations|functionCall/);
		assert.match(toGemini ?? '', /<tool_response name=.*To call a tool, write this/);
	});
});
