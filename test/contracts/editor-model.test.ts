import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toDisposable } from '../../src/base/disposable.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { newId } from '../../src/protocol/rpc/ids.ts';
import type { ImageRef } from '../../src/protocol/ops/images.ts';
import { lmNotifications, lmRequests, type ModelInfo } from '../../src/protocol/turn/models.ts';
import { Peer, type RequestHandlers } from '../../src/protocol/rpc/peer.ts';
import { type PostMessageWire, postMessageWire } from '../../src/protocol/rpc/post-message-wire.ts';
import { createEditorModels, type EditorModels } from '../../src/server/models/editor-model.ts';
import type { ImageData } from '../../src/server/models/images.ts';
import type { ModelPart, ModelRequest } from '../../src/server/models/model-port.ts';
import type { StreamLimits } from '../../src/server/models/limits.ts';
import { Refusals } from '../../src/server/models/streams/refusals.ts';
import { ask, callsOf, modelContract, never, partsOf, type Prompt, textOf } from './model-contract.ts';

type Run = RequestHandlers<typeof lmRequests>['run'];
type RunParams = Parameters<Run>[0];
type Part = Parameters<typeof sendPart>[2];

const info: ModelInfo = {
	id: 'editor/copilot/gpt',
	name: 'GPT',
	provider: 'editor',
	source: 'editor',
	contextWindow: 64_000,
};

function sendPart(
	host: Peer,
	requestId: RunParams['requestId'],
	part:
		| { kind: 'text'; text: string }
		| { kind: 'thinking'; text: string }
		| { kind: 'toolCall'; callId: string; name: string; input: unknown },
) {
	host.notify(lmNotifications.part, { requestId, part });
}

const call = (path: string): Part => ({ kind: 'toolCall', callId: `c-${path}`, name: 'fs_read', input: { path } });
const text: readonly Part[] = [
	{ kind: 'text', text: 'Hello there,' },
	{ kind: 'text', text: ' world' },
];
const answers: Record<Prompt, readonly Part[]> = {
	text: [{ kind: 'thinking', text: 'I think so.' }, ...text],
	call: [call('a.ts')],
	parallel: [...text.slice(0, 1), call('a.ts'), call('b.ts')],
	empty: [],
	stall: text.slice(0, 1),
};

interface Far {
	readonly models: EditorModels;
	readonly runs: RunParams[];
	/** Replaces what the host does. */
	run: (params: RunParams, signal: AbortSignal) => Promise<{ inputTokens: number; outputTokens: number }>;
	list: () => Promise<{ models: ModelInfo[] }>;
	readonly host: Peer;
	ended(): Promise<void>;
	close(): void;
}

/** Two ends in one process; frames are copied as a real post would. */
function linkedWires(): [PostMessageWire, PostMessageWire] {
	const listeners: [Set<(frame: unknown) => void>, Set<(frame: unknown) => void>] = [new Set(), new Set()];
	const end = (own: 0 | 1) =>
		postMessageWire({
			post(frame) {
				const copy: unknown = structuredClone(frame);
				queueMicrotask(() => listeners[own === 0 ? 1 : 0].forEach((receive) => receive(copy)));
			},
			listen(receive) {
				listeners[own].add(receive);
				return toDisposable(() => listeners[own].delete(receive));
			},
		});
	return [end(0), end(1)];
}

function openFar(
	limits: StreamLimits = { firstByteMs: 5_000, idleMs: 5_000, keepAliveMs: 0 },
	dataOf: ImageData = () => undefined,
): Far {
	const [near, far] = linkedWires();
	const host = new Peer(far);
	const ended = Promise.withResolvers<void>();
	const models = createEditorModels(new Peer(near), dataOf, new Refusals(), limits);
	const state: Far = {
		models,
		runs: [],
		host,
		list: () => Promise.resolve({ models: [info] }),
		async run({ requestId, messages }, signal) {
			const asked = messages.at(-1)?.parts.at(-1);
			const prompt = (asked?.kind === 'text' ? asked.text : 'text') as Prompt;
			for (const part of answers[prompt]) {
				sendPart(host, requestId, part);
			}
			if (prompt === 'stall') {
				await new Promise((_resolve, reject) => {
					signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
				});
			}
			return { inputTokens: 12, outputTokens: 3 };
		},
		ended: () => ended.promise,
		close() {
			models.dispose();
			near.close();
			far.close();
		},
	};
	host.serve(lmRequests, {
		list: () => state.list(),
		run(params, signal) {
			state.runs.push(params);
			signal.addEventListener('abort', () => ended.resolve(), { once: true });
			return state.run(params, signal);
		},
	});
	return state;
}

describe('a model of the editor', () => {
	let far: Far;
	const model = () => far.models.model(info);

	beforeEach(() => {
		far = openFar();
	});
	afterEach(() => far.close());

	describe('as any model', () => {
		modelContract(() =>
			Promise.resolve({
				model: model(),
				prepare() {},
				ended: () => far.ended(),
				requestCount: () => far.runs.length,
				close: () => Promise.resolve(),
			}),
		);
	});

	it('says that the user refused, and does not ask again', async () => {
		far.run = () => Promise.reject(new ProwessError('MODEL_CONSENT_REFUSED', 'the user did not allow it'));
		await assert.rejects(partsOf(model(), ask('text')), {
			code: 'MODEL_CONSENT_REFUSED',
			facts: { provider: 'editor', retryable: false },
		});
	});

	it('names what the host could not name', async () => {
		far.run = () => Promise.reject(new Error('boom'));
		await assert.rejects(partsOf(model(), ask('text')), {
			code: 'PROVIDER_ERROR',
			message: 'the editor’s model "editor/copilot/gpt" failed: boom',
		});
	});

	it('is cut when the host goes away', async () => {
		far.run = async ({ requestId }) => {
			sendPart(far.host, requestId, { kind: 'text', text: 'Hel' });
			await Promise.resolve();
			far.close();
			return { inputTokens: 0, outputTokens: 0 };
		};
		await assert.rejects(partsOf(model(), ask('text')), { code: 'STREAM_CUT' });
	});

	it('does not wait for ever for a host that says nothing', async () => {
		const silent = openFar({ firstByteMs: 30, idleMs: 30, keepAliveMs: 0 });
		silent.run = () => new Promise(() => {});
		await assert.rejects(partsOf(silent.models.model(info), ask('text')), { code: 'PROVIDER_UNREACHABLE' });
		await silent.ended();
		silent.close();
	});

	it('ignores parts of a request that is over, and of none', async () => {
		const first = await partsOf(model(), ask('text'));
		const over = far.runs[0];
		assert.ok(over !== undefined);
		sendPart(far.host, over.requestId, { kind: 'text', text: 'late' });
		assert.equal(textOf(await partsOf(model(), ask('text'))), textOf(first));
	});

	it('puts the system prompt first, the results into user messages, and leaves thinking out', async () => {
		await partsOf(model(), {
			...ask('text'),
			messages: [
				{ role: 'user', text: 'go' },
				{
					role: 'assistant',
					parts: [
						{ kind: 'thinking', text: 'hm', metadata: { vendor: { signature: 's' } } },
						{ kind: 'text', text: 'Look:' },
						{ kind: 'toolCall', callId: 'c1', tool: 'fs_read', inputText: '{"path":' },
					],
				},
				{ role: 'tool', results: [{ callId: 'c1', tool: 'fs_read', text: 'no JSON', isError: true }] },
				{ role: 'assistant', parts: [{ kind: 'thinking', text: 'only this' }] },
				{ role: 'user', text: 'text' },
			],
		});
		assert.deepEqual(far.runs[0]?.messages, [
			{ role: 'user', parts: [{ kind: 'text', text: 'You are helpful.' }] },
			{ role: 'user', parts: [{ kind: 'text', text: 'go' }] },
			{
				role: 'assistant',
				parts: [
					{ kind: 'text', text: 'Look:' },
					{ kind: 'toolCall', callId: 'c1', name: 'fs_read', input: { unreadable_input: '{"path":' } },
				],
			},
			{ role: 'user', parts: [{ kind: 'toolResult', callId: 'c1', text: 'no JSON' }] },
			{ role: 'user', parts: [{ kind: 'text', text: 'text' }] },
		]);
	});

	it('tells the host what the answer is to be like, and nothing of it when nobody says', async () => {
		await partsOf(model(), { ...ask('text'), temperature: 0, maxOutputTokens: 50 });
		await partsOf(model(), ask('text'));
		const [wished, plain] = far.runs.map(({ temperature, maxOutputTokens }) => [temperature, maxOutputTokens]);
		assert.deepEqual(
			[wished, plain],
			[
				[0, 50],
				[undefined, undefined],
			],
		);
	});

	describe('that turns out to take no pictures', () => {
		const image: ImageRef = { id: newId('img'), type: 'image/png', bytes: 3, width: 2, height: 2, name: 'dot.png' };
		const asked: ModelRequest = { ...ask('x'), messages: [{ role: 'user', text: 'text', images: [image] }] };
		let seeing: Far;
		beforeEach(() => {
			seeing = openFar(undefined, () => 'VVNS');
		});
		afterEach(() => seeing.close());

		/** Refuses what holds a picture, in these words; answers the rest. */
		function refuses(words: string): void {
			seeing.run = async ({ requestId, messages }) => {
				if (JSON.stringify(messages).includes('VVNS')) {
					throw new ProwessError('PROVIDER_ERROR', `editor/copilot/gpt: ${words}`);
				}
				sendPart(seeing.host, requestId, { kind: 'text', text: 'I see none.' });
				return { inputTokens: 1, outputTokens: 1 };
			};
		}
		const notesIn = (parts: readonly ModelPart[]) => parts.filter(({ kind }) => kind === 'note');

		for (const words of [
			'Image input is not supported by this model',
			'Request Failed: 400 {"error":{"message":"model does not support image input"}}',
			'Unexpected part type LanguageModelDataPart',
		]) {
			it(`is asked again without them, once, and that is said: ${words}`, async () => {
				refuses(words);
				const model = seeing.models.model(info);
				assert.equal(model.takesImages, undefined);
				const parts = await partsOf(model, asked);
				assert.deepEqual(notesIn(parts), [{ kind: 'note', note: 'imagesLeftOut' }]);
				assert.match(JSON.stringify(seeing.runs[1]?.messages), /picture dot\.png 2x2 left out/);
				assert.equal(seeing.runs.length, 2);
				assert.equal(seeing.models.model(info).takesImages, false);
				assert.deepEqual(notesIn(await partsOf(seeing.models.model(info), asked)), []);
				assert.equal(seeing.runs.length, 3);
			});
		}

		it('is not asked again for another error, nor after a part of its answer', async () => {
			refuses('the image exceeds 5 MB');
			await assert.rejects(partsOf(seeing.models.model(info), asked), { code: 'PROVIDER_ERROR' });
			seeing.run = ({ requestId }) => {
				sendPart(seeing.host, requestId, { kind: 'text', text: 'I see' });
				return Promise.reject(new Error('Image input is not supported'));
			};
			await assert.rejects(partsOf(seeing.models.model(info), asked), { code: 'PROVIDER_ERROR' });
			assert.equal(seeing.runs.length, 2);
		});
	});

	it('closes each block before the next begins', async () => {
		assert.deepEqual(
			(await partsOf(model(), ask('text'))).map(({ kind }) => kind),
			['thinkingDelta', 'thinkingEnd', 'textDelta', 'textDelta', 'textEnd', 'finish'],
		);
		const kinds = (await partsOf(model(), ask('parallel'))).map(({ kind }) => kind);
		assert.deepEqual(kinds, ['textDelta', 'textEnd', 'toolCall', 'toolCall', 'finish']);
	});

	it('marks what the host counted as an estimate, and counts itself when the host did not', async () => {
		const usageOf = async () => {
			const finish = (await partsOf(model(), ask('call'))).at(-1);
			return finish?.kind === 'finish' ? finish.usage : undefined;
		};
		assert.deepEqual(await usageOf(), { inputTokens: 12, outputTokens: 3, cachedInputTokens: 0, estimated: true });
		far.run = ({ requestId }) => {
			sendPart(far.host, requestId, call('a.ts'));
			return Promise.resolve({ inputTokens: 0, outputTokens: 0 });
		};
		const own = await usageOf();
		assert.ok(own !== undefined && own.estimated && own.inputTokens > 0 && own.outputTokens > 0);
	});

	it('lists what the editor offers', async () => {
		assert.deepEqual(await far.models.list(never()), [info]);
		assert.deepEqual(callsOf(await partsOf(model(), ask('call')))[0]?.callId, 'c-a.ts');
	});
});
