import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ProwessError } from '../../../protocol/errors/errors.ts';
import type { ModelInfo, ProviderConfig } from '../../../protocol/turn/models.ts';
import { readSettings } from '../../../protocol/settings/read-settings.ts';
import type { Settings } from '../../../protocol/settings/settings.ts';
import { type ModelServer, startModelServer } from '../../../../test/support/model-server.ts';
import { Breakers } from '../failover/breakers.ts';
import { Refusals } from '../streams/refusals.ts';
import { Calibrations } from './calibrations.ts';
import { createModelCatalog, type ModelCatalog } from './catalog.ts';
import type { EditorModels } from '../editor-model.ts';
import { Windows } from './windows.ts';

const editorModel: ModelInfo = { id: 'editor/gpt', name: 'GPT', provider: 'editor', source: 'editor' };
const never = new AbortController().signal;
/** Address at which no server listens: only a privileged process can open this port. */
const nowhere = 'http://127.0.0.1:1/v1';

describe('the catalog of models', () => {
	let server: ModelServer;
	let providers: ProviderConfig[];
	let chosen: string;
	let editor: () => Promise<ModelInfo[]>;
	let keys: Record<string, string>;
	let asked: string[];
	let modelSettings: Settings['prowess.models.settings'];
	let catalog: ModelCatalog;
	const extra: Server[] = [];

	const local = (): ProviderConfig => ({ id: 'local', kind: 'openai-compatible', baseUrl: server.baseUrl, models: [] });
	const settings = (): Settings => ({
		...readSettings(() => undefined).settings,
		'prowess.providers': providers,
		'prowess.model': chosen,
		'prowess.models.settings': modelSettings,
	});

	async function serve(listener: RequestListener): Promise<string> {
		const http = createServer(listener);
		extra.push(http);
		await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
	}

	beforeEach(async () => {
		server = await startModelServer([], { models: ['qwen3', 'text-embedding-3', 'llama3'] });
		providers = [local()];
		chosen = '';
		editor = () => Promise.resolve([]);
		keys = {};
		asked = [];
		modelSettings = {};
		const lm: EditorModels = {
			list: () => editor(),
			model: ({ id }) => ({ id, contextWindow: 1, stream: () => assert.fail('not asked') }),
			dispose() {},
		};
		catalog = createModelCatalog({
			breakers: new Breakers(),
			refusals: new Refusals(),
			imageData: () => undefined,
			calibrations: new Calibrations(),
			windows: new Windows({ kept: { all: () => [], keep() {} }, log: () => {} }),
			settings,
			getKey: (id) => {
				asked.push(id);
				return Promise.resolve(keys[id] ?? null);
			},
			lm,
			log: () => {},
			localPlaces: [{ name: 'Ollama', baseUrl: nowhere }],
		});
	});
	afterEach(async () => {
		await server.close();
		for (const http of extra.splice(0)) {
			http.closeAllConnections();
			await new Promise<void>((resolve) => http.close(() => resolve()));
		}
	});

	it('names an endpoint that does not answer and lists the others', async () => {
		providers = [{ ...local(), id: 'dead', baseUrl: nowhere }, local()];
		const { models, problems, selected } = await catalog.list(never);
		assert.deepEqual(
			models.map(({ id }) => id),
			['local/qwen3', 'local/llama3', 'tour/sample'],
		);
		assert.deepEqual(
			problems.map(({ provider }) => provider),
			['dead'],
		);
		assert.match(problems[0]?.message ?? '', /cannot be reached at http:\/\/127\.0\.0\.1:1/);
		assert.equal(selected, 'local/qwen3');
	});

	it('names each other problem: no key, an address that may not be used, a name that is taken, no list', async () => {
		const page = await serve((_request, response) => response.end('<html>'));
		const bare = await serve((_request, response) => response.writeHead(404).end());
		providers = [
			{ id: 'keyless', kind: 'anthropic', models: [] },
			{ id: 'open', kind: 'openai-compatible', baseUrl: 'http://models.example/v1', models: [] },
			{ id: 'nowhere', kind: 'openai-compatible', models: [] },
			{ id: 'editor', kind: 'openai-compatible', baseUrl: server.baseUrl, models: [] },
			{ ...local(), id: 'page', baseUrl: page },
			{ ...local(), id: 'bare', baseUrl: bare },
		];
		const { models, problems } = await catalog.list(never);
		assert.deepEqual(
			models.map(({ id }) => id),
			['tour/sample'],
		);
		const words = ['no key', 'http is allowed', 'needs a baseUrl', 'is taken', 'no list of models', 'has no list'];
		words.forEach((word, index) => assert.match(problems[index]?.message ?? '', new RegExp(word)));
	});

	it('names the editor when its list fails', async () => {
		editor = () => Promise.reject(new Error('not now'));
		assert.deepEqual((await catalog.list(never)).problems, [{ provider: 'editor', message: 'not now' }]);
	});

	it('refuses a model that is not there', async () => {
		for (const id of ['nonsense', '/x', 'local/', 'gone/qwen3', 'editor/gone', 'tour/other']) {
			await assert.rejects(catalog.resolve(id, never), { code: 'MODEL_NOT_FOUND' }, id);
		}
	});

	it('refuses a provider whose address may not be used', async () => {
		providers = [{ id: 'open', kind: 'openai-compatible', baseUrl: 'http://example.com/v1', models: [] }];
		await assert.rejects(catalog.resolve('open/x', never), { code: 'INVALID_PARAMS' });
	});

	it('says what is wrong with a provider before it is saved', async () => {
		const refusing = await serve((_request, response) => {
			response.writeHead(401, { 'content-type': 'application/json' });
			response.end('{"error":{"message":"Incorrect API key provided: sk-secret"}}');
		});
		await assert.rejects(catalog.check({ ...local(), baseUrl: refusing }, 'sk-secret', never), {
			code: 'PROVIDER_AUTH',
			message: 'provider "local" answered 401: Incorrect API key provided: [key]',
		});
		await assert.rejects(catalog.check({ id: 'a', kind: 'anthropic', models: [] }, null, never), {
			code: 'KEY_MISSING',
		});
		await assert.rejects(catalog.check({ ...local(), baseUrl: nowhere }, null, never), {
			code: 'PROVIDER_UNREACHABLE',
		});
	});

	it('shows no key that cannot be sent', async () => {
		await assert.rejects(catalog.check(local(), 'two\nlines-of-secret', never), (error: ProwessError) => {
			assert.equal(error.code, 'KEY_MISSING');
			assert.doesNotMatch(error.message, /secret/);
			return true;
		});
	});

	it('takes named models of an endpoint that has no list', async () => {
		const bare = await serve((_request, response) => response.writeHead(404).end());
		assert.deepEqual(await catalog.check({ ...local(), baseUrl: bare, models: ['mine'] }, null, never), ['mine']);
	});

	it('reads what an endpoint says of windows and names, and skips what cannot chat', async () => {
		const endpoint = await serve((_request, response) =>
			response.end(
				JSON.stringify({
					data: [
						{ id: 'a', context_length: 9_000 },
						{ id: 'whisper-1' },
						{ id: 'claude-x', display_name: 'Claude X' },
						{ id: 7 },
						'junk',
					],
				}),
			),
		);
		providers = [{ ...local(), baseUrl: endpoint }];
		assert.deepEqual(
			(await catalog.list(never)).models.map(({ id, name, contextWindow }) => [id, name, contextWindow]).slice(0, -1),
			[
				['local/a', 'a', 9_000],
				['local/claude-x', 'Claude X', 200_000],
			],
		);
		assert.equal((await catalog.resolve('local/a', never)).contextWindow, 9_000);
	});

	it('gives no model when the search for it is stopped while a nearby server is asked for its list', async () => {
		const stop = new AbortController();
		const endpoint = await serve(() => stop.abort(new Error('stopped by the user')));
		providers = [{ ...local(), baseUrl: endpoint }];
		modelSettings = { 'local/a': { contextWindow: 9_000 } };
		await assert.rejects(catalog.resolve('local/a', stop.signal), /stopped by the user/);
	});

	it('says what a model costs and whether it thinks, as its endpoint lists it, or its vendor', async () => {
		const data = [
			{
				id: 'a',
				supported_parameters: ['reasoning', 'tools'],
				pricing: { prompt: '0.000003', completion: '0.000015' },
			},
			{ id: 'b', supported_parameters: ['tools'] },
			{ id: 'c' },
		];
		const endpoint = await serve((_request, response) => response.end(JSON.stringify({ data })));
		const names = ['gpt-5', 'gpt-4o', 'o3', 'claude-sonnet-4-5', 'claude-3-5-haiku-latest', 'claude-3-7-sonnet-latest'];
		providers = [
			{ ...local(), baseUrl: endpoint },
			{ id: 'openai', kind: 'openai', models: names.slice(0, 3) },
			{ id: 'anthropic', kind: 'anthropic', models: names.slice(3) },
			{ id: 'google', kind: 'google', models: ['gemini-2.5-flash', 'gemini-2.0-flash'] },
		];
		const listed = (await catalog.list(never)).models.slice(0, -1);
		assert.deepEqual(
			listed.map(({ id, price, thinks }) => [id, price?.input, price?.output, thinks]),
			[
				['local/a', 3, 15, true],
				['local/b', undefined, undefined, false],
				['local/c', undefined, undefined, undefined],
				['openai/gpt-5', 1.25, 10, true],
				['openai/gpt-4o', 2.5, 10, false],
				['openai/o3', 2, 8, true],
				['anthropic/claude-sonnet-4-5', 3, 15, true],
				['anthropic/claude-3-5-haiku-latest', 0.8, 4, false],
				['anthropic/claude-3-7-sonnet-latest', 3, 15, true],
				['google/gemini-2.5-flash', 0.3, 2.5, true],
				['google/gemini-2.0-flash', undefined, undefined, false],
			],
		);
	});

	it('reads what an endpoint says of the longest answer, as each vendor writes it', async () => {
		const written: readonly Record<string, unknown>[] = [
			{ top_provider: { max_completion_tokens: 9_000 } },
			{ top_provider: null, max_completion_tokens: 9_000 },
			{ max_output_tokens: 9_000 },
			{ outputTokenLimit: 9_000 },
			{ max_output_tokens: -1 },
			{ max_output_tokens: '9000' },
		];
		const data = written.map((each, n) => ({ id: `m${n}`, ...each }));
		const endpoint = await serve((_request, response) => response.end(JSON.stringify({ data })));
		providers = [{ ...local(), baseUrl: endpoint }];
		await catalog.list(never);
		const read = await Promise.all(
			data.map(async ({ id }) => (await catalog.resolve(`local/${id}`, never)).mostOutput),
		);
		assert.deepEqual(read, [9_000, 9_000, 9_000, 9_000, undefined, undefined]);
	});

	it('asks for a key at each list, and keeps a list for a while', async () => {
		await catalog.list(never);
		await catalog.list(never);
		assert.deepEqual(asked, ['local']);
		catalog.refresh();
		await catalog.list(never);
		assert.deepEqual(asked, ['local', 'local']);
	});

	it('uses the chosen model, else the first connected one, else the editor’s, else the tour', async () => {
		const resolved = async () => (await catalog.resolve(null, never)).id;
		chosen = 'local/llama3';
		assert.equal(await resolved(), 'local/llama3');
		chosen = '';
		assert.equal(await resolved(), 'local/qwen3');
		providers = [];
		editor = () => Promise.resolve([editorModel]);
		assert.equal(await resolved(), 'editor/gpt');
		editor = () => Promise.resolve([]);
		assert.equal(await resolved(), 'tour/sample');
	});

	it('takes a model whose name has slashes, and one the endpoint does not list', async () => {
		assert.equal((await catalog.resolve('local/org/model:1', never)).id, 'local/org/model:1');
	});

	it('finds a model server of this machine, or nothing', async () => {
		assert.deepEqual(await catalog.discover(never), []);
		const found = createModelCatalog({
			breakers: new Breakers(),
			refusals: new Refusals(),
			imageData: () => undefined,
			calibrations: new Calibrations(),
			windows: new Windows({ kept: { all: () => [], keep() {} }, log: () => {} }),
			settings,
			getKey: () => Promise.resolve(null),
			lm: { list: () => Promise.resolve([]), model: () => assert.fail('not asked'), dispose() {} },
			log: () => {},
			localPlaces: [{ name: 'Ollama', baseUrl: server.baseUrl }],
		});
		assert.deepEqual(await found.discover(never), [
			{ name: 'Ollama', baseUrl: server.baseUrl, models: ['qwen3', 'llama3'] },
		]);
	});

	it('ends a list with the reason of an abort', async () => {
		const silent = await serve(() => {});
		providers = [{ ...local(), baseUrl: silent }];
		const stop = new AbortController();
		const reason = new Error('stopped');
		const listing = catalog.list(stop.signal);
		stop.abort(reason);
		await assert.rejects(listing, reason);
	});
});
