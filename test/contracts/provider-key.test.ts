/** The key of a provider: asked of the host for each request, and kept for none after it. */
import assert from 'node:assert/strict';
import { Refusals } from '../../src/server/models/streams/refusals.ts';
import { providerModel } from '../../src/server/models/provider-model.ts';
import { events, type RawEndpoint, startRawEndpoint } from './raw-endpoint.ts';

describe('the key of a model', () => {
	let endpoint: RawEndpoint;
	let asked: string[];
	let keys: (string | Error)[];
	let now: number;

	beforeEach(async () => {
		endpoint = await startRawEndpoint();
		endpoint.answers = [
			{ chunks: [events({ choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }, '[DONE]')] },
		];
		asked = [];
		keys = ['first-key', 'second-key'];
		now = 0;
	});
	afterEach(() => endpoint.close());

	const model = () =>
		providerModel({
			config: { id: 'acme', kind: 'openai-compatible', baseUrl: endpoint.baseUrl, models: [] },
			modelId: 'm',
			contextWindow: () => 1000,
			refusals: new Refusals(),
			imageData: () => undefined,
			now: () => now,
			getKey(providerId) {
				asked.push(providerId);
				const key = keys.shift() ?? 'no more keys';
				return typeof key === 'string' ? Promise.resolve(key) : Promise.reject(key);
			},
		});
	const { signal } = new AbortController();
	const ask = async (of: ReturnType<typeof model>) => {
		const parts = of.stream({ system: '', messages: [{ role: 'user', text: 'Go.' }], tools: [] }, signal);
		for await (const part of parts) if (part.kind === 'finish') return endpoint.headers.at(-1)?.authorization;
		return undefined;
	};

	it('is asked for once for a request that was prepared, and anew for the next', async () => {
		const one = model();
		one.prepare?.(signal);
		one.prepare?.(signal);
		assert.deepEqual(asked, ['acme']);
		assert.equal(await ask(one), 'Bearer first-key');
		assert.deepEqual(asked, ['acme']);
		assert.equal(await ask(one), 'Bearer second-key');
		assert.deepEqual(asked, ['acme', 'acme']);
	});

	it('is asked for anew when tools have run for long since it was', async () => {
		const one = model();
		one.prepare?.(signal);
		now = 2_001;
		assert.equal(await ask(one), 'Bearer second-key');
		keys = ['third-key', 'fourth-key'];
		one.prepare?.(signal);
		now = 4_002;
		one.prepare?.(signal);
		assert.equal(await ask(one), 'Bearer fourth-key');
	});

	it('fails the prepared request when it does not come, and not the one after it', async () => {
		keys = [new Error('the store is locked'), 'second-key'];
		const one = model();
		one.prepare?.(signal);
		await assert.rejects(ask(one), /the store is locked/);
		assert.equal(endpoint.requests.length, 0);
		assert.equal(await ask(one), 'Bearer second-key');
	});
});
