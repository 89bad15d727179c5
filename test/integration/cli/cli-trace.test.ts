/** Tests the account `prowess trace` gives of turns that were done, that failed, and that were killed. */
import assert from 'node:assert/strict';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { commandLimitMs, User } from './cli-process.ts';

describe('prowess trace', function () {
	this.timeout(commandLimitMs);
	let server: ModelServer | undefined;
	afterEach(async () => {
		await server?.close();
		server = undefined;
	});

	const threadIn = (stdout: string) => /"id":"(thr_[^"]+)"/.exec(stdout)?.[1] ?? '';

	it('says what is wrong with an id, and that there is no such thread or turn', async () => {
		const user = new User();
		const unknown = '00000000-0000-7000-8000-000000000000';
		for (const [words, code, said] of [
			[['list', 'me'], 2, /expected a thread id like "thr_…", got "me"/],
			[['show', 'thr_1'], 2, /expected a turn id like "trn_…", got "thr_1"/],
			[['list', `thr_${unknown}`], 1, /This thread does not exist/],
			[['show', `trn_${unknown}`], 1, /trn_0000/],
		] as const) {
			const ended = await user.runs(['trace', ...words]);
			assert.equal(ended.code, code, ended.stderr);
			assert.match(ended.stderr, said);
		}
	});

	it('tells of a failed turn its stages, its code and what was said', async () => {
		const user = new User();
		server = await startModelServer([{ error: 401, message: 'no such key' }]);
		const { stdout } = await user.prompts(server.baseUrl, 'Look around', ['--json']).ended;
		const listed = await user.runs(['trace', 'list', threadIn(stdout)]);
		assert.match(listed.stdout, /^trn_\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}failed {2}PROVIDER_AUTH {2}\d/);
		const [turnId = ''] = listed.stdout.split(' ');
		const shown = await user.runs(['trace', 'show', turnId]);
		assert.match(shown.stdout, /\nAuthResolve +\d+ ms {2}\[[# ]{24}\] {2}ok {2}model=\S+ {2}principal=cli\n/);
		assert.match(
			shown.stdout,
			/\nExecute +\d+ ms {2}\[[# ]{24}\] {2}PROVIDER_AUTH\n {27}failover 1, 5 steps\n {29}Idle ─Start→ Selecting\n/,
		);
		assert.match(shown.stdout, / {29}Selecting ─ProviderSuccess→ Attempting {2}picked openai-compatible\/scripted\n/);
		assert.match(
			shown.stdout,
			/ {29}Attempting ─Timeout→ Retrying {11}PROVIDER_AUTH\n {29}Retrying .* the next one\n {29}Selecting ─FatalError→ Exhausted {8}nobody is left\n/,
		);
		assert.match(shown.stdout, / note: /);
	});

	it('tells of each stage and call how long it took and how it ended, and what the turn used', async () => {
		const user = new User();
		user.writes('a.txt', 'x');
		server = await startModelServer([
			{
				toolCalls: [
					{ name: 'fs_read', input: { path: 'a.txt' } },
					{ name: 'fs_read', input: { path: 'b.txt' }, callId: 'call_2' },
				],
				usage: { input: 100, output: 10 },
			},
			{ text: 'Done.', usage: { input: 120, output: 5 } },
		]);
		const { stdout } = await user.prompts(server.baseUrl, 'Look around', ['--json']).ended;
		const listed = await user.runs(['trace', 'list', threadIn(stdout), '--json']);
		const [turn] = JSON.parse(listed.stdout) as { turnId: string; status: string }[];
		assert.equal(turn?.status, 'done');
		const shown = await user.runs(['trace', 'show', turn?.turnId ?? '']);
		assert.match(
			shown.stdout,
			/\nExecute +\d+ ms {2}\[[# ]{24}\] {2}ok {2}kind=done {2}requests=2 {2}inputTokens=220 {2}outputTokens=15 {2}cachedInputTokens=0\n/,
		);
		assert.match(shown.stdout, /\d+ ms {2}\[[# ]{24}\] {2}done: Read a\.txt {2}op_\S+\n/);
		assert.match(shown.stdout, / {2}failed NOT_FOUND: Read b\.txt {2}op_\S+\n/);
		const whole = JSON.parse((await user.runs(['trace', 'show', turn?.turnId ?? '', '--json'])).stdout) as {
			stages: { stage: string }[];
			items: { kind: string; durationMs: number }[];
		};
		assert.deepEqual(
			whole.stages.map(({ stage }) => stage),
			['AuthResolve', 'HistorySanitize', 'ContextGuard', 'ToolSplit', 'Execute', 'FailoverDecide'],
		);
		assert.deepEqual(
			whole.items.map(({ kind }) => kind),
			['request', 'tool', 'tool', 'request'],
		);
		assert.ok(whole.items.every(({ durationMs }) => durationMs >= 0));
		assert.match(shown.stdout, /\d+ ms {2}\[[# ]{24}\] {2}ok: Request to \S*scripted, 100 tokens in, 10 out\n/);
	});

	it('tells what filled the window, part by part, and of attempts beyond the first', async () => {
		const user = new User();
		user.writes('AGENTS.md', 'Use tabs, never spaces.');
		server = await startModelServer([{ text: 'Seen.' }, { error: 503, message: 'busy' }, { text: 'Again.' }]);
		const { stdout } = await user.prompts(server.baseUrl, 'Look around', ['--json']).ended;
		await user.prompts(server.baseUrl, 'And again', ['--thread', threadIn(stdout)]).ended;
		const listed = await user.runs(['trace', 'list', threadIn(stdout), '--json']);
		const turns = JSON.parse(listed.stdout) as {
			fallbackAttempts: number;
			stages: { stage: string; facts: Record<string, number> }[];
		}[];
		assert.deepEqual(
			turns.map(({ fallbackAttempts }) => fallbackAttempts),
			[0, 1],
		);
		const [first = {}, second = {}] = turns.map(
			({ stages }) => stages.find(({ stage }) => stage === 'ContextGuard')?.facts,
		);
		assert.equal(first['historyTokens'], 0);
		assert.ok((first['rulesTokens'] ?? 0) > 5 && second['rulesTokens'] === 0);
		for (const facts of [first, second]) {
			const { historyTokens = 0, messageTokens = 0, rulesTokens = 0, reserveTokens = 0, fixedTokens = 0 } = facts;
			assert.equal(historyTokens + messageTokens + rulesTokens, facts['tokens']);
			assert.equal(facts['windowTokens'], (facts['budgetTokens'] ?? 0) + reserveTokens + fixedTokens);
		}
		assert.ok((second['historyTokens'] ?? 0) > (first['tokens'] ?? 0));
	});

	it('tells of a killed turn that it was interrupted, and what it had called', async () => {
		const user = new User();
		user.writes('a.txt', 'x');
		server = await startModelServer([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
			{ then: 'stall' },
		]);
		const running = user.promptsApart(server.baseUrl, 'Look around', ['--json']);
		await server.request(2);
		const processes = processTree(running.pid).map(({ pid }) => pid);
		running.child.kill('SIGKILL');
		const { stdout } = await running.ended;
		// The turn runs until its server ends.
		await waitUntilGone(processes, commandLimitMs);
		const thread = threadIn(stdout);
		const listed = await user.runs(['trace', 'list', thread]);
		const [turnId = ''] = listed.stdout.split(' ');
		assert.match(listed.stdout, /  interrupted  /);
		const shown = await user.runs(['trace', 'show', turnId]);
		assert.match(shown.stdout, / {2}done: Read a\.txt/);
		assert.match(shown.stdout, /\nContextGuard +\d+ ms/);
		assert.match(shown.stdout, / {2}ok: Request to [\s\S]* {2}interrupted: Request to /);
	});

	it('lists the latest turns of all conversations without an id, as many as are asked for', async () => {
		const user = new User();
		server = await startModelServer(() => ({ text: 'Fine.' }));
		const threads: string[] = [];
		for (const prompt of ['One question', 'Two questions', 'Three questions']) {
			threads.push(threadIn((await user.prompts(server.baseUrl, prompt, ['--json']).ended).stdout));
		}
		const { stdout } = await user.runs(['trace', 'list', '--limit', '2']);
		assert.deepEqual(
			stdout
				.trim()
				.split('\n')
				.map((line) => line.split('  ').at(-1)),
			threads.slice(1),
		);
		const refused = await user.runs(['trace', 'list', '--limit', 'many']);
		assert.equal(refused.code, 2, refused.stderr);
	});

	it('says which calls the loop did not run, because they were repeated', async () => {
		const user = new User();
		user.writes('a.txt', 'x');
		server = await startModelServer((n) =>
			n < 5 ? { toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] } : { text: 'Enough.' },
		);
		await user.prompts(server.baseUrl, 'Look around').ended;
		const [turnId = ''] = (await user.runs(['trace', 'list'])).stdout.split(' ');
		const { stdout } = await user.runs(['trace', 'show', turnId]);
		assert.match(stdout, / {2}guard block: Read a\.txt\n/);
	});
});
