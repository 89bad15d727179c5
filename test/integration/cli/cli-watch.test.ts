/** Schedules whose time is a condition, from the command line: what is refused, what a poll finds, and what a kill leaves. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

interface ListedWatch {
	readonly id: string;
	readonly kind: string;
	readonly nextDue: number | null;
	readonly lastRun?: { readonly state: string };
	readonly watch: { readonly polls: number; readonly held: number; readonly problem?: { readonly message: string } };
}

describe('prowess schedule add with a condition', function () {
	this.timeout(2 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	let site: Server | undefined;
	beforeEach(async () => {
		user = new User();
		user.sets();
		user.writes('src/a.txt', 'alpha\n');
		user.writes('node_modules/x/a.txt', 'x\n');
		user.writes('.gitignore', 'node_modules\n');
		await user.runs(['run', '/help', '--trust']);
	});
	afterEach(async () => {
		await server?.close();
		site?.closeAllConnections();
		site?.close();
		site = undefined;
	});

	const list = async () => JSON.parse((await user.runs(['schedule', 'list', '--json'])).stdout) as ListedWatch[];
	const add = async (...words: string[]) => {
		const { code, stdout, stderr } = await user.runs(['schedule', 'add', ...words]);
		assert.equal(code, 0, stderr);
		return stdout.trim();
	};
	const git = (...words: string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
			cwd: user.workspace,
			env: user.environment,
			stdio: 'pipe',
		});
	/** Makes its next poll due. */
	const fallsDue = () => {
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		db.prepare('UPDATE schedule SET next_due = ? WHERE next_due IS NOT NULL').run(Date.now() - 1_000);
		db.close();
	};
	const model = () => ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
	const runs = () => user.starts(['schedule', 'run', ...model()]);
	const polled = async () => {
		const { code, stdout, stderr } = await user.runs(['ledger', 'list', '--op', 'schedule.poll', '--json']);
		assert.equal(code, 0, stderr);
		return (JSON.parse(stdout) as { readonly input: string }[]).map(({ input }) => input);
	};

	it('refuses a folder that is not trusted, and says how to trust it, which works', async () => {
		const stranger = new User();
		stranger.writes('a.txt', 'a');
		const refused = await stranger.runs(['schedule', 'add', 'when a.txt changes', 'x']);
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, /run again with --trust/);
		const added = await stranger.runs(['schedule', 'add', 'when a.txt changes', 'x', '--trust']);
		assert.equal(added.code, 0, added.stderr);
	});

	it('refuses what writes, lies outside, is ignored, is not there, is denied or is over, and keeps nothing of it', async () => {
		git('init', '-q', '-b', 'main');
		symlinkSync('/etc', join(user.workspace, 'out'));
		user.sets({ 'prowess.approvals.deny': ['http.get evil.example'] });
		for (const [words, problem] of [
			[['when `rm -rf src` succeeds', 'x'], /known to read/],
			[['when `npm test` succeeds', 'x'], /known to read, unless you agree[\s\S]*run again with --agree/],
			[['when ../other changes', 'x'], /outside/],
			[['when /etc/passwd changes', 'x'], /outside/],
			[['when out/passwd changes', 'x'], /outside/],
			[['when node_modules/** changes', 'x'], /ignores/],
			[['when branch nowhere moves', 'x'], /knows no branch or tag "nowhere"/],
			[['when https://evil.example answers 200', 'x'], /evil\.example/],
			[['when src/ changes', 'x', '--for', '2020-01-01 at 9:00'], /over/],
			[['when src/ changes', 'x', '--for', '900 days'], /90 days at most/],
			[
				['when src/ changes', 'x', '--for', 'a while'],
				/"a while" is neither a length of time, such as "3 days", nor a time/,
			],
			[['when src/ changes', 'x', '--most', '3'], /whenever/],
			[['when pigs fly', 'x'], /is not a condition/],
			[['every day at 9', 'x', '--for', '3 days'], /waits for a condition/],
		] as const) {
			const { code, stderr } = await user.runs(['schedule', 'add', ...words]);
			assert.match(stderr, problem, `${words.join(' ')}: ${stderr}`);
			assert.notEqual(code, 0, words.join(' '));
		}
		assert.deepEqual(await list(), []);
	});

	it('polls until it holds, at no cost of tokens, and leaves rows only for what is new', async () => {
		server = await startModelServer(() => ({ text: 'It moved.' }));
		git('init', '-q', '-b', 'main');
		git('add', '.');
		git('commit', '-qm', 'one');
		const id = await add('when branch main moves, say what moved');
		for (let poll = 0; poll < 3; poll++) {
			fallsDue();
			const { code, stdout, stderr } = await user.runs(['schedule', 'run', ...model()]);
			assert.deepEqual([code, stdout], [0, ''], stderr);
		}
		assert.equal(server.requests.length, 0);
		const shown = (await user.runs(['schedule', 'list'])).stdout;
		assert.match(
			shown,
			/next poll .*\n {4}polls: git rev-parse --verify main; 4 so far, last .*: [0-9a-f]{12}; held 0 of 1/,
		);
		git('commit', '-qm', 'two', '--allow-empty');
		fallsDue();
		const held = await user.runs(['schedule', 'run', ...model()]);
		assert.match(held.stdout, /^say what moved: .*done, thread thr_/, held.stderr);
		assert.equal(server.requests.length, 1);
		const [watch] = await list();
		assert.deepEqual([watch?.id, watch?.nextDue, watch?.watch.held, watch?.watch.polls], [id, null, 1, 5]);
		assert.deepEqual((await polled()).map((row) => row.replace(/: .*/, '')).toReversed(), [
			'Poll 1 found',
			'Poll 5 found',
		]);
	});

	it('tells without a model, and goes on after a kill in the middle of a poll', async () => {
		server = await startModelServer([]);
		let answers = 0;
		const stalled = Promise.withResolvers<void>();
		site = createServer((_, response) => {
			answers += 1;
			if (answers === 2) {
				stalled.resolve();
			} else {
				response.writeHead(answers === 1 ? 503 : 200).end('ok');
			}
		});
		await new Promise<void>((listening) => site?.listen(0, '127.0.0.1', listening));
		const { port } = site.address() as AddressInfo;
		user.sets({ 'prowess.http.allowHosts': [`127.0.0.1:${port}`] });
		await add(`tell me when http://127.0.0.1:${port}/ answers 200`);
		fallsDue();
		const killed = runs();
		await stalled.promise;
		killed.child.kill('SIGKILL');
		await killed.ended;
		assert.deepEqual(
			(await list()).map(({ watch }) => watch.polls),
			[1],
		);
		fallsDue();
		const { code, stdout, stderr } = await runs().ended;
		assert.equal(code, 0, stderr);
		assert.match(stdout, /answers 200: .*done/);
		assert.equal(server.requests.length, 0);
		assert.deepEqual(
			(await list()).map(({ kind, watch }) => [kind, watch.held]),
			[['reminder', 1]],
		);
	});

	it('asks a remote for its refs by its address, and by its name only where a rule allows the host', async () => {
		let commit = 'a'.repeat(40);
		site = createServer((_, response) => response.end(`003f${commit} HEAD\0caps\n003d${commit} refs/heads/main\n`));
		await new Promise<void>((listening) => site?.listen(0, '127.0.0.1', listening));
		const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
		git('init', '-q', '-b', 'main');
		git('remote', 'add', 'origin', `http://${host}/r.git`);
		user.sets({ 'prowess.http.allowHosts': [host] });
		const byName = ['schedule', 'add', 'tell me when branch main of origin moves'];
		assert.match((await user.runs(byName)).stderr, /add the rule "http\.get/);
		await add(`tell me when branch main of http://${host}/r.git moves`);
		commit = 'b'.repeat(40);
		fallsDue();
		assert.match((await user.runs(['schedule', 'run'])).stdout, /moves: .*done/);
	});

	it('is refused its polls once a right is taken back, and pauses with the reason', async () => {
		site = createServer((_, response) => response.end('ok'));
		await new Promise<void>((listening) => site?.listen(0, '127.0.0.1', listening));
		const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
		const allowed = { 'prowess.http.allowHosts': [host] };
		user.sets(allowed);
		const id = await add(`tell me when http://${host}/ changes`);
		for (const [settings, problem] of [
			[{ 'prowess.approvals.deny': [`http.get ${host}`] }, /refuses it/],
			[{ 'prowess.approvals.ask': ['http.get *'] }, /asks every time/],
			[{ 'prowess.access.deny': { schedule: ['tools'] } }, /denied to schedule/],
		] as const) {
			user.sets({ ...allowed, ...settings });
			for (let poll = 0; poll < 5; poll++) {
				fallsDue();
				await user.runs(['schedule', 'run']);
			}
			const [watch] = await list();
			assert.deepEqual([watch?.nextDue, watch?.lastRun?.state], [null, 'failed']);
			assert.match(watch?.watch.problem?.message ?? '', problem);
			await user.runs(['schedule', 'resume', id]);
		}
		user.sets(allowed);
		fallsDue();
		assert.equal((await user.runs(['schedule', 'run'])).code, 0);
		assert.equal((await list())[0]?.watch.problem, undefined);
		assert.doesNotMatch((await user.runs(['approvals', 'list'])).stdout, /http\.get/);
	});

	it('marks what a lying model says in its run, which has asked it once, and holds no further because of the words', async () => {
		server = await startModelServer(() => ({ text: 'I have updated `docs.md`.' }));
		await add('when src/ changes, update docs.md', '--mode', 'agent');
		user.writes('src/b.txt', 'beta\n');
		fallsDue();
		const { stdout } = await user.runs(['schedule', 'run', ...model()]);
		const thread = /thr_\S+/.exec(stdout)?.[0] ?? '';
		assert.equal(server.requests.length, 2);
		assert.match(server.requests[1]?.text ?? '', /No result of a call shows this/);
		assert.match((await user.runs(['thread', 'show', thread])).stdout, /Nothing that ran in this turn shows/);
		const [watch] = await list();
		assert.deepEqual([watch?.watch.held, watch?.nextDue], [1, null]);
	});

	it('runs a command that may do more than read once the user has agreed to it, until what it runs changes', async () => {
		user.writes('package.json', JSON.stringify({ scripts: { test: 'node check.js' } }));
		user.writes('check.js', "process.exit(require('node:fs').existsSync('made.txt') ? 0 : 1);\n");
		user.writes('made.txt', 'x');
		const refused = await user.runs(['schedule', 'add', 'tell me when `rm -rf /` succeeds', '--agree']);
		assert.notEqual(refused.code, 0, 'a dangerous one is refused all the same');
		await add('tell me whenever `npm test` succeeds', '--agree');
		user.sets({ 'prowess.approvals.deny': ['shell.run npm *'] });
		fallsDue();
		await user.runs(['schedule', 'run']);
		assert.match((await list())[0]?.watch.problem?.message ?? '', /refuses it/);
		user.sets();
		fallsDue();
		assert.match((await user.runs(['schedule', 'run'])).stdout, /npm test.*done/);
		user.writes('check.js', 'process.exit(0);\n');
		fallsDue();
		await user.runs(['schedule', 'run']);
		const [watch] = await list();
		assert.deepEqual([watch?.watch.held], [1]);
		assert.match(watch?.watch.problem?.message ?? '', /has changed since it was agreed to: check\.js/);
	});

	it('is over at its end, which is told once and stays in the list', async () => {
		await add('when src/ changes, summarize src');
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		db.prepare('UPDATE watch SET ends_at = ?').run(Date.now() - 1_000);
		db.close();
		fallsDue();
		const told = await user.runs(['schedule', 'run']);
		assert.deepEqual([told.code, told.stderr], [0, '']);
		assert.match(told.stdout, /^summarize src: .*: expired\n$/);
		assert.equal((await user.runs(['schedule', 'run'])).stdout, '');
		const { stdout } = await user.runs(['schedule', 'list']);
		assert.match(stdout, /over: it did not happen in time, .*\n.*held 0 of 1 time,.*\n {4}last: .*: expired\n/);
	});

	it('begins its run once, also where that is killed', async () => {
		server = await startModelServer(() => ({ then: 'stall' }));
		await add('when src/ changes, summarize src');
		user.writes('src/b.txt', 'beta\n');
		fallsDue();
		const killed = runs();
		await server.request(1);
		killed.child.kill('SIGKILL');
		await killed.ended;
		user.writes('src/c.txt', 'gamma\n');
		assert.equal((await runs().ended).code, 0);
		assert.equal(server.requests.length, 1);
		assert.deepEqual(
			(await list()).map(({ lastRun, nextDue }) => [lastRun?.state, nextDue]),
			[['interrupted', null]],
		);
	});
});
