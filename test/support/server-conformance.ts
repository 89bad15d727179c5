/** The public conformance package for MCP servers, against our door over HTTP in the process of the spec. */
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { listenForMcp } from '../../src/host/doors/mcp/http-door.ts';
import { createDemoServer } from './demo-mcp-server.ts';
import { httpSite } from './http-site.ts';
import { waitFor } from './wait-for.ts';
import { commandLimitMs, User } from '../integration/cli/cli-process.ts';

const runner = join(
	createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
	'../dist/index.js',
);

interface Verdicts {
	readonly verdicts: ReadonlyMap<string, boolean>;
	readonly printed: string;
}

/** Runs the scenarios that the words choose against `prowess mcp serve`; returns which passed, and what was printed. */
export async function runServerConformance(words: readonly string[]): Promise<Verdicts> {
	const user = new User();
	user.sets();
	user.trusts();
	const started = user.startsHere(['mcp', 'serve', '--workspace', user.workspace, '--http', '0']);
	const { stdout: printed } = await waitFor(
		'the token',
		() => started.stdout.includes('"token"') && started,
		commandLimitMs,
	);
	try {
		return await runScenariosAt(JSON.parse(printed) as { url: string; token: string }, words);
	} finally {
		started.stop();
		await started.ended;
	}
}

/** The same against what the package wants of a server under its own names, behind our door over HTTP. */
export async function runDemoConformance(words: readonly string[]): Promise<Verdicts> {
	const token = 'token-of-the-demo';
	const listening = await listenForMcp({ createServer: createDemoServer }, { port: 0, token, log: () => {} });
	try {
		return await runScenariosAt({ url: listening.url, token }, words);
	} finally {
		listening.dispose();
	}
}

async function runScenariosAt(
	{ url, token }: { readonly url: string; readonly token: string },
	words: readonly string[],
): Promise<Verdicts> {
	const target = new URL(url);
	// The runner has no token. Host and origin stay as it sends them, but for the port.
	const site = await httpSite((asked, response) => {
		const own = `:${site.port}`;
		const renamed = (value = '') => value.replace(own, `:${target.port}`);
		const headers = {
			...asked.headers,
			host: renamed(asked.headers.host),
			...(asked.headers.origin !== undefined && { origin: renamed(asked.headers.origin) }),
			authorization: `Bearer ${token}`,
		};
		const passed = request(
			{ host: '127.0.0.1', port: target.port, path: asked.path, method: asked.method, headers },
			(answer) => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			},
		);
		passed.on('error', () => response.destroy());
		passed.end(asked.body);
	});
	try {
		const args = [runner, 'server', '--url', `http://127.0.0.1:${site.port}/mcp`, ...words];
		const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
			(error: { readonly stdout: string }) => error,
		);
		const summary = stripVTControlCharacters(stdout);
		return { verdicts: readVerdicts(summary), printed: summary };
	} finally {
		await site.close();
	}
}

/** Reads from the summary which scenarios passed. */
function readVerdicts(stdout: string): ReadonlyMap<string, boolean> {
	const lines = (stdout.split('=== SUMMARY ===')[1] ?? '').matchAll(/^([✓✗]) ([^:]+):/gm);
	return new Map([...lines].map(([, mark, scenario = '']) => [scenario, mark === '✓']));
}
