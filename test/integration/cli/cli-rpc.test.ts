import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { connect, type ConnectOptions, type Prowess } from '../../../sdk/client.js';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { installPackedSdk } from '../../support/packed-sdk.ts';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type CliResult, commandLimitMs, User } from './cli-process.ts';

const root = join(import.meta.dirname, '../../..');
const edit = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };
const hello = { jsonrpc: '2.0', id: 'h', method: 'rpc/hello', params: { version: 1, client: { name: 'spec' } } };

interface Answer {
	readonly id: unknown;
	readonly result?: unknown;
	readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } };
}

describe('prowess rpc', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer | undefined;
	let programsHere: Prowess[];
	beforeEach(() => {
		user = new User();
		user.sets();
		user.trusts();
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
	/** Runs a program without a client, which writes that; resolves with what it is answered. */
	async function lines(text: string): Promise<CliResult> {
		return await user.runs(['rpc', '--workspace', user.workspace], { input: text });
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
		const ended = await lines(text.map((each) => `${JSON.stringify(each)}\n`).join(''));
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
		const answers = answersIn(await lines(`${text.join('\n')}\n`));
		const codeOf = (id: unknown) => answers.filter((each) => each.id === id).map(({ error }) => error?.code ?? null);
		assert.deepEqual(codeOf(null), [-32_700, -32_600, -32_600, -32_600, -32_700]);
		assert.deepEqual(['h', 5, 6, 8].map(codeOf), [[null], [-32_601], [-32_602], [null]]);
		assert.match(answers.find(({ id }) => id === 6)?.error?.message ?? '', /^thread\/open: threadId: /);
	});

	it('answers each of many calls, and refuses a line of 33 MB, after which it reads nothing more', async () => {
		const reader = new LinesHere(user.startsHere(['rpc', '--workspace', user.workspace], { isProgram: true }));
		await reader.start();
		await reader.send(hello);
		for (let id = 0; id < 500; id += 1) await reader.send({ jsonrpc: '2.0', id, method: 'desk/list', params: {} });
		const answered = () => answersIn(reader.command).filter(({ result }) => result !== undefined).length;
		await waitFor('all answers', () => answered() === 501, commandLimitMs);
		await reader.close();
		const long = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(33 << 20)}"}\n`;
		const [refused, ...more] = answersIn(await lines(`${long}${JSON.stringify(hello)}\n`));
		assert.equal(refused?.error?.message, 'a line has at most 33554432 bytes; nothing more is read');
		assert.deepEqual(more, []);
	});

	it('gives each request that it was sent one answer, also when its input ends with 500 of them', async () => {
		const ids = Array.from({ length: 500 }, (_, id) => id);
		const text = [hello, ...ids.map((id) => ({ jsonrpc: '2.0', id, method: 'thread/list', params: {} }))];
		const answers = answersIn(await lines(text.map((each) => `${JSON.stringify(each)}\n`).join('')));
		assert.deepEqual(answers.map(({ id }) => String(id)).toSorted(), ['h', ...ids.map(String)].toSorted());
		const ends = new Set(answers.map(({ error }) => error?.message ?? 'done'));
		assert.deepEqual([...ends].toSorted(), ['done', 'the connection is closed']);
	});

	it('does what the prompt of the documented program says, by the packed client, and the ledger says through whom', async () => {
		user.writes('a.txt', 'one\n');
		const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync(join(root, 'docs/rpc.md'), 'utf8')) ?? [];
		const folder = await installPackedSdk();
		mkdirSync(join(user.root, 'bin'));
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

	it('denies what a program was asked that is killed meanwhile, ends, and the ledger has the denial', async () => {
		const pidFile = join(user.root, 'pid');
		const client = pathToFileURL(join(root, 'sdk/client.js')).href;
		const words = await modelWords([{ toolCalls: [write] }, { text: 'I may not.' }]);
		const connection = {
			command: '/bin/sh',
			args: ['-c', `echo $$ > '${pidFile}'; exec '${process.execPath}' '${programs.cli}' "$@"`, 'sh'],
			folder: user.workspace,
			options: words,
		};
		const source = `
			import { connect } from ${JSON.stringify(client)};
			const prowess = await connect(${JSON.stringify(connection)});
			prowess.onApproval(() => { console.log('asked'); return new Promise(() => {}); });
			const { id: threadId } = await prowess.begin();
			for await (const event of prowess.prompt({ threadId, text: 'write it' })) void event;
		`;
		const program = spawn(process.execPath, ['--input-type=module', '--eval', source], {
			env: user.environment,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = once(program, 'close');
		try {
			await once(program.stdout, 'data');
		} finally {
			program.kill('SIGKILL');
			await ended;
		}
		const pid = Number(readFileSync(pidFile, 'utf8'));
		await waitFor('the end of prowess', () => !existsSync(`/proc/${pid}`), commandLimitMs);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.deepEqual(
			(await ledger('fs.write')).map(({ kind, decision }) => [kind, decision.startsWith('nobody answered')]),
			[['denial', true]],
		);
	});

	it('lets its client stop a turn with one end, choose no level wider than its own, and deny what is open as it closes', async () => {
		const script: Script = (n) => (n === 0 ? { text: 'A word, and', then: 'stall' } : { toolCalls: [write] });
		const prowess = await program(script, { options: ['--level', 'manual'] });
		assert.equal(prowess.host.widest, 'manual');
		const { id: threadId } = await prowess.begin();
		await assert.rejects(prowess.call('level/choose', { threadId, level: 'full' }), { code: 'DENIED_BY_RULE' });
		const stop = new AbortController();
		const outcomes: string[] = [];
		for await (const event of prowess.prompt({ threadId, text: 'talk' }, { signal: stop.signal })) {
			if (event.type === 'item.delta') stop.abort();
			if (event.type === 'turn.end') outcomes.push(event.outcome);
		}
		assert.deepEqual(outcomes, ['stopped']);
		assert.equal((await prowess.call('level/of', { threadId })).level, 'manual');
		const asked = new Promise((resolve) => {
			prowess.onApproval((approval) => {
				resolve(approval);
				return undefined;
			});
		});
		const turn = (async () => {
			for await (const event of prowess.prompt({ threadId, text: 'write it' })) void event;
		})().catch(() => {});
		await asked;
		await prowess.close();
		await turn;
		await assert.rejects(prowess.begin(), { code: 'CONNECTION_CLOSED' });
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
	});

	it('has the rights that the settings leave to programs', async () => {
		user.sets({ 'prowess.access.deny': { rpc: ['prompt', 'answer'] } });
		const text = [hello, { jsonrpc: '2.0', id: 1, method: 'thread/create', params: {} }];
		const [greeted, refused] = answersIn(await lines(text.map((each) => `${JSON.stringify(each)}\n`).join('')));
		assert.deepEqual((greeted?.result as { readonly rights?: unknown } | undefined)?.rights, ['look']);
		assert.equal(refused?.error?.data?.code, 'ACCESS_DENIED');
	});
});
