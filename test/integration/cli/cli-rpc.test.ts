import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type ConnectOptions, type Prowess, type ThreadEvent } from '../../../sdk/client.js';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type RunningCli, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const edit = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };
const hello = { jsonrpc: '2.0', id: 'h', method: 'rpc/hello', params: { version: 1, client: { name: 'spec' } } };

interface Answer {
	readonly id: unknown;
	readonly result?: unknown;
	readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

/** Most memory that the process has held so far, in bytes; 0 once it is gone. */
function peakBytes(pid: number | undefined): number {
	try {
		return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
	} catch {
		return 0;
	}
}

describe('prowess rpc', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer | undefined;
	let programsHere: Prowess[];
	beforeEach(() => {
		user = new User();
		user.sets();
		writeFileSync(join(user.home, 'trust.json'), JSON.stringify({ version: 1, folders: [user.workspace] }));
		programsHere = [];
		server = undefined;
	});
	afterEach(async () => {
		await Promise.all(programsHere.map((each) => each.close()));
		await server?.close();
	});

	async function modelWords(script: Script): Promise<string[]> {
		server ??= await startModelServer(script);
		return ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
	}
	async function program(script: Script, more: ConnectOptions = {}): Promise<Prowess> {
		const { options = [] } = more;
		const prowess = await connect({
			command: process.execPath,
			args: [programs.cli],
			folder: user.workspace,
			env: user.environment,
			client: { name: 'spec' },
			...more,
			options: [...options, ...(await modelWords(script))],
		});
		programsHere.push(prowess);
		return prowess;
	}
	async function ledger(op: string): Promise<LedgerRow[]> {
		return JSON.parse((await user.runs(['ledger', 'list', '--json', '--op', op])).stdout) as LedgerRow[];
	}
	/** What a program without a client writes, and what it is answered. */
	function lines(text: string): RunningCli {
		return user.starts(['rpc', '--workspace', user.workspace], { input: text });
	}
	const answersIn = ({ stdout }: { readonly stdout: string }) =>
		stdout
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => JSON.parse(line) as Answer)
			.filter(({ id }) => id !== undefined);

	it('refuses another version, and everything before the greeting', async () => {
		const text = [
			{ jsonrpc: '2.0', id: 1, method: 'thread/list', params: {} },
			{ ...hello, id: 2, params: { version: 9, client: { name: 'spec' } } },
			{ ...hello, id: 3 },
			{ jsonrpc: '2.0', id: 4, method: 'desk/list' },
		];
		const ended = await lines(text.map((each) => `${JSON.stringify(each)}\n`).join('')).ended;
		const answers = answersIn(ended);
		assert.deepEqual(
			answers.map(({ id, error }) => [id, error?.data?.code ?? null]),
			[
				[1, 'INVALID_STATE'],
				[2, 'VERSION_MISMATCH'],
				[3, null],
				[4, null],
			],
		);
		assert.match(answers[1]?.error?.message ?? '', /version 9 .* this Prowess speaks 1/);
		assert.equal(ended.code, 0, ended.stderr);
	});

	it('answers what is no message with an error, and goes on', async () => {
		const text = [
			'{"jsonrpc":"2.0","id":1,',
			'[{"jsonrpc":"2.0","id":1,"method":"desk/list"}]',
			'{"id":1,"method":"desk/list"}',
			'{"jsonrpc":"2.0","id":{},"method":"desk/list"}',
			JSON.stringify(hello),
			'{"jsonrpc":"2.0","id":5,"method":"shell/run"}',
			'{"jsonrpc":"2.0","id":6,"method":"thread/open","params":{"threadId":"../../etc/passwd"}}',
			'{"jsonrpc":"2.0","method":"thread/prompt","params":{}}',
			'\u0000\ufffd{',
			'{"jsonrpc":"2.0","id":8,"method":"desk/list"}',
		];
		const answers = answersIn(await lines(`${text.join('\n')}\n`).ended);
		const codeOf = (id: unknown) => answers.filter((each) => each.id === id).map(({ error }) => error?.code ?? null);
		assert.deepEqual(codeOf(null), [-32_700, -32_600, -32_600, -32_600, -32_700]);
		assert.deepEqual(['h', 5, 6, 8].map(codeOf), [[null], [-32_601], [-32_602], [null]]);
		assert.match(answers.find(({ id }) => id === 6)?.error?.message ?? '', /^thread\/open: threadId: /);
	});

	it('holds little memory for 10,000 calls of a program that reads late, and for a line of 50 MB, which it refuses', async () => {
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
			const last = () => answersIn({ stdout: printed.slice(0, printed.lastIndexOf('\n')) }).length;
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

	it('does what its prompt says once the program has said yes, and the ledger says through whom', async () => {
		user.writes('a.txt', 'one\n');
		const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync(join(root, 'docs/rpc.md'), 'utf8')) ?? [];
		const folder = join(user.root, 'program');
		mkdirSync(join(folder, 'node_modules/@prowess'), { recursive: true });
		mkdirSync(join(user.root, 'bin'));
		symlinkSync(join(root, 'sdk'), join(folder, 'node_modules/@prowess/sdk'));
		const program = `#!/bin/sh\nexec node '${programs.cli}' "$@"\n`;
		writeFileSync(join(user.root, 'bin/prowess'), program, { mode: 0o755 });
		writeFileSync(join(folder, 'example.mjs'), example);
		const words = await modelWords([{ toolCalls: [edit] }, { text: 'Changed.' }]);
		user.sets({
			'prowess.providers': [{ id: 'scripted', kind: 'openai-compatible', baseUrl: words[3] ?? '' }],
			'prowess.model': 'scripted/scripted',
		});
		const env = { ...user.environment, PATH: `${join(user.root, 'bin')}:${user.environment['PATH']}` };
		const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs', user.workspace], {
			cwd: folder,
			env,
		});
		assert.match(stdout, /Changed\.\ndone\na\.txt \+1 -1\n/);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'two\n');
		const [row] = await ledger('fs.edit');
		assert.match(row?.decision ?? '', /^approved by the user once, through rpc; .*; prompted through rpc/);
	});

	it('denies what is open when the program goes, stops its turn, and the ledger has the denial', async () => {
		const prowess = await program([{ toolCalls: [write] }, { text: 'I may not.' }]);
		const { id: threadId } = await prowess.begin();
		const asked = new Promise((resolve) =>
			prowess.onApproval((approval) => {
				resolve(approval);
				return undefined;
			}),
		);
		const turn = (async () => {
			for await (const event of prowess.prompt({ threadId, text: 'write it' })) void event;
		})().catch(() => {});
		await asked;
		await prowess.close();
		await turn;
		await assert.rejects(prowess.begin(), { code: 'CONNECTION_CLOSED' });
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.deepEqual(
			(await ledger('fs.write')).map(({ kind, decision }) => [kind, /^nobody answered/.test(decision)]),
			[['denial', true]],
		);
	});

	it('stops a turn when its signal aborts, with one end', async () => {
		const prowess = await program([{ text: 'A word, and', then: 'stall' }]);
		const { id: threadId } = await prowess.begin();
		const stop = new AbortController();
		const events: ThreadEvent['type'][] = [];
		let outcome: string | undefined;
		for await (const event of prowess.prompt({ threadId, text: 'talk' }, { signal: stop.signal })) {
			if (event.type === 'missed') continue;
			events.push(event.type);
			if (event.type === 'item.delta') stop.abort();
			if (event.type === 'turn.end') outcome = event.outcome;
		}
		assert.equal(outcome, 'stopped');
		assert.equal(events.filter((type) => type === 'turn.end').length, 1);
	});

	it('may choose no level that is wider than its own, and prompts at none', async () => {
		const prowess = await program([{ toolCalls: [write] }, { text: 'No.' }], { options: ['--level', 'manual'] });
		assert.equal(prowess.host.widest, 'manual');
		const { id: threadId } = await prowess.begin();
		await assert.rejects(prowess.call('level/choose', { threadId, level: 'full' }), { code: 'DENIED_BY_RULE' });
		prowess.onApproval(() => ({ kind: 'deny' }));
		for await (const event of prowess.prompt({ threadId, text: 'write it' })) void event;
		assert.equal((await prowess.call('level/of', { threadId })).level, 'manual');
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
	});

	it('has the rights that the settings leave to programs', async () => {
		user.sets({ 'prowess.access.deny': { rpc: ['prompt', 'answer'] } });
		const prowess = await program([]);
		assert.deepEqual(prowess.host.rights, ['look']);
		await assert.rejects(prowess.begin(), { code: 'ACCESS_DENIED' });
		assert.deepEqual((await prowess.call('thread/list')).threads, []);
	});
});
