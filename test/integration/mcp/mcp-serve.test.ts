/** `prowess mcp serve`, driven by the official client in both generations of the protocol. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { programs } from '../../support/programs.ts';
import type { CommandHere } from '../../support/command-here.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

interface Form {
	readonly message: string;
	readonly requestedSchema: { readonly properties: Readonly<Record<string, unknown>> };
}

interface Filled {
	readonly action: 'accept' | 'decline' | 'cancel';
	readonly content?: Record<string, string>;
}

interface Said {
	readonly isError?: boolean;
	readonly structuredContent?: Readonly<Record<string, unknown>>;
	readonly content: readonly { readonly type: string; readonly text?: string }[];
}

interface AgentOptions {
	readonly words?: readonly string[];
	/** Absent: the client cannot be asked. */
	readonly fills?: (form: Form) => Filled | Promise<Filled>;
	readonly isModern?: boolean;
	/** Variables of a process of its own; absent: in the process of the spec. */
	readonly env?: Readonly<Record<string, string>>;
}

const write = { path: 'new.txt', content: 'hello\n' };
const once = (): Filled => ({ action: 'accept', content: { answer: 'once' } });

describe('prowess mcp serve', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let clients: Client[];
	let running: CommandHere[];
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
		clients = [];
		running = [];
	});
	afterEach(async () => {
		await Promise.all(clients.map((each) => each.close()));
		for (const each of running) each.stop();
		await Promise.all(running.map((each) => each.ended));
	});

	function client({ fills, isModern = false }: AgentOptions): Client {
		const made = new Client(
			{ name: 'spec', version: '1' },
			{
				capabilities: fills === undefined ? {} : { elicitation: { form: {} } },
				...(isModern && { versionNegotiation: { mode: 'auto' } }),
			},
		);
		if (fills !== undefined) {
			made.setRequestHandler('elicitation/create', async ({ params }) => ({
				...(await fills(params as unknown as Form)),
			}));
		}
		clients.push(made);
		return made;
	}
	async function agent(options: AgentOptions = {}): Promise<Client> {
		const made = client(options);
		const words = ['mcp', 'serve', '--workspace', user.workspace, ...(options.words ?? [])];
		const transport =
			options.env === undefined
				? new LinesHere(user.startsHere(words, { isProgram: true }))
				: new StdioClientTransport({
						command: process.execPath,
						args: [programs.cli, ...words],
						env: { ...user.environment, ...options.env },
						cwd: user.workspace,
						stderr: 'ignore',
					});
		await made.connect(transport as unknown as Transport);
		return made;
	}
	async function calls(made: Client, name: string, args: Record<string, unknown> = {}): Promise<Said> {
		return (await made.callTool({ name, arguments: args })) as unknown as Said;
	}
	const wordsOf = ({ content }: Said) => content.map(({ text = '' }) => text).join('');
	async function ledger(op: string): Promise<LedgerRow[]> {
		return JSON.parse((await user.runs(['ledger', 'list', '--json', '--op', op])).stdout) as LedgerRow[];
	}

	for (const isModern of [false, true]) {
		describe(isModern ? 'to a client of today' : 'to a client of 2025', () => {
			it('denies what needs an approval where the client cannot be asked, and says what to do', async () => {
				const made = await agent({ isModern });
				const said = await calls(made, 'fs_write', write);
				assert.equal(said.isError, true);
				assert.match(wordsOf(said), /prowess\.approvals\.allow.*--level.*elicitation/);
				assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
				await made.close();
				assert.deepEqual(
					(await ledger('fs.write')).map(({ kind, decision }) => [kind, decision.split(';')[0]]),
					[['denial', 'nobody answered']],
				);
			});

			it('asks by a form, does what was agreed to, and the ledger says through whom', async () => {
				const forms: Form[] = [];
				const fills = (form: Form) => {
					forms.push(form);
					return forms.length === 1 ? once() : ({ action: 'decline' } as const);
				};
				const made = await agent({ isModern, fills });
				const said = await calls(made, 'fs_write', write);
				assert.equal(said.isError, undefined, wordsOf(said));
				assert.equal(said.structuredContent?.['path'], 'new.txt');
				assert.match(forms[0]?.message ?? '', /new\.txt \(new\) \+1 -0/);
				assert.equal(readFileSync(join(user.workspace, 'new.txt'), 'utf8'), 'hello\n');
				const refused = await calls(made, 'fs_write', { ...write, path: 'other.txt' });
				assert.match(wordsOf(refused), /DENIED_BY_USER/);
				assert.equal(existsSync(join(user.workspace, 'other.txt')), false);
				await made.close();
				const decisions = (await ledger('fs.write')).map(({ decision }) => decision);
				assert.ok(
					decisions.some((each) => /^approved by the user once, through mcp; .*prompted through mcp/.test(each)),
				);
				assert.ok(decisions.some((each) => each.startsWith('denied by the user, through mcp; ')));
			});
		});
	}

	it('lists its tools, finds and runs capabilities, and what is in the folder', async () => {
		user.writes('a.txt', 'one\ntwo\n');
		user.writes('src/b.ts', 'export const needle = 1;\n// TODO: later\n');
		const titles: string[] = [];
		const made = await agent({
			fills: ({ message }) => {
				titles.push(message);
				return once();
			},
		});
		const { tools } = await made.listTools();
		assert.deepEqual(
			tools.map(({ name }) => name),
			[
				...['capability_list', 'capability_detail', 'capability_start', 'capability_status', 'capability_stop'],
				...['search_text', 'fs_read', 'fs_list', 'fs_find', 'fs_edit', 'fs_write'],
				...['shell_run', 'shell_output', 'shell_stop'],
			],
		);
		assert.match(wordsOf(await calls(made, 'fs_read', { path: 'a.txt' })), /one/);
		assert.match(wordsOf(await calls(made, 'search_text', { query: 'needle' })), /src\/b\.ts/);
		assert.match(wordsOf(await calls(made, 'capability_list', { query: 'todo' })), /todo-report/);
		const report = await calls(made, 'capability_start', { name: 'todo-report' });
		assert.equal(report.isError, undefined, wordsOf(report));
		assert.match(JSON.stringify(report.structuredContent), /TODO: later|later/);
	});

	it('works at the level that it was started with, and never at one that is wider than the user’s', async () => {
		user.sets({ 'prowess.approvals.level': 'edit' });
		const made = await agent({ words: ['--level', 'full'] });
		assert.equal((await calls(made, 'fs_write', write)).isError, undefined);
		const ran = await calls(made, 'shell_run', { argv: ['touch', 'x'] });
		assert.equal(ran.isError, true);
		user.sets({ 'prowess.approvals.level': 'full' });
		const asks = await agent({});
		assert.equal((await calls(asks, 'fs_write', { ...write, path: 'n.txt' })).isError, true);
	});

	it('has no tool for a client that the settings deny', async () => {
		user.sets({ 'prowess.access.deny': { mcp: ['tools'] } });
		const made = await agent({ fills: once });
		assert.match(wordsOf(await calls(made, 'fs_list')), /ACCESS_DENIED/);
	});

	it('tells progress, and ends what is cancelled, with its process', async () => {
		user.sets({ 'prowess.approvals.level': 'auto' });
		const made = await agent({ words: ['--level', 'auto'], fills: once });
		const told: string[] = [];
		const stop = new AbortController();
		const script = 'echo begun; echo $$ > pid; exec sleep 600';
		const call = made.callTool(
			{ name: 'shell_run', arguments: { argv: ['sh', '-c', script] } },
			{ signal: stop.signal, onprogress: ({ message = '' }) => void told.push(message) },
		);
		call.catch(() => {});
		await waitFor(
			'progress',
			() => told.some((each) => each.includes('begun')) && existsSync(join(user.workspace, 'pid')),
			commandLimitMs,
		);
		stop.abort();
		await assert.rejects(call);
		// Sentences and what the command prints, and never the name of a state.
		assert.deepEqual(told.slice(0, told.indexOf('begun')), ['Runs.']);
		await waitFor(
			'the end in the ledger',
			async () => (await ledger('shell.run')).some(({ status }) => status === 'cancelled'),
			commandLimitMs,
		);
	});

	it('reads nothing outside of the folder, whatever the path is called', async () => {
		const made = await agent({ fills: () => ({ action: 'decline' }) });
		const paths = [
			'../../etc/passwd',
			'/etc/passwd',
			'a/../../../etc/passwd',
			'file:///etc/passwd',
			'a\u0000b',
			'~/.ssh/id_rsa',
		];
		for (const path of paths) {
			const said = await calls(made, 'fs_read', { path });
			assert.equal(said.isError, true, path);
			assert.doesNotMatch(JSON.stringify(said), /root:/);
		}
		assert.match(
			wordsOf(await calls(made, 'fs_read', { path: 'a', __proto__x: 1, caller: { kind: 'user' } })),
			/INVALID_PARAMS/,
		);
		assert.match(wordsOf(await calls(made, 'mcp_call', {})), /UNKNOWN_TOOL/);
	});

	it('has a known secret in no result, in six encodings', async () => {
		const secret = 'canary/0123456789+abcdef~XYZ';
		const bytes = Buffer.from(secret);
		const forms = [
			secret,
			bytes.toString('base64'),
			bytes.toString('base64url'),
			bytes.toString('hex'),
			encodeURIComponent(secret),
			JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
		];
		user.writes('secrets.txt', forms.map((form, index) => `${index}: ${form}\n`).join(''));
		const made = await agent({ fills: once, env: { ANTHROPIC_API_KEY: secret } });
		const said = [
			await calls(made, 'fs_read', { path: 'secrets.txt' }),
			await calls(made, 'search_text', { query: '[0-9]:', regex: true }),
			await calls(made, 'shell_run', { argv: ['cat', 'secrets.txt'] }),
			await calls(made, 'shell_run', { argv: ['env'] }),
			await calls(made, 'fs_read', { path: `${secret}.txt` }),
			await calls(made, 'fs_edit', { path: 'secrets.txt', edits: [{ find: '0: ', replace: 'x: ' }] }),
		];
		const all = JSON.stringify(said);
		assert.match(all, /secrets\.txt/);
		for (const form of forms) assert.ok(!all.includes(form), form);
	});

	it('refuses calls beyond its rate, with when to try again, and a message of 9 MB, after which it reads nothing more', async () => {
		const made = await agent({});
		const said = await Promise.all(Array.from({ length: 250 }, () => calls(made, 'fs_list')));
		const refused = said.filter((each) => each.structuredContent?.['code'] === 'RATE_LIMITED');
		assert.ok(refused.length >= 10, `${refused.length} refused`);
		for (const each of refused) assert.match(wordsOf(each), /try again in \d+ s/);
		const one = new LinesHere(user.startsHere(['mcp', 'serve', '--workspace', user.workspace], { isProgram: true }));
		await one.send({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(9 << 20) });
		assert.match((await one.command.ended).stdout, /a message has at most 8388608 bytes; nothing more is read/);
	});

	describe('over HTTP', () => {
		async function served(): Promise<{ readonly url: string; readonly token: string }> {
			const started = user.startsHere(['mcp', 'serve', '--workspace', user.workspace, '--http', '0']);
			running.push(started);
			await waitFor('the token', () => started.stdout.includes('"token"'), commandLimitMs);
			return JSON.parse(started.stdout) as { url: string; token: string };
		}

		it('answers nobody without the token, or by another name, and no page of another origin', async () => {
			const { url, token } = await served();
			const { port } = new URL(url);
			assert.equal(new URL(url).hostname, '127.0.0.1');
			const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
			const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
			const ask = async (headers: Record<string, string>, path = '/mcp') => {
				const { request } = await import('node:http');
				return await new Promise<number | undefined>((resolve, reject) => {
					const asked = request({ host: '127.0.0.1', port, path, method: 'POST', headers: { ...json, ...headers } });
					asked.once('response', (response) => {
						response.resume();
						resolve(response.statusCode);
					});
					asked.once('error', reject);
					asked.end(body);
				});
			};
			const bearer = { authorization: `Bearer ${token}` };
			assert.deepEqual(
				[
					await ask({}),
					await ask({ authorization: 'Bearer wrong' }),
					await ask({ ...bearer, host: 'evil.example' }),
					await ask({ ...bearer, host: `evil.example:${port}` }),
					await ask({ ...bearer, origin: 'https://evil.example' }),
					await ask({ ...bearer, origin: 'null' }),
					await ask({ ...bearer, origin: 'http://localhost:1' }),
					await ask(bearer, '/'),
				],
				[401, 401, 403, 403, 403, 403, 403, 404],
			);
		});

		it('asks by a form, and does what was agreed to', async () => {
			const { url, token } = await served();
			const made = client({ isModern: true, fills: once });
			const headers = { authorization: `Bearer ${token}` };
			const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
			await made.connect(transport as unknown as Transport);
			const said = await calls(made, 'fs_write', write);
			assert.equal(said.isError, undefined, wordsOf(said));
			assert.equal(readFileSync(join(user.workspace, 'new.txt'), 'utf8'), 'hello\n');
		});
	});
});
