/** Doors for programs and MCP clients in processes of their own, against clients that send too much. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandLimitMs, User } from './integration/cli/cli-process.ts';
import { programs } from './support/programs.ts';
import { runDemoConformance, runServerConformance } from './support/server-conformance.ts';
import { waitFor } from './support/wait-for.ts';

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

/** Clients of 2025 have no session over HTTP, so they cannot be asked there; over standard input they are (door-mcp.txt). */
const ASKS_OVER_HTTP = [
	...['tools-call-sampling', 'tools-call-elicitation'],
	...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
];

/** Verdicts as a table in Markdown: of the product, and of a server with all that the package wants, behind the same door. */
function toVerdictTable(product: ReadonlyMap<string, boolean>, demo: ReadonlyMap<string, boolean>): string {
	const mark = (hasPassed: boolean | undefined) => (hasPassed === true ? 'passes' : 'fails');
	const rows = [...product].map(([scenario, hasPassed]) => {
		const [why = ''] = Object.entries(WITHOUT_US).find(([, scenarios]) => scenarios.includes(scenario)) ?? [];
		const asks = ASKS_OVER_HTTP.includes(scenario) ? '; asks a client of 2025 over HTTP' : '';
		return `| ${scenario} | ${mark(hasPassed)} | ${mark(demo.get(scenario))} | ${why}${asks} |`;
	});
	return ['| Scenario | prowess mcp serve | demo behind its door | Why |', '| --- | --- | --- | --- |', ...rows].join(
		'\n',
	);
}

const hello = { jsonrpc: '2.0', id: 'h', method: 'rpc/hello', params: { version: 1, client: { name: 'spec' } } };

/** Most memory that the process has held so far, in bytes; 0 once it is gone. */
function peakBytes(pid: number | undefined): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
	} catch {
		return 0;
	}
}

describe('A door', () => {
	let user: User;
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
	});

	it('of programs holds little memory for 10,000 calls of a program that reads late, and for a line of 50 MB, which it refuses', async () => {
		const child = spawn(process.execPath, [programs.cli, 'rpc', '--workspace', user.workspace], {
			cwd: user.workspace,
			env: user.environment,
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		const ended = new Promise((resolve) => child.once('close', resolve));
		child.stdin.on('error', () => {});
		try {
			child.stdin.write(`${JSON.stringify(hello)}\n`);
			let printed = '';
			child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
			await waitFor('the greeting', () => printed.includes('"version":1'), commandLimitMs);
			const before = peakBytes(child.pid);
			let lastPeak = before;
			child.stdout.pause();
			const calls = Array.from({ length: 10_000 }, (_, id) => ({
				jsonrpc: '2.0',
				id,
				method: 'desk/list',
				params: {},
			}));
			child.stdin.write(calls.map((each) => `${JSON.stringify(each)}\n`).join(''));
			child.stdout.resume();
			const last = () => printed.match(/"id":/g)?.length ?? 0;
			await waitFor('all answers', () => printed.length > 10_000 * 40 && last() >= 10_001, commandLimitMs);
			printed = '';
			child.stdin.write(`{"jsonrpc":"2.0","id":"long","method":"${'x'.repeat(50 * 1024 * 1024)}"}\n`);
			const measuring = setInterval(() => (lastPeak = Math.max(lastPeak, peakBytes(child.pid))), 20);
			await ended;
			clearInterval(measuring);
			assert.match(printed, /"code":-32600,"message":"a line has at most 33554432 bytes; nothing more is read"/);
			const grown = (lastPeak - before) / 2 ** 20;
			assert.ok(grown < 150, `${grown} MB more`);
		} finally {
			child.kill('SIGKILL');
			await ended;
		}
	});

	it('of MCP clients holds little memory for 10,000 calls, which it refuses beyond its rate, and for params of 50 MB', async () => {
		const child = spawn(process.execPath, [programs.cli, 'mcp', 'serve', '--workspace', user.workspace], {
			env: user.environment,
			cwd: user.workspace,
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		const ended = new Promise((resolve) => child.once('close', resolve));
		child.stdin.on('error', () => {});
		const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
		try {
			let printed = '';
			child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
			const clientInfo = { name: 'spec', version: '1' };
			const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
			send({ id: 'hello', method: 'initialize', params: hello });
			await waitFor('the greeting', () => printed.includes('"id":"hello"'), commandLimitMs);
			send({ method: 'notifications/initialized' });
			const before = peakBytes(child.pid);
			let most = before;
			const measuring = setInterval(() => (most = Math.max(most, peakBytes(child.pid))), 20);
			child.stdout.pause();
			for (let id = 0; id < 10_000; id += 1) {
				send({ id, method: 'tools/call', params: { name: 'fs_list', arguments: {} } });
			}
			child.stdout.resume();
			await waitFor('all answers', () => printed.match(/"jsonrpc"/g)?.length === 10_001, commandLimitMs);
			const refused = printed.match(/RATE_LIMITED/g)?.length ?? 0;
			assert.ok(refused > 9_000, `${refused} refused`);
			assert.match(printed, /at most \d+ calls (?:a minute|at a time) are carried out for MCP clients/);
			printed = '';
			send({
				id: 'long',
				method: 'tools/call',
				params: { name: 'fs_list', arguments: { path: 'x'.repeat(50 << 20) } },
			});
			await ended;
			clearInterval(measuring);
			assert.match(printed, /a message has at most 8388608 bytes/);
			assert.ok(most - before < 150 * 2 ** 20, `${(most - before) / 2 ** 20} MB more`);
		} finally {
			child.kill('SIGKILL');
			await ended;
		}
	});

	it('of MCP clients passes each scenario of the conformance package that applies, and a server of theirs behind it all but those that ask over HTTP', async () => {
		const { verdicts, printed } = await runServerConformance(['--suite', 'all']);
		const demo = await runDemoConformance(['--suite', 'all']);
		console.log(toVerdictTable(verdicts, demo.verdicts));
		const failed = [...demo.verdicts].flatMap(([scenario, hasPassed]) => (hasPassed ? [] : [scenario]));
		assert.deepEqual(failed.toSorted(), ASKS_OVER_HTTP.toSorted(), demo.printed);
		const expected = new Map([
			...APPLY.map((scenario) => [scenario, true] as const),
			...Object.values(WITHOUT_US).flatMap((scenarios) => scenarios.map((scenario) => [scenario, false] as const)),
		]);
		assert.deepEqual(Object.fromEntries(verdicts), Object.fromEntries(expected), printed);
	});
});
