/**
 * The ten best-known MCP servers, as npm has them in the pinned versions, all at once: each is agreed to, lists its tools,
 * does one thing, and is stopped. Servers of a service on the network ask one on this machine, through their sandbox.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkedImage } from '../../../src/protocol/ops/images.ts';
import { type HttpSite, httpSite } from '../../support/http-site.ts';
import { McpScene, publicServer } from '../../support/mcp-scene.ts';
import { runningProcesses } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

interface KnownServer {
	readonly name: string;
	/** Path from the packages, or the end of a package's name; absent: `name`. */
	readonly program?: string;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** False: outside of the sandbox. */
	readonly sandbox?: false;
	readonly needs?: Readonly<Record<string, readonly string[]>>;
	/** Fewest tools that it lists. */
	readonly tools: number;
	/** Tool that is called, with its arguments, and the answer or the message of its failure. */
	readonly calls: readonly [tool: string, args: Readonly<Record<string, unknown>>, said: RegExp];
	/** Tool that then makes a picture of the page, which the model is shown. */
	readonly pictures?: string;
}

/** Longest time until all are done: all start at once, on two cores. */
const ALL_MS = 120_000;
/** From the end of the servers to the end of the processes in their sandboxes. */
const LEFT_MS = 10_000;
/** This machine, by an address that a program in the sandbox reaches through its proxy only, as it does other machines. */
const SERVICE = '127.0.0.2';

/** Answers of the services, by path. */
const ANSWERS: Readonly<Record<string, object>> = {
	'/v1/users/me': { object: 'user', name: 'Ada' },
	'/api/v2/libs/search': { results: [{ id: '/birds/larks', title: 'Larks', description: 'They sing.' }] },
	'/v2/scrape': { success: true, data: { markdown: '# Larks', metadata: { statusCode: 200 } } },
};

/** `port`: of the page and of the services. `folder`: a server may write there. */
function knownServers(port: number, folder: string): readonly KnownServer[] {
	const page = `http://127.0.0.1:${port}/`;
	const service = `http://${SERVICE}:${port}`;
	const needs = { network: [`${SERVICE}:${port}`] };
	const chromium = process.env['PROWESS_CHROMIUM'] ?? '';
	return [
		{
			name: 'everything',
			tools: 12,
			calls: ['simulate-research-query', { topic: 'larks' }, /Research Report: larks/],
		},
		{
			// Without folders in its arguments, it takes those of the workspace.
			name: 'filesystem',
			tools: 10,
			calls: ['list_directory', { path: '.' }, /a\.txt/],
		},
		{
			name: 'memory',
			env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
			needs: { write: [folder] },
			tools: 9,
			calls: [
				'create_entities',
				{ entities: [{ name: 'Ada', entityType: 'person', observations: ['likes larks'] }] },
				/likes larks/,
			],
		},
		{
			name: 'sequential-thinking',
			tools: 1,
			calls: [
				'sequentialthinking',
				{ thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
				/"thoughtHistoryLength": 1/,
			],
		},
		{
			// The address of its service is fixed; the user says no to it.
			name: 'github',
			tools: 20,
			calls: ['search_repositories', { query: 'larks' }, /failed at search_repositories: fetch failed/],
		},
		{
			name: 'playwright',
			program: '@playwright/mcp/cli.js',
			args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', chromium],
			// A browser in the sandbox of commands reaches this machine through the proxy only, which it is not told of.
			sandbox: false,
			tools: 15,
			calls: ['browser_navigate', { url: page }, /A page of larks/],
			pictures: 'browser_take_screenshot',
		},
		{
			name: 'chrome-devtools',
			program: 'chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js',
			args: ['--headless', '--isolated', '--chromeArg=--no-sandbox', '--executablePath', chromium],
			sandbox: false,
			tools: 20,
			calls: ['new_page', { url: page }, /A page of larks/],
		},
		{
			name: 'context7',
			program: '@upstash/context7-mcp/dist/index.js',
			env: { CONTEXT7_API_URL: `${service}/api` },
			needs,
			tools: 2,
			calls: ['resolve-library-id', { query: 'how larks sing', libraryName: 'larks' }, /\/birds\/larks/],
		},
		{
			name: 'notion',
			program: '@notionhq/notion-mcp-server/bin/cli.mjs',
			env: { NOTION_TOKEN: 'ntn_none', BASE_URL: service },
			needs,
			tools: 15,
			calls: ['API-get-self', {}, /"name":\s*"Ada"/],
		},
		{
			name: 'firecrawl',
			program: 'firecrawl-mcp/dist/index.js',
			env: { FIRECRAWL_API_KEY: 'fc-none', FIRECRAWL_API_URL: service },
			needs,
			tools: 5,
			calls: ['firecrawl_scrape', { url: page }, /# Larks/],
		},
	];
}

describe('The best-known MCP servers', function () {
	this.timeout(ALL_MS);
	const names = knownServers(0, '').map(({ name }) => name);
	let folder: string;
	let site: HttpSite;
	let scene: McpScene;
	let ends: ReadonlyMap<string, PromiseSettledResult<void>>;

	before(async () => {
		folder = tempDir('known');
		const answer = ({ path }: { readonly path: string }) => ANSWERS[path.split('?', 1)[0] ?? ''];
		site = await httpSite((request, response) => {
			const json = answer(request);
			response.setHeader('content-type', json === undefined ? 'text/html' : 'application/json');
			response.end(json === undefined ? '<title>A page of larks</title><p>larks' : JSON.stringify(json));
		}, '0.0.0.0');
		const servers = knownServers(site.port, folder);
		const entries = servers.map(({ name, program = name, args, env, sandbox, needs }) => [
			name,
			publicServer(program, args, {
				env: { ...env, TMPDIR: folder },
				...(sandbox === undefined ? {} : { sandbox }),
				needs: { ...needs, read: [folder] },
			}),
		]);
		scene = await McpScene.open(Object.fromEntries(entries) as Record<string, object>, {
			files: { 'a.txt': 'larks' },
			settings: { 'prowess.http.allowHosts': [`${SERVICE}:${site.port}`] },
			answers: ({ op }) => ({ kind: op === 'net.connect' ? 'deny' : 'always' }),
		});
		const settled = await Promise.allSettled(servers.map(use));
		ends = new Map(names.map((name, at) => [name, settled[at] ?? { status: 'rejected', reason: 'not used' }]));
	});
	after(async () => {
		await scene?.close();
		await site?.close();
	});

	async function use({ name, tools: fewest, calls: [tool, args, said], pictures }: KnownServer): Promise<void> {
		const tools = await scene.tools(name);
		assert.ok(tools.length >= fewest, `${tools.length} tools`);
		const outcome = await scene.outcome('mcp.call', { server: name, tool, arguments: { ...args } });
		const { text } = outcome.status === 'done' ? (outcome.result as { text: string }) : { text: outcome.error.message };
		assert.match(text, said);
		if (pictures === undefined) return;
		const { media = [] } = await scene.perform('mcp.call', { server: name, tool: pictures });
		const [{ type, data } = {}] = media;
		const { width, height } = checkedImage(Buffer.from(data ?? '', 'base64'), pictures);
		assert.ok(type === 'image/png' && width > 400 && height > 300, `${type}, ${width} x ${height}`);
	}

	for (const name of names) {
		it(`have ${name}, which lists its tools and does one thing`, () => {
			const end = ends.get(name);
			if (end?.status !== 'fulfilled') throw end?.reason;
		});
	}

	it('are asked about before they start, as is a host that no entry names', () => {
		const starts = scene.asked.filter(({ detail }) => detail.kind === 'consent').map(({ title }) => title);
		const wanted = names.map((name) => `Start the MCP server ${name}`);
		assert.deepEqual(starts.toSorted(), wanted.toSorted());
		const hosts = scene.asked.filter(({ op }) => op === 'net.connect').map(({ title }) => title);
		assert.deepEqual(hosts, ['Connect to api.github.com (for the MCP server github)']);
	});

	it('leave nothing behind once they are stopped', async () => {
		await Promise.all(names.map((name) => scene.base.mcp.stop(name)));
		const isLeft = () => runningProcesses().some(({ commandLine }) => commandLine.includes(folder));
		await waitFor('the end of all that they started', () => !isLeft(), LEFT_MS);
	});
});
