import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import type { ThreadItem, ToolItem } from '../../../src/protocol/thread/items.ts';
import type { ThreadEvent } from '../../../src/protocol/thread/thread.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { type CliResult, commandLimitMs, eventsOf, User } from './cli-process.ts';

type ToolPatch = Extract<ThreadEvent, { type: 'item.tool' }>['patch'];

/** The last state of each tool call, in order. */
function toolsOf(result: CliResult): (ToolItem & ToolPatch)[] {
	const tools = new Map<string, ToolItem & ToolPatch>();
	for (const event of eventsOf(result)) {
		if (event.type === 'item.start' && event.item.kind === 'tool') {
			tools.set(event.item.id, event.item);
		} else if (event.type === 'item.tool') {
			const item = tools.get(event.itemId);
			assert.ok(item);
			tools.set(event.itemId, { ...item, ...event.patch } as ToolItem & ToolPatch);
		}
	}
	return [...tools.values()];
}

function endOf(result: CliResult): Extract<ThreadEvent, { type: 'turn.end' }> {
	const end = eventsOf(result).at(-1);
	assert.ok(end?.type === 'turn.end', result.stdout + result.stderr);
	return end;
}

/** Returns all tool results in the model's n-th request (from 1). Default: the last request. */
function resultsSeen(server: ModelServer, request = server.requests.length): string[] {
	const messages = server.requests[request - 1]?.body['messages'] as { role: string; content: unknown }[];
	return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

describe('prowess run', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server.close();
	});

	async function run(
		script: Script,
		prompt: string,
		words: string[] = ['--approve', 'auto', '--json'],
	): Promise<CliResult> {
		server = await startModelServer(script);
		return await user.prompts(server.baseUrl, prompt, words).ended;
	}
	async function ledger(...words: string[]): Promise<LedgerRow[]> {
		const { code, stdout, stderr } = await user.runs(['ledger', 'list', '--json', ...words]);
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout) as LedgerRow[];
	}
	async function ledgerIsIntact(): Promise<void> {
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.match(stdout, /^intact: /);
		assert.equal(code, 0);
	}

	it('reads and writes texts in the encoding that the user names, and undoes it', async () => {
		const bytes = Buffer.from('d6d0cec40a', 'hex');
		writeFileSync(join(user.workspace, 'a.txt'), bytes);
		const call = {
			name: 'fs_edit',
			input: { path: 'a.txt', edits: [{ find: '\u4e2d\u6587', replace: '\u6587\u4ef6' }] },
		};
		const unknown = await user.prompts('http://127.0.0.1:9', 'edit', ['--encoding', 'klingon']).ended;
		assert.equal(unknown.code, 2);
		assert.match(unknown.stderr, /unknown encoding "klingon"/);
		const gbk = ['--encoding', 'GBK'];
		const { code, stderr } = await run([{ toolCalls: [call] }, { text: 'Done.' }], 'edit', [
			'--approve',
			'edit',
			...gbk,
		]);
		assert.equal(code, 0, stderr);
		const at = () => readFileSync(join(user.workspace, 'a.txt')).toString('hex');
		assert.equal(at(), 'cec4bcfe0a');
		const [thread = ''] = (await user.runs(['thread', 'list'])).stdout.split(' ');
		// Needs no encoding: its bytes were kept.
		const undone = await user.runs(['change', 'undo', thread]);
		assert.equal(undone.code, 0, undone.stderr);
		assert.equal(at(), 'd6d0cec40a');
	});

	it('does not change a file when nobody may say yes, records the denial, and lets the model read why', async () => {
		user.writes('a.txt', 'one\n');
		const call = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
		const result = await run([{ toolCalls: [call] }, { text: 'I may not.' }], 'edit', ['--json']);
		assert.equal(result.code, 0, result.stderr);
		assert.equal(toolsOf(result)[0]?.status, 'denied');
		assert.match(resultsSeen(server)[0] ?? '', /approv|denied|allow/i);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'one\n');
		assert.deepEqual(
			(await ledger('--op', 'fs.edit')).map(({ kind }) => kind),
			['denial'],
		);
		await ledgerIsIntact();
	});

	it('says once on standard error what it could not ask about, with the flag that would let it pass', async () => {
		user.writes('a.txt', 'one\n');
		const call = (path: string) => ({ name: 'fs_write', input: { path, content: 'two\n' } });
		const question = { name: 'user_ask', input: { question: 'Which one?', options: ['a', 'b'] } };
		const script = [
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }, call('a.txt')] },
			{ toolCalls: [call('a.txt'), call('.vscode/tasks.json'), question] },
			{ text: 'I may not.' },
		];
		const { code, stdout, stderr } = await run(script, 'write', []);
		assert.equal(code, 0, stderr);
		assert.equal(stdout, 'I may not.\n');
		const lines = stderr.trimEnd().split('\n');
		assert.equal(lines.length, 3, stderr);
		assert.match(
			lines[0] ?? '',
			/^prowess: .*a\.txt: .*cannot ask\..* Run it in a terminal, or pass --approve edit\.$/,
		);
		assert.match(lines[1] ?? '', /^prowess: .*tasks\.json: .*cannot ask\..* Run it in a terminal\.$/);
		assert.match(lines[2] ?? '', /^prowess: .*Which one\?.*: .*nobody.* Run it in a terminal\.$/i);
	});

	it('gives way to a revised answer, in its JSON, in its words and in the thread', async () => {
		const script = [{ text: 'I have updated a.txt.' }, { text: 'It was not done.' }];
		const result = await run(script, 'Update a.txt', ['--json']);
		const events = eventsOf(result);
		const shown = events.reduce<readonly ThreadItem[]>((items, event) => {
			if (event.type === 'item.revised') return items.filter(({ id }) => id !== event.itemId);
			return event.type === 'item.start' && event.item.kind === 'text' ? [...items, event.item] : items;
		}, []);
		assert.equal(shown.length, 1, result.stdout);
		await server.close();
		const { stdout, stderr } = await run(script, 'Update a.txt', []);
		assert.match(stdout, /It was not done\.\n$/);
		assert.equal(stderr, 'prowess: No result shows this, so the agent revised the answer. The revised one follows.\n');
		const threadId = /thr_[\w-]+/.exec(result.stdout)?.[0] ?? '';
		const { stdout: thread } = await user.runs(['thread', 'show', threadId]);
		assert.match(thread, /It was not done/);
		assert.doesNotMatch(thread, /I have updated/);
	});

	it('says nothing beside its JSON about what it could not ask about: the events have it', async () => {
		const call = { name: 'fs_write', input: { path: 'a.txt', content: 'two\n' } };
		const result = await run([{ toolCalls: [call] }, { text: 'I may not.' }], 'write', ['--json']);
		assert.equal(result.stderr, '');
		assert.deepEqual(toolsOf(result)[0]?.error?.facts?.['unattended'], { automatic: 'edit' });
	});

	for (const [what, path, code] of [
		['outside the workspace', '../secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
		['by an absolute path', '/etc/passwd', 'PATH_OUTSIDE_WORKSPACE'],
		['through a link that leads out', 'link/secret.txt', 'PATH_OUTSIDE_WORKSPACE'],
		['that is not there', 'nothing.txt', 'NOT_FOUND'],
	] as const) {
		it(`reads no file ${what}, even with --approve auto`, async () => {
			writeFileSync(join(user.root, 'secret.txt'), 'the secret of the house');
			symlinkSync(user.root, join(user.workspace, 'link'));
			const result = await run([{ toolCalls: [{ name: 'fs_read', input: { path } }] }, { text: 'No.' }], 'read');
			const [tool] = toolsOf(result);
			assert.equal(tool?.error?.code, code, JSON.stringify(tool));
			assert.doesNotMatch(server.requests.map(({ text }) => text).join(), /secret of the house|root:x:/);
		});
	}

	it('prints a file that is asked for by its path, without asking the model', async () => {
		user.writes('a.txt', 'one\ntwo\n');
		const result = await run([], 'show a.txt', []);
		assert.equal(result.code, 0, result.stderr);
		assert.match(result.stdout, /^```txt\none\ntwo\n```$/m);
		assert.equal(server.requests.length, 0);
	});

	it('writes no file through a link that leads out', async () => {
		mkdirSync(join(user.root, 'elsewhere'));
		symlinkSync(join(user.root, 'elsewhere'), join(user.workspace, 'out'));
		const call = { name: 'fs_write', input: { path: 'out/new.txt', content: 'x' } };
		const result = await run([{ toolCalls: [call] }, { text: 'No.' }], 'write');
		assert.notEqual(toolsOf(result)[0]?.status, 'done');
		assert.throws(() => readFileSync(join(user.root, 'elsewhere/new.txt')), { code: 'ENOENT' });
	});

	it('goes on after a call of a tool that does not exist and one whose input is no JSON', async () => {
		const result = await run(
			[
				{ toolCalls: [{ name: 'launch_rockets', input: {} }] },
				{ toolCalls: [{ name: 'fs_read', input: '{"path": ' }] },
				{ text: 'I give up.' },
			],
			'try',
		);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(
			toolsOf(result).map(({ status }) => status),
			['failed', 'failed'],
		);
		assert.match(resultsSeen(server).join('\n'), /launch_rockets/);
		assert.equal(endOf(result).outcome, 'done');
	});

	it('keeps a tool result of 5 MB from filling the window of the model', async () => {
		user.writes('big.txt', `${'x'.repeat(99)}\n`.repeat(50_000));
		const calls = [
			{ name: 'fs_read', input: { path: 'big.txt', limit: 5000 } },
			{ name: 'shell_run', input: { argv: ['cat', 'big.txt'] } },
		];
		const result = await run([{ toolCalls: calls }, { text: 'Large.' }], 'read it');
		assert.equal(result.code, 0, result.stderr);
		assert.ok((server.requests[1]?.text.length ?? 0) < 1_000_000, `${server.requests[1]?.text.length} bytes`);
		assert.equal(endOf(result).outcome, 'done');
	});

	it('fails when the endpoint cannot be reached, and says where it looked', async () => {
		server = await startModelServer([]);
		const { baseUrl } = server;
		await server.close();
		const result = await user.prompts(baseUrl, 'x', []).ended;
		assert.equal(result.code, 1);
		assert.match(result.stderr, /PROVIDER_UNREACHABLE/);
		assert.equal(result.stderr.match(/^prowess: .*\(PROVIDER_UNREACHABLE\)$/gm)?.length, 1, 'it is said once');
		assert.equal(result.stderr.match(/^prowess: .* Trying again in \d s\.$/gm)?.length, 3);
	});

	it('names the models that there are where the provider does not have the one', async () => {
		const refuses: Script = () => ({ error: 404, message: 'no such model' });
		server = await startModelServer(refuses, { models: ['scripted-1', 'other'] });
		const near = await user.prompts(server.baseUrl, 'x').ended;
		assert.equal(near.code, 1);
		assert.match(near.stderr, /no such model; did you mean "scripted-1"\?.* \(MODEL_NOT_FOUND\)/);
	});

	it('says on standard error, also where that is no terminal, who answers and how', async () => {
		const refusal = { error: 400, message: 'm does not support tools' };
		const fails: Script = [refusal, { text: 'Here.' }, { error: 401, message: 'bad key' }];
		const result = await run(fails, 'x', []);
		assert.equal(result.stdout, 'Here.\n');
		assert.match(result.stderr, /^prowess: This model does not accept tools the usual way/m);
		const other = await startModelServer([{ text: 'There.' }]);
		try {
			mkdirSync(user.home, { recursive: true });
			const provider = (id: string, baseUrl: string) => ({ id, kind: 'openai-compatible', baseUrl, models: ['m'] });
			const settings = {
				'prowess.providers': [provider('a', server.baseUrl), provider('b', other.baseUrl)],
				'prowess.models.fallback': [{ provider: 'b', model: 'm' }],
			};
			writeFileSync(join(user.home, 'settings.json'), JSON.stringify(settings));
			const failover = await user.runs(['run', 'x', '--trust', '--model', 'a/m']);
			assert.deepEqual([failover.code, failover.stdout], [0, 'There.\n']);
			assert.match(failover.stderr, /^prowess: a\/m: .* b\/m answers now\.$/m);
		} finally {
			await other.close();
		}
	});

	it('fails without a key for a vendor that wants one, and names the variable', async () => {
		server = await startModelServer([]);
		const result = await user.runs(['run', 'x', '--trust', '--provider', 'anthropic', '--model', 'some-model']);
		assert.equal(result.code, 1);
		assert.match(result.stderr, /KEY_MISSING.*\n.*ANTHROPIC_API_KEY/);
		assert.equal(server.requests.length, 0);
	});

	it('fails when the provider refuses, and ends its JSON with that', async () => {
		const result = await run([{ error: 401, message: 'bad key' }], 'x');
		assert.equal(result.code, 1);
		assert.equal(endOf(result).outcome, 'failed');
		assert.equal(endOf(result).error?.code, 'PROVIDER_AUTH');
	});

	it('prints the answer and nothing else', async () => {
		const result = await run([{ chunks: ['Hello', ', ', 'world \u{1F30D}.'] }], 'greet', []);
		assert.deepEqual([result.code, result.stdout, result.stderr], [0, 'Hello, world \u{1F30D}.\n', '']);
	});

	it('says what time it is without a model, and that none answered', async () => {
		server = await startModelServer([]);
		const { code, stdout, stderr } = await user.runs(['run', 'What time is it?', '--trust']);
		assert.deepEqual([code, stderr], [0, 'prowess: Answered without a model.\n']);
		assert.match(stdout, /^It is \d\d:\d\d .* on .*\d{4} \(.+\)\.\n$/);
	});

	it('reads a long prompt from standard input', async () => {
		server = await startModelServer([{ text: 'Read.' }]);
		const prompt = `Summarise: ${'word '.repeat(20_000)}`;
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const result = await user.runs(['run', '-', '--trust', ...model], { input: prompt });
		assert.equal(result.code, 0, result.stderr);
		assert.ok(server.requests[0]?.text.includes('word word word'));
	});

	it('edits a file with --approve auto; the ledger has the intent before the outcome, and is intact', async () => {
		user.writes('a.txt', 'one\r\n');
		const call = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
		const result = await run([{ toolCalls: [call] }, { text: 'Done.' }], 'edit');
		assert.equal(result.code, 0, result.stderr);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'two\r\n');
		const rows = (await ledger('--op', 'fs.edit')).reverse();
		assert.deepEqual(
			rows.map(({ kind, status }) => [kind, status]),
			[
				['intent', null],
				['outcome', 'done'],
			],
		);
		assert.equal(rows[0]?.trigger, `agent:${rows[0]?.threadId ?? ''}`);
		const { stdout } = await user.runs(['ledger', 'show', rows[0]?.opId ?? '']);
		assert.match(stdout, /kind +intent\n[^]*kind +outcome\n/);
		await ledgerIsIntact();
	});

	it('reads, edits and runs in the order the model asks, each result in the next request', async () => {
		user.writes('sum.mjs', 'console.log(1 + 1 === 3 ? "right" : "wrong");\n');
		const result = await run(
			[
				{ text: 'I look.', toolCalls: [{ name: 'fs_read', input: { path: 'sum.mjs' } }] },
				{ toolCalls: [{ name: 'fs_edit', input: { path: 'sum.mjs', edits: [{ find: '=== 3', replace: '=== 2' }] } }] },
				{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', 'sum.mjs'] } }] },
				{ text: 'It is right.' },
			],
			'mend',
			['--approve', 'full', '--json'],
		);
		assert.equal(result.code, 0, result.stderr);
		assert.deepEqual(
			toolsOf(result).map(({ tool, status, exitCode }) => [tool, status, exitCode]),
			[
				['fs_read', 'done', undefined],
				['fs_edit', 'done', undefined],
				['shell_run', 'done', 0],
			],
		);
		assert.match(resultsSeen(server).at(-1) ?? '', /^right/);
		assert.equal(eventsOf(result)[0]?.type, 'thread.changed');
		assert.equal(endOf(result).outcome, 'done');
	});

	it('goes on with a thread, which can be listed, shown, renamed, exported and deleted', async () => {
		await run([{ text: 'The first answer.' }, { text: 'The second answer.' }], 'first question', []);
		const [thread] = JSON.parse((await user.runs(['thread', 'list', '--json'])).stdout) as { id: string }[];
		const id = thread?.id ?? '';
		const second = await user.prompts(server.baseUrl, 'second question', ['--thread', id]).ended;
		assert.equal(second.stdout, 'The second answer.\n');
		assert.match(server.requests[1]?.text ?? '', /first question[^]*The first answer\.[^]*second question/);
		assert.equal((await user.runs(['thread', 'rename', id, 'Two questions'])).code, 0);
		assert.equal((await user.runs(['thread', 'pin', id])).code, 0);
		assert.match(
			(await user.runs(['thread', 'list'])).stdout,
			new RegExp(`^${id}  \\S+ \\S+ +\\(pinned\\) Two questions\n$`),
		);
		for (const words of [
			['show', id],
			['show', id, '--json'],
			['export', id],
			['export', id, '--format', 'json'],
		]) {
			assert.match((await user.runs(['thread', ...words])).stdout, /first question[^]*The second answer\./);
		}
		assert.equal((await user.runs(['thread', 'delete', id])).code, 0);
		const gone = await user.runs(['thread', 'show', id]);
		assert.equal(gone.code, 1);
		assert.match(gone.stderr, /THREAD_NOT_FOUND/);
	});

	it('names the permission level that counts, which is no wider than the policy permits', async () => {
		const answers = Array.from({ length: 4 }, () => ({ text: 'Yes.' }));
		const first = await run(answers, 'one', ['--json', '--approve', 'edit']);
		const levelOf = (result: CliResult) => {
			const [begun] = eventsOf(result);
			return begun?.type === 'thread.changed' ? begun.info.level : undefined;
		};
		assert.equal(levelOf(first), 'edit');
		assert.equal(levelOf(await user.prompts(server.baseUrl, 'two', ['--json', '--approve', 'never']).ended), 'ask');
		user.writes('.prowess/policy.yaml', 'widestLevel: ask\n');
		assert.equal(levelOf(await user.prompts(server.baseUrl, 'three', ['--json', '--approve', 'full']).ended), 'ask');
	});

	it('tells the model what is in effect, and lists the level of a thread only where the user gave it one', async () => {
		server = await startModelServer(() => ({ text: 'Yes.' }));
		for (const [level, told] of [
			['never', /permissions: Allowed: reading, commands that only read\. Nobody can be asked here: /],
			['full', /permissions: Allowed: reading, file changes, commands, outside the sandbox too\. Nobody/],
		] as const) {
			await user.prompts(server.baseUrl, level, ['--approve', level]).ended;
			assert.match(server.requests.at(-1)?.text ?? '', told);
		}
		const lists = async (...words: string[]) => (await user.runs(['thread', 'list', ...words])).stdout;
		const threads = JSON.parse(await lists('--json')) as { id: string; level?: string }[];
		assert.deepEqual(
			threads.map(({ level }) => level),
			[undefined, undefined],
		);
		const [{ id } = { id: '' }] = threads;
		writeFileSync(join(user.home, 'thread-levels.json'), JSON.stringify({ threads: [{ id, level: 'auto' }] }));
		const levels = (await lists()).split('\n').map((line) => line.split(/ {2,}/).slice(2).join(': '));
		assert.deepEqual(levels, ['Auto: full', 'never', '']);
		await user.prompts(server.baseUrl, 'on', ['--thread', id, '--approve', 'never']).ended;
		assert.match(
			server.requests.at(-1)?.text ?? '',
			/<environment changed>\\npermissions: Allowed: reading, commands that/,
		);
	});

	it('drops the texts before its changes with a thread', async () => {
		user.writes('a.txt', 'before\n');
		const write = { name: 'fs_write', input: { path: 'a.txt', content: 'after\n' } };
		const read = { name: 'fs_read', input: { path: 'a.txt' } };
		const script = [{ toolCalls: [read, write] }, { text: 'Done.' }];
		const result = await run(script, 'write', ['--approve', 'auto', '--json']);
		const started = eventsOf(result).find((event) => event.type === 'thread.changed');
		const kept = () => {
			const db = new DatabaseSync(join(user.home, 'checkpoints.db'), { readOnly: true });
			try {
				return ['changes', 'texts', 'written'].map(
					(table) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'],
				);
			} finally {
				db.close();
			}
		};
		assert.deepEqual(kept(), [1, 2, 1]);
		assert.equal((await user.runs(['thread', 'delete', started?.info.id ?? ''])).code, 0);
		assert.deepEqual(kept(), [0, 0, 0]);
	});

	it('lets two processes not work on one thread at once', async () => {
		server = await startModelServer([{ text: 'First.' }, { chunks: ['Wait'], then: 'stall' }, { text: 'never sent' }]);
		await user.prompts(server.baseUrl, 'one').ended;
		const [thread] = JSON.parse((await user.runs(['thread', 'list', '--json'])).stdout) as { id: string }[];
		const busy = user.promptsApart(server.baseUrl, 'two', ['--thread', thread?.id ?? '']);
		await busy.hasPrinted('Wait');
		const refused = await user.prompts(server.baseUrl, 'three', ['--thread', thread?.id ?? '']).ended;
		busy.child.kill('SIGINT');
		await busy.ended;
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, /THREAD_BUSY/);
		assert.equal(server.requests.length, 2);
	});

	it('remembers that a folder is trusted', async () => {
		await run([{ text: 'One.' }, { text: 'Two.' }], 'x', []);
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'scripted'];
		const again = await user.runs(['run', 'y', ...model]);
		assert.deepEqual([again.code, again.stdout], [0, 'Two.\n']);
		const elsewhere = await user.runs(['run', 'y', ...model], { cwd: dirname(user.workspace) });
		assert.match(elsewhere.stderr, /WORKSPACE_UNTRUSTED/);
	});

	it('notices a row of the ledger that was changed', async () => {
		await run([{ toolCalls: [{ name: 'fs_list', input: {} }] }, { text: 'Empty.' }], 'look');
		const { DatabaseSync } = await import('node:sqlite');
		const database = new DatabaseSync(join(user.home, 'ledger.db'));
		database.exec('PRAGMA writable_schema = ON');
		const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
		for (const { name } of triggers) {
			database.exec(`DROP TRIGGER ${String(name)}`);
		}
		database.exec("UPDATE ledger SET decision = 'nothing to see' WHERE op = 'fs.list'");
		database.close();
		const { code, stdout } = await user.runs(['ledger', 'verify']);
		assert.equal(code, 1);
		assert.match(stdout, /BROKEN/);
	});

	it('exports the ledger as lines of JSON and as a table, filtered', async () => {
		await run(
			[
				{
					toolCalls: [
						{ name: 'fs_list', input: {} },
						{ name: 'fs_list', input: { pattern: '*' } },
					],
				},
				{ text: 'Empty.' },
			],
			'look',
		);
		const lines = (await user.runs(['ledger', 'export', '--op', 'fs.list'])).stdout.trim().split('\n');
		assert.deepEqual(
			lines.map((line) => (JSON.parse(line) as LedgerRow).kind),
			['intent', 'outcome'],
		);
		const csv = (await user.runs(['ledger', 'export', '--format', 'csv'])).stdout;
		assert.match(csv, /^writer,seq,id,at,kind,[^]*fs\.find/);
	});

	it('lists what was done in words, one line for each effect, with the exit code and without housekeeping', async () => {
		const command = { argv: ['node', '-e', 'console.log("x".repeat(900)); process.exit(3)'] };
		await run(
			[
				{
					toolCalls: [
						{ name: 'shell_run', input: command },
						{ name: 'todo_write', input: { items: [] } },
					],
				},
				{ toolCalls: [{ name: 'fs_write', input: { path: '.git/hooks/x', content: 'no' } }] },
				{ text: 'Done.' },
			],
			'go',
			['--approve', 'full'],
		);
		const list = async (...words: string[]) => (await user.runs(['ledger', 'list', ...words])).stdout;
		const [head, ...lines] = (await list()).trimEnd().split('\n');
		assert.match(head ?? '', /^Time +Result +Decided by +What was done$/);
		assert.equal(lines.length, 2, lines.join('\n'));
		assert.match(lines[0] ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  Denied .* Write \.git\/hooks\/x  thr_\S+  op_\S+$/);
		assert.match(lines[1] ?? '', /Exit code 3 +Automatic: full +Run node -e .*thr_/);
		assert.match(await list('--all'), /Plan: 0 of 0 done[^]*Read the instructions of the workspace/);
		assert.match(await list('--result', 'failed'), /^.*\n.*Exit code 3.*\n$/);
		const rows = JSON.parse(await list('--result', 'denied', '--json')) as LedgerRow[];
		assert.deepEqual(
			rows.map(({ kind }) => kind),
			['denial'],
		);
	});

	it('filters the ledger by kind and time, and finds one row by its place', async () => {
		await run([{ toolCalls: [{ name: 'fs_list', input: { pattern: '*' } }] }, { text: 'Empty.' }], 'look');
		const outcomes = await ledger('--kind', 'outcome', '--since', '2020-01-01', '--op', 'fs.find');
		assert.deepEqual(
			outcomes.map(({ kind }) => kind),
			['outcome'],
		);
		assert.deepEqual(await ledger('--until', '2020-01-01'), []);
		const { writer, seq } = outcomes[0] ?? { writer: '', seq: 0 };
		assert.match((await user.runs(['ledger', 'show', `${writer}:${seq}`])).stdout, /^op +fs\.find$/m);
		const none = await user.runs(['ledger', 'list', '--op', 'fs.write']);
		assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'No rows match.\n']);
	});

	it('takes rounds and temperature for one prompt, and refuses what is neither', async () => {
		const list = { toolCalls: [{ name: 'fs_list', input: { path: '.' } }] };
		server = await startModelServer([
			list,
			{ toolCalls: [{ name: 'fs_find', input: { pattern: '*' } }] },
			{ text: 'Rest.' },
		]);
		for (const [flag, value] of [
			['--rounds', '0'],
			['--rounds', 'many'],
			['--temperature', '3'],
			['--temperature', 'warm'],
			['--max-cost', '0'],
			['--max-cost', 'much'],
		] as const) {
			const wrong = await user.prompts(server.baseUrl, 'Look', [flag, value]).ended;
			assert.equal(wrong.code, 2, `${flag} ${value}`);
			assert.match(wrong.stderr, new RegExp(`${flag} takes`));
		}
		const limited = await user.prompts(server.baseUrl, 'Look', ['--rounds', '1', '--temperature', '0.25', '--json'])
			.ended;
		assert.equal(limited.code, 1, limited.stderr);
		assert.match(limited.stdout, /"ITERATION_LIMIT"[^}]*"rounds":2,"max":1/);
		assert.equal(server.requests.length, 2);
		assert.equal(server.requests[0]?.body['temperature'], 0.25);
		const { info } = JSON.parse(limited.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
		const next = await user.prompts(server.baseUrl, 'Go on', ['--thread', info.id]).ended;
		assert.equal(next.code, 0, next.stderr);
		assert.equal(server.requests[2]?.body['temperature'], undefined);
		assert.match(JSON.stringify(server.requests[2]?.body['messages']), /not run: this message may take 1 rounds/);
	});

	it('begins with no more of the earlier messages and their tokens than the settings allow', async () => {
		server = await startModelServer(() => ({ text: 'Noted.' }));
		const first = await user.prompts(server.baseUrl, 'Apples', ['--json']).ended;
		const { info } = JSON.parse(first.stdout.split('\n', 1)[0] ?? '') as { info: { id: string } };
		const asksNext = async (prompt: string, limits: object) => {
			user.sets({ 'prowess.agent.limits': limits });
			const next = await user.prompts(server.baseUrl, prompt, ['--thread', info.id]).ended;
			assert.equal(next.code, 0, next.stderr);
			return ['Apples', 'Pears', 'Plums', 'Figs'].filter((word) => server.requests.at(-1)?.text.includes(word));
		};
		assert.deepEqual(await asksNext('Pears', {}), ['Apples', 'Pears']);
		assert.deepEqual(await asksNext(`Plums ${'x '.repeat(4_000)}`, { earlierMessages: 2 }), ['Pears', 'Plums']);
		// The newest message is too long: those before it stay out, too, although they would fit.
		assert.deepEqual(await asksNext('Figs', { earlierTokens: 1_000 }), ['Figs']);
		assert.deepEqual(await asksNext('And now', {}), ['Apples', 'Pears', 'Plums', 'Figs']);
	});

	it('ends a prompt that has cost what it may, and one of a model whose price nobody knows', async () => {
		const list = (path: string) => ({
			toolCalls: [{ name: 'fs_list', input: { path } }],
			usage: { input: 1_000, output: 100 },
		});
		server = await startModelServer([list('.'), list('..'), { text: 'Rest.' }, { text: 'Rest.' }]);
		const unknown = await user.prompts(server.baseUrl, 'Look', ['--max-cost', '1']).ended;
		assert.equal(unknown.code, 1);
		assert.match(unknown.stderr, /price of .* is not known/);
		assert.equal(server.requests.length, 0);
		user.sets({
			'prowess.models.settings': { 'openai-compatible/scripted': { price: { input: 1_000, output: 1_000 } } },
		});
		const limited = await user.prompts(server.baseUrl, 'Look', ['--max-cost', '1.5']).ended;
		assert.equal(limited.code, 1, limited.stderr);
		assert.match(limited.stderr, /at the limit of 1\.5 US dollars for this message/);
		assert.equal(server.requests.length, 2);
		assert.match(limited.stderr, /with a --max-cost of its own/);
	});

	it('takes the time limit of tools from the environment, and names a variable that is no number', async () => {
		const forEver = ['node', '-e', 'console.log("so far"); setInterval(() => {}, 1000)'];
		server = await startModelServer([
			{ toolCalls: [{ name: 'shell_run', input: { argv: forEver } }] },
			{ text: 'It took too long.' },
		]);
		const limited = (value: string) =>
			user.prompts(server.baseUrl, 'Run it', ['--approve', 'full'], { env: { PROWESS_TOOL_TIMEOUT_SECS: value } })
				.ended;
		const wrong = await limited('soon');
		assert.equal(wrong.code, 1, wrong.stderr);
		assert.match(wrong.stderr, /PROWESS_TOOL_TIMEOUT_SECS: /);
		assert.doesNotMatch(wrong.stderr, /settings\.json/);
		assert.equal(server.requests.length, 0);
		const { code, stdout, stderr } = await limited('1');
		assert.equal(code, 0, stderr);
		assert.match(stdout, /It took too long\./);
		const told = JSON.stringify(server.requests[1]?.body['messages']);
		assert.match(
			told,
			/so far[^]*\[stopped: node reached the time limit of 1 s; a longer one can be given as timeoutMs\]/,
		);
	});
});
