import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { readSettings } from '../../../protocol/settings/read-settings.ts';
import type { ModelPort } from '../model-port.ts';
import { Breakers } from './breakers.ts';
import { resolveModels, type WantedModel } from './resolution.ts';

const never = new AbortController().signal;

function model(id: string): ModelPort {
	return { id, contextWindow: 1000, stream: () => assert.fail('nothing is streamed here') };
}

const short = { text: 'Hi', attachments: 0, messagesBefore: 0 };

/** Resolves beside a provider `down` that has failed often. */
async function resolve(wanted: WantedModel, values: Record<string, unknown> = {}, fallbacks: readonly string[] = []) {
	const breakers = new Breakers();
	for (let n = 0; n < 3; n += 1) {
		breakers.failed('down');
	}
	const open = (id: string) =>
		id.startsWith('gone/')
			? Promise.reject(new ProwessError('MODEL_NOT_FOUND', `no provider for "${id}"`, { modelId: id }))
			: Promise.resolve(model(id));
	const { models, steps } = await resolveModels(
		wanted,
		{
			settings: readSettings((name) => values[name]).settings,
			breakers,
			first: () => Promise.resolve(model('first/m')),
			open,
			fallbacks: () => fallbacks.map((id) => ({ id, open: () => open(id) })),
		},
		never,
	);
	return [models.current.id, models.left, ...steps];
}

describe('the resolution of a model', () => {
	it('says which setting names a model that is not there', async () => {
		await assert.rejects(resolve({ modelId: 'gone/m' }), { code: 'MODEL_NOT_FOUND', message: /^no provider/ });
		await assert.rejects(
			resolve({ modelId: null, prompt: short }, { 'prowess.models.routing': { simple: 'gone/m' } }),
			{ code: 'MODEL_NOT_FOUND', message: 'prowess.models.routing.simple: no provider for "gone/m"' },
		);
	});

	it('takes the default where none is chosen, and the first that is connected where there is no default', async () => {
		assert.deepEqual(await resolve({ modelId: null }, { 'prowess.model': 'a/m' }), ['a/m', 0, 'default: a/m']);
		assert.deepEqual(await resolve({ modelId: null }), ['first/m', 0, 'default: the first that is connected']);
		assert.deepEqual(await resolve({ modelId: 'b/m' }, { 'prowess.model': 'a/m' }), ['b/m', 0]);
	});

	it('reads an alias of a chosen model, of the default and of a route, and none that only objects have', async () => {
		const aliases = { 'prowess.models.aliases': { fast: 'a/m', wise: 'b/m' } };
		assert.deepEqual(await resolve({ modelId: 'fast' }, aliases), ['a/m', 0, 'alias: fast is a/m']);
		assert.deepEqual(
			await resolve(
				{ modelId: null, prompt: short },
				{ ...aliases, 'prowess.model': 'fast', 'prowess.models.routing': { simple: 'wise' } },
			),
			['b/m', 0, 'default: fast', 'alias: fast is a/m', 'routing: 1 points are simple: wise', 'alias: wise is b/m'],
		);
		assert.deepEqual(await resolve({ modelId: 'constructor' }, aliases), ['constructor', 0]);
	});

	it('routes nothing where a person has chosen the model, or where there is no prompt', async () => {
		const routing = { 'prowess.models.routing': { simple: 'small/m' } };
		assert.deepEqual(await resolve({ modelId: 'b/m', prompt: short }, routing), ['b/m', 0]);
		assert.deepEqual(await resolve({ modelId: null }, routing), ['first/m', 0, 'default: the first that is connected']);
	});

	it('takes an alternative to a provider that has failed often, which is then the last to be asked', async () => {
		assert.deepEqual(await resolve({ modelId: 'down/m' }, {}, ['down/other', 'b/m']), [
			'b/m',
			2,
			'breaker: down has failed often and is passed over',
			'alternative: b/m',
		]);
	});

	it('passes over the provider of a routed model, too', async () => {
		const routing = { 'prowess.models.routing': { simple: 'down/m' } };
		assert.deepEqual((await resolve({ modelId: null, prompt: short }, routing, ['b/m'])).slice(0, 2), ['b/m', 1]);
	});

	it('asks the provider after all where no other can be used', async () => {
		assert.deepEqual(await resolve({ modelId: 'down/m' }, {}, ['gone/m']), [
			'down/m',
			1,
			'breaker: down has failed often and is passed over',
			'alternative: none can be used, so down/m is asked after all',
		]);
		assert.deepEqual(await resolve({ modelId: 'down/m' }), ['down/m', 0]);
	});
});
