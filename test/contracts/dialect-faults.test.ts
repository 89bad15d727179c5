/** Each way in which an endpoint fails or is odd, in each dialect, over real HTTP. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type ErrorCode, isProwessError, type ProwessError } from '../../src/protocol/errors/errors.ts';
import type { ModelPart } from '../../src/server/models/model-port.ts';
import { ask, callsOf, never, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { dialects } from './written-streams.ts';

const INPUT = '{"path":"ä 漢.ts"}';

/** Bodies of a refusal, and the sentence that the user reads. */
const bodies: readonly (readonly [body: string, said: string])[] = [
	['{"error":{"message":"no luck","type":"x"}}', 'no luck'],
	['{"error":"no luck"}', 'no luck'],
	['{"message":"no luck"}', 'no luck'],
	['{"detail":"no luck"}', 'no luck'],
	['{"detail":[{"loc":["body","input"],"msg":"field required"}]}', 'body.input: field required'],
	['no luck', 'no luck'],
];

/** Bodies of a refusal that come with a 200: what they mean, and whether the same is asked again. */
const bodiesOf200: readonly (readonly [body: unknown, code: ErrorCode, said: string, isRetryable: boolean])[] = [
	[{ error: { message: 'Rate limit reached' } }, 'PROVIDER_RATE_LIMITED', 'Rate limit reached', true],
	[{ error: { message: 'Incorrect API key provided' } }, 'PROVIDER_AUTH', 'Incorrect API key provided', false],
	[{ error: 'Insufficient balance' }, 'PROVIDER_BILLING', 'Insufficient balance', false],
	[{ error: { code: 402, message: 'No money' } }, 'PROVIDER_BILLING', 'No money', false],
	[{ code: 401, message: 'Who are you?' }, 'PROVIDER_AUTH', 'Who are you?', false],
	[{ message: "The model 'm' does not exist" }, 'MODEL_NOT_FOUND', "The model 'm' does not exist", false],
	[{ detail: 'messages is required' }, 'PROVIDER_ERROR', 'messages is required', false],
	[
		{ object: 'error', message: 'max_tokens must be positive', code: 'x' },
		'PROVIDER_ERROR',
		'max_tokens must be positive',
		false,
	],
	[{ error: { message: 'prompt is too long' } }, 'CONTEXT_OVERFLOW', 'prompt is too long', false],
	[{ error: { message: 'Upstream timed out' } }, 'PROVIDER_OVERLOADED', 'Upstream timed out', true],
	[{ error: { message: 'Something broke' } }, 'PROVIDER_OVERLOADED', 'Something broke', true],
];

for (const [name, dialect] of Object.entries(dialects)) {
	describe(`faults in the dialect of ${name}`, function () {
		this.timeout(120_000);
		let endpoint: RawEndpoint;
		beforeEach(async () => {
			endpoint = await startRawEndpoint();
		});
		afterEach(() => endpoint.close());

		async function read(...chunks: readonly (string | Uint8Array)[]): Promise<Read> {
			endpoint.answers = [{ chunks }];
			return readAgain();
		}

		interface Read {
			readonly parts: readonly ModelPart[];
			readonly error?: ProwessError;
		}

		async function readAgain(): Promise<Read> {
			const parts: ModelPart[] = [];
			try {
				for await (const part of dialect.open(endpoint).stream(ask('x'), never())) {
					parts.push(part);
				}
				return { parts };
			} catch (error) {
				assert.ok(isProwessError(error), String(error));
				return { parts, error };
			}
		}

		const thoughtsIn = (parts: readonly ModelPart[]) =>
			parts.map((part) => (part.kind === 'thinkingDelta' ? part.text : '')).join('');
		const endIn = (parts: readonly ModelPart[]) =>
			parts.flatMap((part) => (part.kind === 'finish' ? [part.reason] : []));
		const inputsIn = (parts: readonly ModelPart[]) => callsOf(parts).map(({ inputText }) => inputText);

		it('ends a call whose arguments have no end with the true reason, which nobody is asked for again', async () => {
			const input = (chars: number) => JSON.stringify({ path: 'a'.repeat(chars) });
			const { parts, error } = await read(dialect.stream({ input: input(8_000_000), end: 'stop' }));
			assert.deepEqual([parts.length, error?.code, error?.facts['retryable']], [0, 'ARGUMENTS_TOO_LONG', false]);
			assert.match(error?.message ?? '', /more than 8000000 characters of arguments/);
			assert.equal(callsOf((await read(dialect.stream({ input: input(7_000_000), end: 'stop' }))).parts).length, 1);
		});

		for (const [body, said] of bodies) {
			it(`are told in the words of the vendor: ${body}`, async () => {
				endpoint.answers = [{ status: 400, chunks: [body] }];
				const { parts, error } = await readAgain();
				assert.deepEqual([parts, error?.code, error?.facts['said']], [[], 'PROVIDER_ERROR', said]);
			});
		}

		it('are those of somebody in between where a web page refuses what only the endpoint can', async () => {
			const page = '<html><head><title>Not here</title></head></html>';
			for (const [status, code] of [
				[400, 'STREAM_MALFORMED'],
				[403, 'STREAM_MALFORMED'],
				[404, 'STREAM_MALFORMED'],
				[401, 'PROVIDER_AUTH'],
				[407, 'PROVIDER_ERROR'],
				[413, 'CONTEXT_OVERFLOW'],
				[429, 'PROVIDER_RATE_LIMITED'],
				[502, 'PROVIDER_OVERLOADED'],
			] as const) {
				endpoint.answers = [{ status, chunks: [page] }];
				const { error } = await readAgain();
				assert.deepEqual([error?.code, error?.facts['said']], [code, 'a web page ("Not here")'], String(status));
			}
		});

		it('are none where the stream is split between any two bytes', async () => {
			const stream = Buffer.from(
				dialect.stream({ thoughts: 'Hm, ö.', text: 'Half – a 漢', input: INPUT, end: 'stop' }),
			);
			for (let at = 0; at <= stream.length; at += 1) {
				const { parts, error } = await read(stream.subarray(0, at), stream.subarray(at));
				assert.deepEqual(
					[error, thoughtsIn(parts), textOf(parts), inputsIn(parts).map((input) => JSON.parse(input)), endIn(parts)],
					[undefined, 'Hm, ö.', 'Half – a 漢', [JSON.parse(INPUT)], ['toolCalls']],
					`split at ${at}`,
				);
			}
		});

		it('at any byte never give on a call that is not whole', async () => {
			const stream = Buffer.from(dialect.stream({ text: 'Half a', input: INPUT, end: 'stop' }));
			for (let at = 0; at < stream.length; at += 3) {
				const { parts, error } = await read(stream.subarray(0, at));
				const isWhole = endIn(parts).length > 0;
				assert.equal(isWhole, error === undefined, `cut at ${at}`);
				assert.ok(isWhole || ['STREAM_CUT', 'STREAM_MALFORMED'].includes(error?.code ?? ''), `cut at ${at}: ${error}`);
				assert.ok('Half a'.startsWith(textOf(parts)), `cut at ${at}`);
				for (const input of inputsIn(parts)) {
					assert.deepEqual(JSON.parse(input), JSON.parse(INPUT), `cut at ${at}`);
				}
			}
		});

		it('end an answer before its end as a cut one, after text and in a call', async () => {
			const inText = await read(dialect.stream({ text: 'Half a', end: 'missing' }));
			assert.deepEqual([inText.error?.code, textOf(inText.parts)], ['STREAM_CUT', 'Half a']);
			const inCall = await read(dialect.stream({ input: '{"path":"ma', end: 'missing' }));
			assert.deepEqual([inCall.error?.code, inputsIn(inCall.parts)], ['STREAM_CUT', []]);
		});

		it('end at the token limit with a length, also in a call', async () => {
			const text = await read(dialect.stream({ text: 'Half a', end: 'length' }));
			assert.deepEqual([textOf(text.parts), endIn(text.parts)], ['Half a', ['length']]);
			const call = await read(dialect.stream({ text: 'Half a', input: '{"path":"ma', end: 'length' }));
			assert.deepEqual(endIn(call.parts), ['length']);
			assert.ok(inputsIn(call.parts).every((input) => input === '{"path":"ma'));
		});

		it('are said in the middle of a stream, and what came before them is kept', async () => {
			const begun = dialect.stream({ text: 'Half a', end: 'missing' });
			const { parts, error } = await read(begun + dialect.failing('Model is overloaded'));
			assert.deepEqual(
				[textOf(parts), error?.code, error?.facts['said'], error?.facts['retryable']],
				['Half a', 'PROVIDER_OVERLOADED', 'Model is overloaded', true],
			);
			const first = await read(dialect.failing('Model is overloaded'));
			assert.deepEqual([first.parts, first.error?.code], [[], 'PROVIDER_OVERLOADED']);
		});

		it('are said in a 200 of JSON, and an answer in one is read', async () => {
			const json = { 'content-type': 'application/json' };
			endpoint.answers = [{ headers: json, chunks: [JSON.stringify({ error: 'model is overloaded' })] }];
			const { error } = await readAgain();
			assert.deepEqual([error?.code, error?.facts['said']], ['PROVIDER_OVERLOADED', 'model is overloaded']);
			endpoint.answers = [{ headers: json, chunks: [JSON.stringify(dialect.whole)] }];
			const { parts } = await readAgain();
			assert.deepEqual([textOf(parts), endIn(parts)], ['Half a', ['stop']]);
		});

		for (const [body, code, said, isRetryable] of bodiesOf200) {
			it(`are of their own class in a 200 of ${JSON.stringify(body)}`, async () => {
				endpoint.answers = [{ headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] }];
				const { parts, error } = await readAgain();
				assert.deepEqual(
					[parts, error?.code, error?.facts['said'], error?.facts['retryable']],
					[[], code, said, isRetryable],
				);
			});
		}

		it('are no end where a model turns out to take no tools, also in a 200', async () => {
			endpoint.answers = [
				{ chunks: ['{"error":"qwen does not support tools"}'] },
				{ chunks: [dialect.stream({ text: 'Look.', end: 'stop' })] },
			];
			const { parts, error } = await readAgain();
			assert.deepEqual(
				[error, parts[0], textOf(parts), endIn(parts)],
				[undefined, { kind: 'note', note: 'callsInText' }, 'Look.', ['stop']],
			);
		});

		it('are no fault where a proxy writes signs of life, or anything else that is no JSON, between the events', async () => {
			const stream = dialect.stream({ text: 'Half a day', input: INPUT, end: 'stop' });
			const isLines = !stream.includes('data: ');
			const strays = [': OPENROUTER PROCESSING', 'ping', 'keep-alive', '{OPENROUTER}', '<!-- alive -->', '[PING]'];
			for (const stray of strays) {
				const written = isLines ? `${stray}\n` : `data: ${stray}\n\n`;
				for (const whole of [
					written + stream,
					stream.replace('\n', `\n${isLines ? '' : '\n'}${written}`),
					written.repeat(3) + stream,
				]) {
					const { parts, error } = await read(whole);
					assert.deepEqual(
						[error, textOf(parts), inputsIn(parts).length],
						[undefined, 'Half a day', 1],
						whole.slice(0, 200),
					);
				}
				const { parts, error } = await read(written.repeat(2));
				assert.deepEqual([parts, error?.code], [[], 'STREAM_MALFORMED'], stray);
			}
		});

		it('are a web page in the place of an answer', async () => {
			endpoint.answers = [
				{ headers: { 'content-type': 'text/html; charset=utf-8' }, chunks: ['<html>Sign in</html>'] },
			];
			const { parts, error } = await readAgain();
			assert.deepEqual([parts, error?.code], [[], 'STREAM_MALFORMED']);
		});

		it('are no fault where thoughts stand between tags in the text', async () => {
			const { parts } = await read(
				dialect.stream({ text: '<think>I wonder</think>\n\nYes, <think> is a tag.', end: 'stop' }),
			);
			assert.deepEqual([thoughtsIn(parts), textOf(parts)], ['I wonder', 'Yes, <think> is a tag.']);
		});

		it('are no end where a model turns out to take no tools: its calls are read from its text', async () => {
			const text = `Look.\n<tool_call>{"name":"fs_read","arguments":${INPUT}}</tool_call>`;
			endpoint.answers = [
				{ status: 400, chunks: ['{"error":{"message":"this model does not support tools"}}'] },
				{ chunks: [dialect.stream({ text, end: 'stop' })] },
			];
			const { parts } = await readAgain();
			assert.deepEqual(
				[parts[0], textOf(parts), inputsIn(parts).map((input) => JSON.parse(input)), endIn(parts)],
				[{ kind: 'note', note: 'callsInText' }, 'Look.', [JSON.parse(INPUT)], ['toolCalls']],
			);
		});
	});
}
