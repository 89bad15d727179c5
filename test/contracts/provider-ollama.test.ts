/** Ollama's own interface, which is asked where the user wants a window: what is sent, and what of its answers is read. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { textForUser } from '../../src/protocol/errors/error-text.ts';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import type { ModelSettings } from '../../src/protocol/turn/models.ts';
import type { ModelPart, ModelRequest } from '../../src/server/models/model-port.ts';
import { ask, assistantOf, callsOf, partsOf, textOf } from './model-contract.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';

const WINDOW = 32_000;
const lines = (...objects: readonly unknown[]) => objects.map((each) => `${JSON.stringify(each)}\n`).join('');
const said = (message: Record<string, unknown>) => ({
	model: 'm',
	message: { role: 'assistant', ...message },
	done: false,
});
const done = (reason: string, message: Record<string, unknown> = { content: '' }) => ({
	...said(message),
	done: true,
	done_reason: reason,
	prompt_eval_count: 40,
	eval_count: 9,
});
const call = (name: string, input: unknown) => ({ function: { name, arguments: input } });

describe("Ollama's own interface", function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
	});
	afterEach(() => endpoint.close());

	const read = (request: ModelRequest = ask('x'), known: ModelSettings = {}) =>
		partsOf(endpoint.ollama(WINDOW, known), request);

	async function failureOf(status: number, body: string) {
		endpoint.answers = [{ status, chunks: [body] }];
		try {
			await read();
		} catch (error) {
			assert.ok(isProwessError(error), String(error));
			return [error.code, error.message];
		}
		assert.fail('it did not fail');
	}

	function endOf(parts: readonly ModelPart[]) {
		const last = parts.at(-1);
		return last?.kind === 'finish' ? [last.reason, last.usage.inputTokens, last.usage.outputTokens] : undefined;
	}

	it('says its own sentence of what went wrong, before a stream and in it', async () => {
		const [code, message] = await failureOf(500, '{"error":"model requires more system memory"}');
		assert.equal(code, 'PROVIDER_ERROR');
		assert.match(message ?? '', /model requires more system memory/);
		const [, inStream] = await failureOf(
			200,
			lines(said({ content: 'Half' }), { error: 'llama runner has terminated' }),
		);
		assert.match(inStream ?? '', /llama runner has terminated/);
	});

	it('is cut where the last line does not say that it is the last, wherever that is', async () => {
		const whole = lines(said({ thinking: 'Hm' }), said({ content: 'Half a' }), done('stop'));
		const last = whole.trimEnd().lastIndexOf('\n') + 1;
		for (let at = 0; at <= last; at += 7) {
			const [code] = await failureOf(200, whole.slice(0, at));
			// The beginning of a line is no line.
			assert.ok(code === 'STREAM_CUT' || code === 'STREAM_MALFORMED', `${at}: ${code}`);
		}
		assert.equal((await failureOf(200, whole.slice(0, last)))[0], 'STREAM_CUT');
	});

	it('is no answer where a line is no JSON', async () => {
		assert.equal((await failureOf(200, 'Ollama is running\n'))[0], 'STREAM_MALFORMED');
	});

	it('is not there behind a proxy for the other one, which is asked then and from then on', async () => {
		const chat = { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] };
		endpoint.answers = [{ status: 404, chunks: ['404 page not found'] }, { chunks: [events(chat, '[DONE]')] }];
		assert.equal(textOf(await read()), 'Hello');
		assert.equal(textOf(await read()), 'Hello');
		assert.deepEqual(endpoint.paths, ['/api/chat', '/v1/chat/completions', '/v1/chat/completions']);
	});

	it('names a missing model and how to get it where both interfaces say only 404, and tries its own one again', async () => {
		endpoint.answers = [
			{ status: 404, chunks: ['404 page not found'] },
			{ status: 404, chunks: ['404 page not found'] },
			{ chunks: [lines(done('stop', { content: 'Pulled' }))] },
		];
		const error = await read().then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		assert.ok(isProwessError(error) && error.code === 'MODEL_NOT_FOUND', String(error));
		assert.match(
			textForUser(error, (template) => template),
			/^Ollama does not have the model [\w.:-]+\. Get it with: ollama pull [\w.:-]+\./,
		);
		assert.equal(textOf(await read()), 'Pulled');
		assert.deepEqual(endpoint.paths, ['/api/chat', '/v1/chat/completions', '/api/chat']);
	});

	it('is told the window, the limits and the tools, and gets results by the name of their tool', async () => {
		endpoint.answers = [{ chunks: [lines(done('stop', { content: 'Fine' }))] }];
		const history = [
			{ role: 'user' as const, text: 'first' },
			{
				role: 'assistant' as const,
				parts: [
					{ kind: 'text' as const, text: 'Looking.' },
					{ kind: 'toolCall' as const, callId: 'c1', tool: 'fs_read', inputText: '{"path":"a.ts"}' },
				],
			},
			{ role: 'tool' as const, results: [{ callId: 'c1', tool: 'fs_read', text: 'let a;', isError: false }] },
		];
		const request = { ...ask('x', ...history), maxOutputTokens: 77, temperature: 0.5 };
		await read(request, { effort: 'off' });
		const [body = {}] = endpoint.requests;
		assert.deepEqual(body['options'], { num_ctx: WINDOW, num_predict: 77, temperature: 0.5 });
		assert.equal(body['think'], false);
		assert.equal((body['tools'] as unknown[]).length, 1);
		assert.deepEqual((body['messages'] as unknown[]).slice(1), [
			{ role: 'user', content: 'first' },
			{ role: 'assistant', content: 'Looking.', tool_calls: [call('fs_read', { path: 'a.ts' })] },
			{ role: 'tool', tool_name: 'fs_read', content: 'let a;' },
			{ role: 'user', content: 'x' },
		]);
		assert.deepEqual(endpoint.paths, ['/api/chat']);
	});

	it('reads thoughts, text, calls and counts, the same when every byte comes alone', async () => {
		const stream = lines(
			said({ thinking: 'I think ' }),
			said({ thinking: 'só.' }),
			said({ content: 'Hello, ' }),
			said({ content: 'wörld' }),
			said({ content: '', tool_calls: [call('fs_read', { path: 'a.ts' }), call('fs_read', { path: 'b.ts' })] }),
			done('stop'),
		);
		const bytes = [...Buffer.from(stream)].map((byte) => Uint8Array.of(byte));
		for (const chunks of [[stream], [stream.trimEnd()], bytes]) {
			endpoint.answers = [{ chunks }];
			const parts = await read();
			const thoughts = parts.map((part) => (part.kind === 'thinkingDelta' ? part.text : '')).join('');
			assert.deepEqual([thoughts, textOf(parts)], ['I think só.', 'Hello, wörld']);
			assert.deepEqual(
				callsOf(parts).map(({ tool, inputText }) => [tool, inputText]),
				[
					['fs_read', '{"path":"a.ts"}'],
					['fs_read', '{"path":"b.ts"}'],
				],
			);
			assert.equal(new Set(callsOf(parts).map(({ callId }) => callId)).size, 2);
			assert.deepEqual(endOf(parts), ['toolCalls', 40, 9]);
		}
	});

	it('gets its thoughts back, and nothing of what another interface has thought', async () => {
		endpoint.answers = [{ chunks: [lines(said({ thinking: 'Mine' }), done('stop', { content: 'Hi' }))] }];
		const own = assistantOf(await read());
		const other = {
			role: 'assistant' as const,
			parts: [
				{ kind: 'thinking' as const, text: 'Not mine', metadata: { anthropic: { signature: 's' } } },
				{ kind: 'text' as const, text: 'Ho' },
			],
		};
		await read(ask('x', { role: 'user', text: 'a' }, own, { role: 'user', text: 'b' }, other));
		const messages = endpoint.requests[1]?.['messages'] as { role: string; thinking?: string }[];
		assert.deepEqual(
			messages.filter(({ role }) => role === 'assistant').map(({ thinking }) => thinking),
			['Mine', undefined],
		);
	});

	it('says why it ended', async () => {
		for (const [reason, expected] of [
			['stop', 'stop'],
			['length', 'length'],
			['unload', 'unknown'],
		] as const) {
			endpoint.answers = [{ chunks: [lines(done(reason, { content: 'Half a' }))] }];
			assert.deepEqual(endOf(await read()), [expected, 40, 9]);
		}
	});

	it('leaves a word for thinking out where the model cannot think, and calls in text where it takes no tools', async () => {
		endpoint.answers = [
			{ status: 400, chunks: ['{"error":"\\"m\\" does not support thinking"}'] },
			{ status: 400, chunks: ['{"error":"registry.ollama.ai/library/m does not support tools"}'] },
			{ chunks: [lines(done('stop', { content: 'Hi' }))] },
		];
		const parts = await read(ask('x'), { effort: 'high' });
		assert.equal(textOf(parts), 'Hi');
		assert.deepEqual(
			endpoint.requests.map((body) => [body['think'], 'tools' in body]),
			[
				['high', true],
				[undefined, true],
				[undefined, false],
			],
		);
	});
});
