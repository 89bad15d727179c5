/** Pictures of messages and results in every dialect: as the vendor wants them, or left out where a model takes none. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ImageRef } from '../../src/protocol/ops/images.ts';
import type { ModelSettings, ProviderKind } from '../../src/protocol/turn/models.ts';
import type { ModelMessage, ModelPart, ModelPort, ModelRequest } from '../../src/server/models/model-port.ts';
import { shownMedia } from '../../src/server/models/images.ts';
import { ask, never, textOf } from './model-contract.ts';
import { type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';
import { streamedText } from './streamed-text.ts';

const kinds = Object.keys(streamedText) as ProviderKind[];

/** Bodies with which endpoints say that a model takes no pictures. */
const refusals: readonly (readonly [who: string, status: number, body: unknown])[] = [
	['llama.cpp', 500, { error: { message: 'image input is not supported - hint: you may need to provide the mmproj' } }],
	['OpenRouter', 404, { error: { message: 'No endpoints found that support image input' } }],
	['vLLM', 400, { object: 'error', message: 'llama-3 is not a multimodal model' }],
	['DeepSeek', 400, { error: { message: 'unknown variant `image_url`, expected `text`' } }],
	['Ollama', 500, { error: { message: 'this model is missing data required for image input' } }],
	['OpenAI', 400, { error: { message: 'Invalid content type. image_url is only supported by certain models.' } }],
	['Groq', 400, { error: { message: 'messages[0].content must be a string' } }],
	['Google', 400, { error: { message: 'Image input modality is not enabled for models/gemma-3-1b' } }],
];

const ofResult: ImageRef = { id: newId('img'), type: 'image/jpeg', bytes: 4, width: 4, height: 3, name: 'shot.jpg' };
const ofUser: ImageRef = { id: newId('img'), type: 'image/png', bytes: 3, width: 2, height: 2 };

const messages: readonly ModelMessage[] = [
	{ role: 'user', text: 'what is this?', images: [ofUser] },
	{ role: 'assistant', parts: [{ kind: 'toolCall', callId: 'c1', tool: 'fs_read', inputText: '{"path":"shot.jpg"}' }] },
	{ role: 'tool', results: [{ callId: 'c1', tool: 'fs_read', text: 'a picture', isError: false, images: [ofResult] }] },
];

/** Where each dialect has the picture of the user, and that of a result. */
const expected: Readonly<Record<ProviderKind, readonly [user: unknown, result: unknown]>> = {
	anthropic: [
		{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'VVNS' } },
		{ type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'UkVT' } },
	],
	openai: [
		{ type: 'input_image', image_url: 'data:image/png;base64,VVNS' },
		{ type: 'input_image', image_url: 'data:image/jpeg;base64,UkVT' },
	],
	'openai-compatible': [
		{ type: 'image_url', image_url: { url: 'data:image/png;base64,VVNS' } },
		{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,UkVT' } },
	],
	google: [
		{ inlineData: { mimeType: 'image/png', data: 'VVNS' } },
		{ inlineData: { mimeType: 'image/jpeg', data: 'UkVT' } },
	],
};

const bodies: Readonly<Record<ProviderKind, (body: never) => readonly [user: unknown, result: unknown]>> = {
	anthropic: ({ messages: sent }: { messages: { content: { content?: unknown[] }[] }[] }) => [
		sent[0]?.content[0],
		sent[2]?.content[0]?.content?.[1],
	],
	openai: ({ input }: { input: { content?: unknown[]; output?: unknown[] }[] }) => [
		input.find(({ content }) => Array.isArray(content))?.content?.[1],
		input.find(({ output }) => output !== undefined)?.output?.[1],
	],
	'openai-compatible': ({ messages: sent }: { messages: { role: string; content: unknown[] }[] }) => {
		const users = sent.filter(({ role }) => role === 'user');
		return [users[0]?.content[1], users[1]?.content[1]];
	},
	google: ({ contents }: { contents: { parts: unknown[] }[] }) => [contents[0]?.parts[0], contents[2]?.parts[1]],
};

describe('Pictures', function () {
	this.timeout(60_000);
	let endpoint: RawEndpoint;
	beforeEach(async () => {
		endpoint = await startRawEndpoint();
		endpoint.images.set(ofUser.id, 'VVNS').set(ofResult.id, 'UkVT');
	});
	afterEach(() => endpoint.close());

	const request: ModelRequest = { ...ask('x'), messages };

	async function partsOf(model: ModelPort): Promise<ModelPart[]> {
		const parts: ModelPart[] = [];
		for await (const part of model.stream(request, never())) {
			parts.push(part);
		}
		return parts;
	}

	const sent = (at: number) => JSON.stringify(endpoint.requests.at(at));
	const answersWith = (kind: ProviderKind, settings?: ModelSettings, modelId?: string) => {
		endpoint.answers = [{ chunks: [streamedText[kind]('I see.')] }];
		return partsOf(endpoint.model(kind, modelId, settings));
	};

	for (const kind of kinds) {
		describe(`sent to ${kind}`, () => {
			for (const [who, status, body] of refusals) {
				it(`are left out when it refuses them as ${who} does, said once, and never sent again`, async () => {
					endpoint.answers = [
						{ status, headers: { 'content-type': 'application/json' }, chunks: [JSON.stringify(body)] },
						{ chunks: [streamedText[kind]('I cannot see.')] },
					];
					const model = endpoint.model(kind);
					assert.equal(model.takesImages, undefined);
					const parts = await partsOf(model);
					assert.deepEqual(
						[textOf(parts), parts.filter((part) => part.kind === 'note')],
						['I cannot see.', [{ kind: 'note', note: 'imagesLeftOut' }]],
					);
					assert.match(sent(0), /VVNS/);
					assert.doesNotMatch(sent(1), /VVNS|UkVT/);
					assert.match(sent(1), /picture image\/png 2x2 left out.*picture shot\.jpg 4x3 left out/);
					assert.equal(model.takesImages, false);
					assert.equal((await partsOf(endpoint.model(kind))).filter((part) => part.kind === 'note').length, 0);
					assert.doesNotMatch(sent(2), /VVNS|UkVT/);
				});
			}

			it('fail the request when one of them is bad, and are not given up for that', async () => {
				const message = 'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum';
				endpoint.answers = [{ status: 400, chunks: [JSON.stringify({ error: { message } })] }];
				const model = endpoint.model(kind);
				await assert.rejects(partsOf(model), { code: 'PROVIDER_ERROR' });
				assert.deepEqual([endpoint.requests.length, model.takesImages], [1, undefined]);
			});

			it('are never sent when the user says that the model takes none', async () => {
				const parts = await answersWith(kind, { images: false });
				assert.equal(parts.filter((part) => part.kind === 'note').length, 0);
				assert.doesNotMatch(sent(0), /VVNS|UkVT/);
			});

			it('stay in place where their bytes are no longer stored: the text goes out without them', async () => {
				endpoint.images.clear();
				await answersWith(kind);
				assert.match(sent(0), /what is this\?/);
				assert.doesNotMatch(sent(0), /base64|image_url|inlineData/);
			});

			it('go out where the vendor expects those of messages and of results', async () => {
				assert.equal(textOf(await answersWith(kind)), 'I see.');
				assert.deepEqual(bodies[kind](endpoint.requests[0] as never), expected[kind]);
			});

			it('go out as the same bytes in each request', async () => {
				await answersWith(kind);
				await answersWith(kind);
				assert.equal(sent(0), sent(1));
			});

			it('go to a model whose tools are in words', async () => {
				await answersWith(kind, { calls: 'text' });
				assert.match(sent(0), /VVNS/);
				assert.match(sent(0), /UkVT/);
				assert.match(sent(0), /<tool_response/);
			});
		});
	}

	it('go to Ollama’s own interface, which is asked where a window is set', async () => {
		endpoint.answers = [{ chunks: ['{"message":{"content":"I see."},"done":true,"done_reason":"stop"}\n'] }];
		assert.equal(textOf(await partsOf(endpoint.ollama(8_192))), 'I see.');
		const { messages: told } = endpoint.requests[0] as { messages: { images?: string[] }[] };
		assert.deepEqual(
			told.flatMap(({ images = [] }) => images),
			['VVNS', 'UkVT'],
		);
	});

	it('are known not to be taken once Ollama’s own interface has refused them', async () => {
		endpoint.answers = [
			{ status: 500, chunks: ['{"error":"this model is missing data required for image input"}'] },
			{ chunks: ['{"message":{"content":"I cannot see."},"done":true,"done_reason":"stop"}\n'] },
		];
		const model = endpoint.ollama(8_192);
		assert.equal(textOf(await partsOf(model)), 'I cannot see.');
		assert.deepEqual(endpoint.paths, ['/api/chat', '/api/chat']);
		assert.doesNotMatch(sent(1), /VVNS|UkVT/);
		assert.equal(model.takesImages, false);
	});

	describe('and sounds of results', () => {
		const wav: ImageRef = { id: newId('img'), type: 'audio/wav', bytes: 4, width: 0, height: 0, name: 'bell' };
		const ogg: ImageRef = { ...wav, id: newId('img'), type: 'audio/ogg', name: 'song' };
		const heard = { callId: 'c1', tool: 'mcp_call', text: 'a sound', isError: false, images: [wav, ogg] };
		const asked: ModelRequest = { ...request, messages: [...messages.slice(0, 2), { role: 'tool', results: [heard] }] };
		const listen = async (kind: ProviderKind, modelId: string, ...answers: typeof endpoint.answers) => {
			endpoint.images.set(wav.id, 'V0FW').set(ogg.id, 'T0dH');
			endpoint.answers = [...answers, { chunks: [streamedText[kind]('I hear.')] }];
			for await (const _ of endpoint.model(kind, modelId).stream(asked, never()));
			return sent(-1);
		};

		it('go to models that are known to take them, in the forms that they take', async () => {
			assert.match(await listen('google', 'gemini-2.5-pro'), /"audio\/wav","data":"V0FW".*"audio\/ogg","data":"T0dH"/);
			const chat = await listen('openai-compatible', 'gpt-4o-audio-preview');
			assert.match(chat, /"input_audio":\{"data":"V0FW","format":"wav"\}/);
			assert.match(chat, /\[sound song audio\/ogg left out: you cannot hear this sound\]/);
		});

		for (const [kind, modelId] of [
			['anthropic', 'claude-sonnet-4-5'],
			['openai', 'gpt-5'],
			['openai-compatible', 'qwen3'],
			['google', 'gemma-3'],
		] as const) {
			it(`are named to ${modelId}, and not sent`, async () => {
				const body = await listen(kind, modelId);
				assert.match(body, /\[sound bell audio\/wav left out.*\[sound song audio\/ogg left out/);
				assert.doesNotMatch(body, /V0FW|T0dH/);
				assert.match(body, /VVNS/);
			});
		}

		it('are left out once an endpoint has refused them', async () => {
			const error = { error: { message: 'Unsupported MIME type: audio/ogg' } };
			const body = await listen('google', 'gemini-2.5-pro', { status: 400, chunks: [JSON.stringify(error)] });
			assert.equal(endpoint.requests.length, 2);
			assert.match(body, /\[sound bell audio\/wav left out: you cannot hear this sound\]/);
		});
	});

	it('of many results are sent as far as a request has room, the newest ones, and the beginning stays the same for long', async () => {
		const shots = (n: number): ModelMessage[] =>
			Array.from({ length: n }, (_, at) => [
				{
					role: 'assistant' as const,
					parts: [{ kind: 'toolCall' as const, callId: `c${at}`, tool: 'mcp_call', inputText: '{}' }],
				},
				{
					role: 'tool' as const,
					results: [
						{
							callId: `c${at}`,
							tool: 'mcp_call',
							text: `shot ${at}`,
							isError: false,
							images: [{ ...ofResult, id: newId('img') }],
						},
					],
				},
			]).flat();
		const all = [...messages.slice(0, 1), ...shots(40)];
		const counts: number[] = [];
		for (const n of [20, 21, 25, 30, 31, 40]) {
			const { messages: told } = shownMedia(
				{ ...request, messages: all.slice(0, 1 + 2 * n) },
				{ images: true, sounds: [] },
			);
			const results = told.flatMap((message) => (message.role === 'tool' ? message.results : []));
			counts.push(results.filter(({ images }) => images !== undefined).length);
			assert.ok(results.at(-1)?.images?.length === 1 && told[0]?.role === 'user' && told[0].images?.length === 1);
			for (const { text, images } of results) {
				assert.equal(/left out: many others followed/.test(text), images === undefined, text);
			}
		}
		assert.deepEqual(counts, [20, 10, 14, 19, 20, 18]);
	});

	it('are known to be taken or not by the name of the model, and better by the user', () => {
		for (const [modelId, takes] of [
			['gpt-3.5-turbo', false],
			['o3-mini', false],
			['deepseek/deepseek-chat', false],
			['gpt-4o-mini', true],
			['anthropic/claude-sonnet-4-5', true],
			['google/gemini-2.5-pro', true],
			['qwen3', undefined],
		] as const) {
			assert.equal(endpoint.model('openai-compatible', modelId).takesImages, takes, modelId);
		}
		assert.equal(endpoint.model('openai', 'gpt-3.5-turbo', { images: true }).takesImages, true);
	});
});
