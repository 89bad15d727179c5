/** A search of the web from the command line: the real CLI, a model server and a provider on this machine. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpSite, type HttpSite } from '../../support/http-site.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

/** Looks like no key of a known family. */
const key = 'Canary/7f3a+x9!qZ2mW8vB4nK6tY1rL5pD0sE';

describe('prowess: a search of the web', function () {
	this.timeout(commandLimitMs);
	let site: HttpSite;
	let server: ModelServer;
	let user: User;

	beforeEach(async () => {
		user = new User();
		mkdirSync(user.home);
		site = await httpSite((request, response) => {
			const snippet = `Hidden\u200b word. ${String(request.headers['x-subscription-token'] ?? 'no key')}`;
			const entry = { title: 'Larks', url: 'https://birds.test/larks', content: snippet, description: snippet };
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify({ type: 'search', results: [entry], web: { results: [entry] } }));
		});
		server = await startModelServer([
			{ toolCalls: [{ name: 'tool_search', input: { query: 'web_search' } }] },
			{ toolCalls: [{ name: 'web_search', input: { query: 'skylark & song' } }] },
			{ text: 'Done.' },
		]);
	});
	afterEach(async () => {
		await server.close();
		await site.close();
	});

	const host = () => `127.0.0.1:${site.port}`;
	const settings = (values: object) => writeFileSync(join(user.home, 'settings.json'), JSON.stringify(values));
	const asked = async (env: Readonly<Record<string, string>> = {}) => {
		const result = await user.promptsApart(server.baseUrl, 'Find larks.', ['--json'], { env }).ended;
		return { ...result, said: server.requests.map(({ text }) => text) };
	};

	it('is not offered without a provider, and the call of it is told why', async () => {
		const { said } = await asked();
		assert.doesNotMatch(said[0] ?? '', /web_search/);
		assert.match(said[2] ?? '', /web_search needs a provider, which only the user can name, in prowess\.web\.search/);
		assert.equal(site.received.length, 0);
	});

	it('sends nothing that no rule allows where nobody can be asked', async () => {
		settings({ 'prowess.web.search': { provider: 'searxng', baseUrl: `http://${host()}` } });
		const { said } = await asked();
		assert.match(said[0] ?? '', /web_search/);
		assert.match(said[2] ?? '', /DENIED_BY/);
		assert.equal(site.received.length, 0);
	});

	it('gives the model what SearXNG found, with what is hidden in it made visible, and records the words', async () => {
		settings({
			'prowess.web.search': { provider: 'searxng', baseUrl: `http://${host()}` },
			'prowess.approvals.allow': [`web.search ${host()}`],
		});
		const { code, stderr, said } = await asked();
		assert.equal(code, 0, stderr);
		assert.deepEqual(
			site.received.map(({ method, path }) => [method, path]),
			[['GET', '/search?q=skylark+%26+song&format=json']],
		);
		assert.match(said[2] ?? '', /1\. Larks\\n +https:\/\/birds\.test\/larks\\n +Hidden\\\\u\{200b\} word\. no key/);
		const ledger = await user.runs(['ledger', 'export']);
		assert.match(ledger.stdout, /web\.search/);
		assert.match(ledger.stdout, /skylark & song/);
	});

	it('sends the key to its provider, and shows and keeps it nowhere', async () => {
		settings({
			'prowess.web.search': { provider: 'brave', secret: 'BRAVE', baseUrl: `http://${host()}` },
			'prowess.approvals.allow': [`web.search ${host()}`, `web.search BRAVE@${host()}`],
		});
		const { code, stderr, stdout, said } = await asked({ PROWESS_SECRET_BRAVE: key });
		assert.equal(code, 0, stderr);
		assert.equal(site.received[0]?.headers['x-subscription-token'], key);
		assert.match(said[2] ?? '', /1\. Larks/);
		for (const text of [stdout, stderr, ...said]) {
			assert.ok(!text.includes(key));
		}
		const kept = readdirSync(user.home, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
		assert.ok(kept.length > 0);
		for (const { parentPath, name } of kept) {
			assert.ok(!readFileSync(join(parentPath, name)).includes(key), name);
		}
	});
});
