import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { httpSite, type Received } from '../../../test/support/http-site.ts';
import { testHost } from '../../../test/support/host-ports.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { webSearch as definition, type WebSearch } from '../../protocol/ops/definitions/network/web.ts';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { SecretVault } from '../../machine/secrets/secret-vault.ts';

const canary = 'canary-0123456789-canary';
const found = { title: 'A  title\nof two lines', url: 'https://example.org/a', text: 'A snippet.' };

describe('A search of the web', () => {
	let disk: WorkspaceOnDisk | undefined;
	const closing: (() => Promise<void>)[] = [];
	afterEach(async () => {
		await Promise.all(closing.splice(0).map((close) => close()));
		await disk?.close();
		disk = undefined;
	});

	async function start(search: WebSearch) {
		const asked: string[] = [];
		disk = await workspaceOnDisk(
			{},
			{
				webSearch: () => search,
				http: {
					allowedHosts: () => [],
					resolve: async (hostname) => {
						asked.push(hostname);
						return [{ address: '127.0.0.1', family: 4 }];
					},
				},
				secrets: new SecretVault(testHost({ secrets: { key: canary } }).ports.secrets, () => {}),
			},
		);
		const { perform, ops, context } = disk;
		return {
			asked,
			search: (query = 'a & b', count = 8) => perform('web.search', { query, count }),
			prepare: () => ops['web.search'].prepare({ query: 'a & b', count: 8 }, context()),
			async stoppedAfter(ms: number) {
				const limit = deriveSignal(new AbortController().signal, { what: 'web.search', timeoutMs: ms });
				try {
					return await perform('web.search', { query: 'x', count: 8 }, { signal: limit.signal });
				} finally {
					limit.dispose();
				}
			},
		};
	}

	async function site(answer: (request: Received, response: ServerResponse) => void) {
		const made = await httpSite(answer);
		closing.push(made.close);
		return { ...made, baseUrl: `http://127.0.0.1:${made.port}` };
	}

	const answering = (status: number, body: string) =>
		site((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
	const rejects = (promise: Promise<unknown>, code: string, message: RegExp) =>
		assert.rejects(promise, (error) => {
			assert.ok(isProwessError(error), String(error));
			assert.equal(error.code, code);
			assert.match(error.message, message);
			return true;
		});

	describe('that cannot be made', () => {
		it('is refused without a provider', async () => {
			const { search } = await start({ provider: 'off' });
			await rejects(search(), 'SEARCH_NOT_SET_UP', /no provider for web searches is named in prowess\.web\.search/);
		});

		for (const [baseUrl, why] of [
			['http://search.example.org', /without https/],
			['https://user:word@search.example.org', /user name or password/],
			['https://search.example.org/?q=', /holds a "\?"/],
		] as const) {
			it(`is refused at ${baseUrl}`, async () => {
				const { search, asked } = await start({ provider: 'searxng', baseUrl });
				await rejects(search(), 'SEARCH_NOT_SET_UP', why);
				assert.deepEqual(asked, []);
			});
		}

		it('is refused where a provider that the user gave no address of is in an own network', async () => {
			const { search, asked } = await start({ provider: 'brave', secret: 'key' });
			await rejects(search(), 'HOST_REFUSED', /api\.search\.brave\.com is at 127\.0\.0\.1/);
			assert.deepEqual(asked, ['api.search.brave.com']);
		});

		it('sends nothing without its key', async () => {
			const { baseUrl, received } = await answering(200, '{}');
			const { search } = await start({ provider: 'tavily', secret: 'other', baseUrl });
			await rejects(search(), 'SECRET_NOT_FOUND', /there is no secret "other"/);
			assert.equal(received.length, 0);
		});
	});

	describe('that fails', () => {
		for (const [status, body, code, message] of [
			[401, '{}', 'SEARCH_REFUSED', /refused the key in the secret "key" \(HTTP 401\)/],
			[403, '{}', 'SEARCH_REFUSED', /refused the key/],
			[422, '{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID"}}', 'SEARCH_REFUSED', /HTTP 422/],
			[422, '{"error":{"code":"VALIDATION"}}', 'REQUEST_FAILED', /answered the search with HTTP 422/],
			[429, '{}', 'SEARCH_LIMITED', /the search limit of .* is reached \(HTTP 429\)/],
			[500, 'oops', 'REQUEST_FAILED', /HTTP 500/],
			[200, '<!doctype html>', 'DATA_MALFORMED', /did not answer with search results in JSON/],
			[200, '', 'DATA_MALFORMED', /in JSON/],
			[200, '[]', 'DATA_MALFORMED', /in JSON/],
			[200, '{"type":"search","web":{"results":"none"}}', 'DATA_MALFORMED', /in JSON/],
			[200, '{"results":[]}', 'DATA_MALFORMED', /in JSON/],
		] as const) {
			it(`with ${status} ${body} says ${code}, and not its key`, async () => {
				const { baseUrl } = await answering(status, body);
				const { search } = await start({ provider: 'brave', secret: 'key', baseUrl });
				await rejects(search(), code, message);
				await assert.rejects(search(), (error) => !String(error).includes(canary));
			});
		}

		it('says of SearXNG what a 403 means there', async () => {
			const { baseUrl } = await answering(403, '');
			const { search } = await start({ provider: 'searxng', baseUrl });
			await rejects(search(), 'SEARCH_REFUSED', /the format json is not enabled there/);
		});

		it('says of Tavily that the plan is used up', async () => {
			const { baseUrl } = await answering(432, '{}');
			const { search } = await start({ provider: 'tavily', secret: 'key', baseUrl });
			await rejects(search(), 'SEARCH_LIMITED', /HTTP 432/);
		});

		it('ends with its time limit', async () => {
			const { baseUrl } = await site(() => {});
			const { stoppedAfter } = await start({ provider: 'searxng', baseUrl });
			await assert.rejects(stoppedAfter(200), /web\.search took longer than 200 ms/);
		});

		it('takes its key to no other port of the same host', async () => {
			const other = await answering(200, '{"results":[]}');
			const { baseUrl } = await site((_request, response) =>
				response.writeHead(307, { location: `${other.baseUrl}/search` }).end(),
			);
			const asked = await start({ provider: 'brave', secret: 'key', baseUrl });
			await rejects(asked.search(), 'HOST_REFUSED', /on this machine or its network/);
			const told = await start({ provider: 'tavily', secret: 'key', baseUrl });
			await rejects(told.search(), 'REQUEST_FAILED', /leads to .* instead of answering/);
			assert.equal(other.received.length, 0);
		});
	});

	it('names host and secret to the gate, and shows what is sent before anything is looked up', async () => {
		const { baseUrl, port, received } = await answering(200, '{}');
		const { prepare, asked } = await start({ provider: 'brave', secret: 'key', baseUrl });
		const { targets, detail } = await prepare();
		const host = `127.0.0.1:${port}`;
		assert.deepEqual(targets, [
			{ kind: 'host', host },
			{ kind: 'secret', name: 'key', host },
		]);
		assert.match(detail.kind === 'text' ? detail.text : '', /q=a\+%26\+b.*\n.*\nwith the secret "key" \(header\)/);
		assert.deepEqual([asked.length, received.length], [0, 0]);
	});

	const { title, url, text } = found;
	for (const [name, search, answer, request] of [
		[
			'SearXNG',
			{ provider: 'searxng' },
			{ query: 'a & b', results: [{ title, url, content: text, engine: 'x' }] },
			{ method: 'GET', path: '/sub/search?q=a+%26+b&format=json', body: '' },
		],
		[
			'Brave',
			{ provider: 'brave', secret: 'key' },
			{ type: 'search', web: { results: [{ title, url, description: text }] } },
			{ method: 'GET', path: '/sub/res/v1/web/search?q=a+%26+b&count=8&text_decorations=false', body: '' },
		],
		[
			'Tavily',
			{ provider: 'tavily', secret: 'key' },
			{ results: [{ title, url, content: text, score: 0.9 }] },
			{ method: 'POST', path: '/sub/search', body: '{"query":"a & b","max_results":8}' },
		],
	] as const) {
		it(`is asked of ${name} in its form, and its answer is read`, async () => {
			const { baseUrl, received } = await answering(200, JSON.stringify(answer));
			const made = await start({ ...search, baseUrl: `${baseUrl}/sub/` });
			assert.deepEqual(await made.search(), {
				results: [{ title: 'A title of two lines', url, snippet: text }],
			});
			assert.equal(received.length, 1);
			const { method, path, body, headers } = received[0] as Received;
			assert.deepEqual({ method, path, body }, request);
			assert.equal(headers['authorization'], name === 'Tavily' ? `Bearer ${canary}` : undefined);
			assert.equal(headers['x-subscription-token'], name === 'Brave' ? canary : undefined);
		});
	}

	it('finds nothing where Brave has no list', async () => {
		const { baseUrl } = await answering(200, '{"type":"search"}');
		const { search } = await start({ provider: 'brave', secret: 'key', baseUrl });
		assert.equal(definition.present(await search()), 'Nothing was found.');
	});

	it('leaves out bent entries, and gives no more than were asked for, each bounded', async () => {
		const good = { title: 't'.repeat(5_000), url, content: 's'.repeat(5_000) };
		const bent = [
			null,
			7,
			{},
			{ url: 7 },
			{ url: 'javascript:alert(1)' },
			{ url: `https://a.test/${'x'.repeat(3_000)}` },
		];
		const results = [...bent, { url, title: null, content: 7 }, ...Array.from({ length: 50 }, () => good)];
		const { baseUrl } = await answering(200, JSON.stringify({ results }));
		const { search } = await start({ provider: 'searxng', baseUrl });
		const answer = await search('x', 3);
		assert.deepEqual(answer.results[0], { title: '', url, snippet: '' });
		assert.equal(answer.results.length, 3);
		assert.ok(definition.present(answer).length < 2_000);
	});
});
