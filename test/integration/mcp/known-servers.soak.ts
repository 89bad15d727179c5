/**
 * The best-known MCP servers, as npm has them in these versions: each is agreed to, lists its tools, does one thing where
 * it can without a network or an account, and is stopped, after which nothing of it runs.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { httpSite } from '../../support/http-site.ts';
import { McpScene } from '../../support/mcp-scene.ts';
import { runningProcesses } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

interface KnownServer {
	readonly name: string;
	readonly package: string;
	/** Program inside the package. */
	readonly program: string;
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	/** False: outside of the sandbox. */
	readonly sandbox?: false;
	/** Fewest tools that it lists. */
	readonly tools: number;
	/** Tool that is called, with its arguments and its answer; absent: why none is. */
	readonly calls?: readonly [tool: string, args: Readonly<Record<string, unknown>>, answer: RegExp];
	readonly why?: string;
}

const ofNetwork = 'every tool asks a service on the network';

/** Longest time of the installation, and of one server. */
const INSTALL_MS = 600_000;
const SERVER_MS = 180_000;
/** From the end of a server to the end of the processes in its sandbox. */
const LEFT_MS = 5_000;

describe('soak: the best-known MCP servers', function () {
	this.timeout(INSTALL_MS);
	const folder = tempDir('known');
	let site: Awaited<ReturnType<typeof httpSite>>;
	let scene: McpScene;

	const servers = (port: number): readonly KnownServer[] => [
		{
			name: 'everything',
			package: '@modelcontextprotocol/server-everything@2026.8.31',
			program: 'dist/index.js',
			tools: 12,
			calls: ['simulate-research-query', { topic: 'larks' }, /Research Report: larks/],
		},
		{
			name: 'filesystem',
			package: '@modelcontextprotocol/server-filesystem@2026.8.31',
			program: 'dist/index.js',
			args: ['${workspaceFolder}'],
			tools: 10,
			calls: ['list_directory', { path: '.' }, /a\.txt/],
		},
		{
			// Without folders in its arguments, it takes those of the workspace.
			name: 'filesystem-of-roots',
			package: '@modelcontextprotocol/server-filesystem@2026.8.31',
			program: 'dist/index.js',
			tools: 10,
			calls: ['list_allowed_directories', {}, /Allowed directories:\n\//],
		},
		{
			name: 'memory',
			package: '@modelcontextprotocol/server-memory@2026.8.31',
			program: 'dist/index.js',
			tools: 9,
			calls: ['read_graph', {}, /entities/],
		},
		{
			name: 'sequential-thinking',
			package: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
			program: 'dist/index.js',
			tools: 1,
			calls: [
				'sequentialthinking',
				{ thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
				/thoughtNumber/,
			],
		},
		{
			name: 'github',
			package: '@modelcontextprotocol/server-github@2025.4.8',
			program: 'dist/index.js',
			tools: 20,
			why: ofNetwork,
		},
		{
			name: 'playwright',
			package: '@playwright/mcp@0.0.83',
			program: 'cli.js',
			args: ['--headless', '--isolated', '--no-sandbox', '--executable-path', process.env['PROWESS_CHROMIUM'] ?? ''],
			// A browser in the sandbox of commands reaches this machine through the proxy only, which it is not told of.
			sandbox: false,
			tools: 15,
			calls: ['browser_navigate', { url: `http://127.0.0.1:${port}/` }, /A page of larks/],
		},
		{
			name: 'context7',
			package: '@upstash/context7-mcp@4.1.1',
			program: 'dist/index.js',
			tools: 2,
			why: ofNetwork,
		},
		{
			name: 'chrome-devtools',
			package: 'chrome-devtools-mcp@1.11.0',
			program: 'build/src/bin/chrome-devtools-mcp.js',
			args: [
				'--headless',
				'--isolated',
				'--chromeArg=--no-sandbox',
				'--executablePath',
				process.env['PROWESS_CHROMIUM'] ?? '',
			],
			sandbox: false,
			tools: 20,
			calls: ['new_page', { url: `http://127.0.0.1:${port}/` }, /127\.0\.0\.1/],
		},
		{
			name: 'notion',
			package: '@notionhq/notion-mcp-server@2.5.2',
			program: 'bin/cli.mjs',
			env: { NOTION_TOKEN: 'ntn_none' },
			tools: 15,
			why: ofNetwork,
		},
		{
			name: 'firecrawl',
			package: 'firecrawl-mcp@3.26.0',
			program: 'dist/index.js',
			env: { FIRECRAWL_API_KEY: 'fc-none' },
			tools: 5,
			why: ofNetwork,
		},
	];

	before(async () => {
		site = await httpSite((_request, response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page of larks</title><p>larks'),
		);
		writeFileSync(join(folder, 'package.json'), '{ "private": true }');
		const packages = new Set(servers(0).map((each) => each.package));
		const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
		await promisify(execFile)('npm', npm, { cwd: folder, timeout: INSTALL_MS, maxBuffer: 2 ** 26 });
	});
	afterEach(() => scene.close());
	after(() => site.close());

	for (const { name } of servers(0)) {
		it(`${name}: is agreed to, lists its tools, does one thing, and is gone`, async function () {
			this.timeout(SERVER_MS);
			const server = servers(site.port).find((each) => each.name === name);
			assert.ok(server);
			const { program, args = [], env = {}, sandbox, calls, why } = server;
			const root = join(folder, 'node_modules', server.package.replace(/(?<=.)@[^@]*$/, ''));
			const graph = join(folder, 'memory.jsonl');
			const entry = {
				command: process.execPath,
				args: [join(root, program), ...args],
				env: { ...env, TMPDIR: folder, ...(name === 'memory' && { MEMORY_FILE_PATH: graph }) },
				...(sandbox === false ? { sandbox } : { needs: { read: [folder], write: name === 'memory' ? [folder] : [] } }),
			};
			scene = await McpScene.open({ [name]: entry }, { files: { 'a.txt': 'larks' } });
			const tools = await scene.tools(name);
			assert.ok(tools.length >= server.tools, `${tools.length} tools`);
			assert.ok(scene.asked.some(({ detail }) => detail.kind === 'consent'));
			if (calls !== undefined) assert.match(await scene.call(name, calls[0], calls[1]), calls[2]);
			await scene.base.mcp.stop(name);
			const isLeft = () => runningProcesses().some(({ commandLine }) => commandLine.includes(folder));
			await waitFor('the end of all that it started', () => !isLeft(), LEFT_MS);
			console.log(`      ${server.package}: ${tools.length} tools, ${calls?.[0] ?? `no call: ${why}`}`);
		});
	}
});
