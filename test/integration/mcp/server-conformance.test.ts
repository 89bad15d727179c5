/** The server scenarios of the public conformance package, against `prowess mcp serve --http`, each with its verdict. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { httpSite } from '../../support/http-site.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { CommandHere } from '../../support/command-here.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const runner = join(
	createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
	'../dist/index.js',
);

/** Scenarios that do not apply, by why. They are run like the others; one that begins to pass belongs no longer here. */
const WITHOUT_US = {
	'wants demo tools of its own in the server (test_…)': [
		...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
		...['tools-call-with-logging', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation'],
		...['json-schema-2020-12', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'server-sse-polling'],
	],
	'is about logging, which is not offered': ['logging-set-level'],
	'is about completion, which is not offered': ['completion-complete'],
	'is about resources, which are not offered': [
		...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
		...['resources-subscribe', 'resources-unsubscribe'],
	],
	'is about prompts, which are not offered': [
		...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
		...['prompts-get-with-image'],
	],
};
const APPLY = [
	...['server-initialize', 'ping', 'tools-list', 'tools-call-simple-text', 'tools-call-error'],
	...['server-sse-multiple-streams', 'dns-rebinding-protection'],
];

/** Reads from the summary which scenarios passed. */
function readVerdicts(stdout: string): ReadonlyMap<string, boolean> {
	const lines = (stdout.split('=== SUMMARY ===')[1] ?? '').matchAll(/^([✓✗]) ([^:]+):/gm);
	return new Map([...lines].map(([, mark, scenario = '']) => [scenario, mark === '✓']));
}

describe('prowess mcp serve, by the conformance package', function () {
	this.timeout(240_000);
	let started: CommandHere | undefined;
	afterEach(async () => {
		started?.stop();
		await started?.ended;
	});

	it('passes each scenario that applies', async () => {
		const user = new User();
		user.sets();
		writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ version: 1, folders: [user.workspace] }));
		started = user.startsHere(['mcp', 'serve', '--workspace', user.workspace, '--http', '0']);
		const { stdout: printed } = await waitFor('the token', () => started?.stdout.includes('"token"') && started, commandLimitMs);
		const { url, token } = JSON.parse(printed) as { url: string; token: string };
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
			const args = [runner, 'server', '--url', `http://127.0.0.1:${site.port}/mcp`, '--suite', 'all'];
			const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
				(error: { readonly stdout: string }) => error,
			);
			const verdicts = readVerdicts(stripVTControlCharacters(stdout));
			const expected = new Map([
				...APPLY.map((scenario) => [scenario, true] as const),
				...Object.values(WITHOUT_US).flatMap((scenarios) => scenarios.map((scenario) => [scenario, false] as const)),
			]);
			assert.deepEqual(Object.fromEntries(verdicts), Object.fromEntries(expected), stdout);
		} finally {
			await site.close();
		}
	});
});
