/** A chain of providers through the command line and real HTTP: who answers when one cannot, and that nothing is done twice. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, type Script, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { type CliResult, commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

const write: ScriptEntry = { toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'once\n' } }] };
const done: ScriptEntry = { text: 'Here you are.' };

describe('failover', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let servers: ModelServer[];

	beforeEach(() => {
		user = new User();
		servers = [];
	});
	afterEach(async () => {
		await Promise.all(servers.map((server) => server.close()));
	});

	/** Runs the CLI with one provider for each script, `p1`, `p2` …, each taking over from those before it. */
	async function run(
		scripts: readonly Script[],
		given: Record<string, unknown> | ((baseUrls: readonly string[]) => Record<string, unknown>) = {},
		flags: readonly string[] = [],
	): Promise<CliResult> {
		servers = await Promise.all(scripts.map((script) => startModelServer(script)));
		const more = typeof given === 'function' ? given(servers.map(({ baseUrl }) => baseUrl)) : given;
		const named = servers.map(({ baseUrl }, index) => ({ id: `p${index + 1}`, baseUrl }));
		mkdirSync(user.home, { recursive: true });
		writeFileSync(
			join(user.home, 'settings.json'),
			JSON.stringify({
				'prowess.providers': named.map(({ id, baseUrl }) => ({ id, baseUrl, kind: 'openai-compatible' })),
				'prowess.model': 'p1/scripted',
				'prowess.models.fallback': named.slice(1).map(({ id }) => ({ provider: id, model: 'scripted' })),
				...more,
			}),
		);
		return await user.runs(['run', 'Make the file', '--trust', '--approve', 'full', '--json', ...flags]);
	}

	function noticesOf(result: CliResult): string[] {
		return eventsOf(result).flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.text] : [],
		);
	}

	function textOf(result: CliResult): string {
		return eventsOf(result)
			.map((event) => (event.type === 'item.delta' ? event.text : ''))
			.join('');
	}

	async function writes(): Promise<LedgerRow[]> {
		const { stdout } = await user.runs(['ledger', 'list', '--json']);
		return (JSON.parse(stdout) as LedgerRow[]).filter(({ op }) => op === 'fs.write');
	}

	const requests = () => servers.map((server) => server.requests.length);

	it('counts the cost of each answer by the price of the model that gave it, for request, turn and thread', async () => {
		const price = (input: number) => ({ price: { input, output: 0 } });
		const counted = (input: number): Partial<ScriptEntry> => ({ usage: { input, output: 5 } });
		const result = await run(
			[
				[
					{ ...write, ...counted(1_000_000) } as ScriptEntry,
					{ error: 402 },
					{ ...done, ...counted(500_000) } as ScriptEntry,
				],
				[{ ...done, ...counted(500_000) } as ScriptEntry],
			],
			{ 'prowess.models.settings': { 'p1/scripted': price(2), 'p2/scripted': price(8) } },
		);
		assert.equal(result.code, 0, result.stderr);
		const costsIn = (each: CliResult) =>
			eventsOf(each).flatMap((event) =>
				event.type === 'usage' ? [[event.usage.requestCost, event.usage.turnCost, event.usage.cost]] : [],
			);
		assert.deepEqual(costsIn(result), [
			[2, 2, 2],
			[4, 6, 6],
		]);
		const [thread = ''] = eventsOf(result).flatMap((event) => (event.type === 'thread.changed' ? [event.info.id] : []));
		const next = await user.runs(['run', 'Go on', '--thread', thread, '--trust', '--approve', 'full', '--json']);
		assert.deepEqual(costsIn(next), [[1, 1, 7]], next.stderr);
	});

	it('counts what came from the cache by its own price', async () => {
		const usage = { input: 1_000_000, output: 500_000, cached: 400_000 };
		const result = await run([[{ ...done, usage } as ScriptEntry]], {
			'prowess.models.settings': { 'p1/scripted': { price: { input: 2, output: 8, cacheRead: 0.5 } } },
		});
		assert.equal(result.code, 0, result.stderr);
		const [usageSaid] = eventsOf(result).flatMap((event) => (event.type === 'usage' ? [event.usage] : []));
		assert.deepEqual([usageSaid?.cachedInputTokens, usageSaid?.cost], [400_000, 0.6 * 2 + 0.4 * 0.5 + 0.5 * 8]);
	});

	it('ends with the last error when no provider can answer, each asked once', async () => {
		const result = await run([[{ error: 401 }], [{ error: 402, message: 'Insufficient Balance' }], [{ error: 404 }]]);
		assert.equal(result.code, 1, result.stderr);
		assert.deepEqual(requests(), [1, 1, 1]);
		assert.equal(noticesOf(result).length, 3);
		assert.match(noticesOf(result)[0] ?? '', /^p1\/scripted: .* p2\/scripted answers now\.$/);
		assert.match(noticesOf(result)[1] ?? '', /Insufficient Balance.* p3\/scripted answers now\.$/);
	});

	it('passes over an address with a key in it, which is not shown, and asks the model after it', async () => {
		const result = await run([[{ error: 402 }], [done]], {
			'prowess.models.fallback': [
				{ provider: 'p1', model: 'x', baseUrl: 'https://me:hunter2-of-mine@host.example/v1' },
				{ provider: 'p2', model: 'scripted' },
			],
		});
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [1, 1]);
		assert.doesNotMatch(result.stdout + result.stderr, /hunter2/);
	});

	it('refuses an address with a key in it, which is not shown', async () => {
		const result = await run([[done]], {
			'prowess.providers': [
				{ id: 'p1', kind: 'openai-compatible', baseUrl: 'https://me:hunter2-of-mine@host.example/v1' },
			],
		});
		assert.equal(result.code, 1);
		assert.match(result.stdout + result.stderr, /A key belongs in the secret store, not in the address/);
		assert.doesNotMatch(result.stdout + result.stderr, /hunter2/);
	});

	it('asks an address that can never work once, and the next model at once', async () => {
		let connections = 0;
		// The server speaks plain HTTP, so TLS to it can never work.
		const plain = createServer((socket) => {
			connections += 1;
			socket.on('error', () => {}).resume();
			socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
		});
		await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
		const { port } = plain.address() as AddressInfo;
		try {
			const result = await run([[], [done]], ([, baseUrl]) => ({
				'prowess.providers': [
					{ id: 'p1', kind: 'openai-compatible', baseUrl: `https://127.0.0.1:${port}/v1`, models: ['scripted'] },
					{ id: 'p2', kind: 'openai-compatible', baseUrl, models: ['scripted'] },
				],
			}));
			assert.equal(result.code, 0, result.stderr);
			assert.deepEqual([connections, requests()], [1, [0, 1]]);
			assert.match(noticesOf(result)[0] ?? '', /p2\/scripted answers now/);
		} finally {
			await new Promise((resolve) => plain.close(resolve));
		}
	});

	it('asks a chain that names the chosen model, and one model twice, each only once', async () => {
		const names = ['p1', 'p1', 'p2', 'p2', 'p1'].map((provider) => ({ provider, model: 'scripted' }));
		const result = await run([[{ error: 402 }], [{ error: 402 }]], { 'prowess.models.fallback': names });
		assert.equal(result.code, 1);
		assert.deepEqual(requests(), [1, 1]);
	});

	it('refuses a name that is no alias and no model', async () => {
		const result = await run([[done]], { 'prowess.model': 'swift', 'prowess.models.aliases': { fast: 'p1/scripted' } });
		assert.equal(result.code, 1);
		assert.match(result.stdout + result.stderr, /model \\?"swift\\?": expected provider\/model, or an alias/);
		assert.deepEqual(requests(), [0]);
	});

	it('asks nobody else when the request itself is wrong', async () => {
		const result = await run([[{ error: 400, message: 'bad tool' }], [done]]);
		assert.equal(result.code, 1);
		assert.deepEqual(requests(), [1, 0]);
	});

	it('finishes a turn with the second provider when the first dies after a tool has run, and runs the tool once', async () => {
		const result = await run([[write, { error: 503, headers: { 'retry-after': '120' } }], [done]]);
		assert.equal(result.code, 0, result.stderr);
		assert.equal(textOf(result), 'Here you are.');
		assert.deepEqual(requests(), [2, 1]);
		assert.equal(readFileSync(join(user.workspace, 'made.txt'), 'utf8'), 'once\n');
		assert.equal(new Set((await writes()).map(({ opId }) => opId)).size, 1);
		const [asked] = servers[1]?.requests ?? [];
		assert.match(asked?.text ?? '', /"role":"tool"/);
	});

	it('goes on from a text that broke off, with the next provider, and calls what was meant', async () => {
		const broken: ScriptEntry = { text: 'First half', then: 'cut' };
		const result = await run([
			[broken, { error: 402 }],
			[write, done],
		]);
		assert.equal(result.code, 0, result.stderr);
		assert.equal(textOf(result), 'First halfHere you are.');
		assert.equal((await writes()).length > 0, true);
		assert.deepEqual(requests(), [2, 2]);
	});

	it('asks again where only thoughts had come, then the next provider', async () => {
		const thought: ScriptEntry = { reasoning: 'Hm', then: 'cut' };
		const result = await run([[thought, thought, thought, thought], [done]]);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [4, 1]);
	});

	it('stays with the provider that took over for the rest of the turn, and sends it no thoughts of the other', async () => {
		const first: ScriptEntry = { ...write, reasoning: 'Secret thought of p1' };
		const result = await run([
			[first, { error: 402 }],
			[{ toolCalls: [{ name: 'fs_read', input: { path: 'made.txt' } }] }, done],
		]);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [2, 2]);
		const models = eventsOf(result).flatMap((event) =>
			event.type === 'turn.start' || event.type === 'turn.model' ? [`${event.type} ${event.modelId}`] : [],
		);
		assert.deepEqual(models, ['turn.start p1/scripted', 'turn.model p2/scripted']);
		const traces = JSON.parse((await user.runs(['trace', 'list', '--json'])).stdout) as { modelId: string }[];
		assert.deepEqual(
			traces.map(({ modelId }) => modelId),
			['p2/scripted'],
		);
		assert.match(servers[0]?.requests[1]?.text ?? '', /Secret thought/);
		assert.doesNotMatch(servers[1]?.requests[0]?.text ?? '', /Secret thought/);
	});

	it('says of a model in the list that it cannot be used, and asks the one after it', async () => {
		const result = await run([[{ error: 402 }], [done]], {
			'prowess.models.fallback': [
				{ provider: 'p1', model: 'scripted' },
				{ provider: 'nobody', model: 'x' },
				{ provider: 'p2', model: 'scripted' },
			],
		});
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [1, 1]);
		assert.ok(
			noticesOf(result).some((text) => text === 'nobody/x: The provider does not have this model.'),
			noticesOf(result).join('\n'),
		);
	});

	it('asks the model for a simple prompt where none is chosen, and says in the trace how it was found', async () => {
		const more = {
			'prowess.models.aliases': { fast: 'p2/scripted' },
			'prowess.models.routing': { simple: 'fast', complex: 'p1/scripted' },
		};
		const result = await run([[], [done]], more);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [0, 1]);
		const turnId = eventsOf(result).flatMap((event) => (event.type === 'turn.start' ? [event.turnId] : []))[0] ?? '';
		const trace = await user.runs(['trace', 'show', turnId]);
		assert.match(trace.stdout, /^trn_.* {2}p2\/scripted {2}10 tokens in, 5 out\n/);
		assert.match(
			trace.stdout,
			/AuthResolve .* model=p2\/scripted {2}(?:principal=\w+ {2})?resolution=\[.*"routing: \d+ points are simple: fast","alias: fast is p2\/scripted"\]/,
		);
	});

	it('asks the model for a complex prompt where what is said asks for much', async () => {
		const more = {
			'prowess.models.routing': { simple: 'p1/scripted', complex: 'p2/scripted', simpleBelow: 0, complexFrom: 1 },
		};
		const result = await run([[], [done]], more);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [0, 1]);
	});

	it('asks a named model although the settings have another one for such a prompt', async () => {
		const more = { 'prowess.models.routing': { simple: 'p2/scripted' } };
		const result = await run([[done], []], more, ['--model', 'p1/scripted']);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(requests(), [1, 0]);
	});

	it('asks a model by its short name, and at an address of its own', async () => {
		servers = [];
		const other = await startModelServer([done]);
		try {
			const result = await run([[{ error: 402 }]], {
				'prowess.models.aliases': { fast: 'p1/scripted' },
				'prowess.model': 'fast',
				'prowess.models.fallback': [{ provider: 'p1', model: 'second', baseUrl: other.baseUrl }],
			});
			assert.equal(result.code, 0, result.stderr);
			assert.equal(other.requests[0]?.body['model'], 'second');
		} finally {
			await other.close();
		}
	});

	const bad: Readonly<Record<string, unknown>> = {
		'an address that is none': {
			'prowess.models.fallback': [{ provider: 'p1', model: 'x', baseUrl: 'ftp://host' }],
		},
		'a price that is no number': {
			'prowess.models.settings': { 'p1/scripted': { price: { input: 'free', output: 1 } } },
		},
		'a negative price': { 'prowess.models.settings': { 'p1/scripted': { price: { input: -1, output: 1 } } } },
		'a negative window': { 'prowess.models.settings': { 'p1/scripted': { contextWindow: -5 } } },
		'routes whose bounds cross': { 'prowess.models.routing': { simpleBelow: 900 } },
		'a route without a name': { 'prowess.models.routing': { simple: '' } },
		'an alias of nothing': { 'prowess.models.aliases': { fast: 'nothing' } },
	};
	for (const [what, settings] of Object.entries(bad)) {
		it(`names the setting that cannot be read: ${what}`, async () => {
			const result = await run([[done]], settings as Record<string, unknown>);
			assert.match(result.stderr, /prowess\.models\.(?:fallback|settings|aliases|routing)/);
		});
	}
});
