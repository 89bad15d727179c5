/** Schedules from the command line: the real CLI, its server, and a model server on this machine. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

interface Listed {
	readonly id: string;
	readonly text: string;
	readonly nextDue: number | null;
	readonly lastRun?: { readonly state: string; readonly threadId: string };
}

describe('prowess schedule', function () {
	this.timeout(2 * commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(async () => {
		user = new User();
		user.writes('a.txt', 'alpha\n');
	});
	afterEach(async () => server.close());

	const list = async () => JSON.parse((await user.runs(['schedule', 'list', '--json'])).stdout) as Listed[];
	const add = async (...words: string[]) => {
		const { code, stdout, stderr } = await user.runs(['schedule', 'add', ...words]);
		assert.equal(code, 0, stderr);
		return stdout.trim();
	};
	/** Makes the schedule due by setting its next time into the past. */
	const fallsDue = (id: string) => {
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		db.prepare('UPDATE schedule SET next_due = ? WHERE id = ?').run(Date.now() - 90_000, id);
		db.close();
	};
	/** A run that a process of that name has begun. */
	const runOf = (id: string, owner: string, startedAt: number) => {
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		const sql = "INSERT INTO run VALUES (?, ?, 'started', ?, 'thr_1', 'itm_1', ?, NULL)";
		db.prepare(sql).run(id, startedAt, owner, startedAt);
		db.close();
	};
	const runs = () =>
		user.starts(['schedule', 'run', '--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm']);

	it('run carries out what is due once, also when two do it at once, and refuses what it would have to ask', async () => {
		server = await startModelServer((n) =>
			n === 0
				? { toolCalls: [{ name: 'fs_write', input: { path: 'b.txt', content: 'x' } }] }
				: { text: 'Nothing done.' },
		);
		const id = await add('* * * * *', 'Write b.txt', '--mode', 'agent');
		const untrusted = await user.runs(['schedule', 'run', id]);
		assert.equal(untrusted.code, 1);
		assert.match(untrusted.stderr, /not trusted/);
		await user.runs(['run', '/help', '--trust']);
		fallsDue(id);
		const both = [runs(), runs()];
		const ended = await Promise.all(both.map((each) => each.ended));
		assert.deepEqual(
			ended.map(({ code }) => code),
			[0, 0],
			ended.map(({ stderr }) => stderr).join('\n'),
		);
		assert.equal(ended.filter(({ stdout }) => /Write b\.txt: .*done, thread thr_/.test(stdout)).length, 1);
		assert.equal(server.requests.length, 2);
		assert.equal(existsSync(join(user.workspace, 'b.txt')), false);
		const [schedule] = await list();
		assert.equal(schedule?.lastRun?.state, 'done');
		const shown = await user.runs(['thread', 'show', schedule?.lastRun?.threadId ?? '']);
		assert.match(shown.stdout, /Nothing done/);
		const recorded = await user.runs(['ledger', 'list', '--op', 'schedule.run', '--json']);
		const rows = JSON.parse(recorded.stdout) as { readonly trigger: string; readonly input: string }[];
		assert.deepEqual(
			rows.map(({ trigger }) => trigger),
			[`schedule:${id}`],
		);
		assert.match(rows[0]?.input ?? '', /^Run of .*: Write b\.txt$/);
		const refused = await user.runs(['ledger', 'list', '--op', 'fs.write', '--json']);
		assert.match(refused.stdout, new RegExp(`; for schedule ${id}"`), 'the ledger says for which schedule an op ran');
	});

	it('run repeats nothing that a kill cut off', async () => {
		server = await startModelServer(() => ({ then: 'stall' }));
		const id = await add('every hour: look at a.txt');
		await user.runs(['run', '/help', '--trust']);
		fallsDue(id);
		const killed = runs();
		await server.request(1);
		killed.child.kill('SIGKILL');
		await killed.ended;
		assert.equal((await runs().ended).code, 0);
		assert.equal(server.requests.length, 1);
		assert.equal((await list())[0]?.lastRun?.state, 'interrupted');
	});

	it('run goes on where a run of a host that is gone was under way, and says so', async () => {
		server = await startModelServer(() => ({ text: 'Nothing is open.' }));
		const id = await add('every hour: look at a.txt');
		await user.runs(['run', '/help', '--trust']);
		fallsDue(id);
		const monthAgo = Date.now() - 30 * 24 * 3_600_000;
		runOf(id, 'deadhost/4242/0b7f9a52-6c1e-4f6b-9d55-0f6f8f1f2a10/cli', monthAgo);
		const { code, stdout, stderr } = await runs().ended;
		assert.equal(code, 0, stderr);
		assert.match(stdout, /^look at a\.txt: .*done, thread thr_/);
		assert.match(stderr, /look at a\.txt: .*was interrupted: process 4242 on deadhost is gone/);
		const all = new DatabaseSync(join(user.home, 'schedules.db'));
		const states = all.prepare('SELECT state FROM run ORDER BY due').all();
		all.close();
		assert.deepEqual(
			states.map(({ state }) => state),
			['interrupted', 'done'],
		);
	});

	it('run stops when another process has taken it over, and says so', async () => {
		server = await startModelServer(() => ({ then: 'stall' }));
		const id = await add('every hour: look at a.txt');
		await user.runs(['run', '/help', '--trust']);
		fallsDue(id);
		const late = runs();
		await server.request(1);
		// Acts like a process that has not heard of this one for long: marks its run as interrupted.
		const db = new DatabaseSync(join(user.home, 'schedules.db'));
		db.exec("UPDATE run SET state = 'interrupted', ended_at = 1");
		const { code, stdout, stderr } = await late.ended;
		const row = db.prepare('SELECT state, ended_at FROM run').get();
		db.close();
		assert.equal(code, 1, stderr);
		assert.match(stdout, /^look at a\.txt: .*failed, thread thr_\S+ \(Another process took over this work/);
		assert.deepEqual({ ...row }, { state: 'interrupted', ended_at: 1 });
	});

	it('run says who has a run under way that is due, and leaves it to that process', async () => {
		server = await startModelServer([]);
		const id = await add('every hour: look at a.txt');
		await user.runs(['run', '/help', '--trust']);
		fallsDue(id);
		const since = Date.now() - 1_000;
		runOf(id, 'otherhost/4242/0b7f9a52-6c1e-4f6b-9d55-0f6f8f1f2a10/cli', since);
		const { code, stdout, stderr } = await runs().ended;
		assert.deepEqual([code, stdout], [0, '']);
		const who = `look at a.txt: process 4242 on otherhost has a run of it under way, since ${new Date(since).toISOString()}`;
		assert.ok(stderr.includes(who), stderr);
		const named = await user.runs(['schedule', 'run', id]);
		assert.equal(named.code, 1);
		assert.match(named.stderr, /under way: process 4242 on otherhost, since 20/);
		assert.equal(server.requests.length, 0);
	});

	it('run shows what a capability does in it, in --json too', async () => {
		const starts = { toolCalls: [{ name: 'capability_start', input: { name: 'todo-report' } }] };
		server = await startModelServer([starts, { text: 'Done.' }]);
		user.writes('a.ts', '// TODO: count the birds\n');
		await user.runs(['run', '/help', '--trust']);
		const id = await add('every hour: start it', '--mode', 'agent');
		const model = ['--provider', 'openai-compatible', '--base-url', server.baseUrl, '--model', 'm'];
		const { code, stdout, stderr } = await user.runs(['schedule', 'run', id, '--json', ...model]);
		assert.equal(code, 0, stdout + stderr);
		assert.match(stderr, /^ {4}looking for TODO.*\n {4}Search /m);
		const lines = stdout.trim().split('\n');
		const told = lines.map((line) => JSON.parse(line) as { type?: string; scheduleId: string; state?: string });
		assert.deepEqual(
			[told[0]?.type, told.at(-1)?.state, [...new Set(told.map(({ scheduleId }) => scheduleId))]],
			['item.step', 'done', [id]],
		);
	});

	it('run is refused once the quota of its schedule is used up, and usage shows it', async () => {
		server = await startModelServer(() => ({ text: 'Done.', usage: { input: 1_200, output: 0 } }));
		const id = await add('every hour: look at a.txt');
		await user.runs(['run', '/help', '--trust']);
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify({ 'prowess.quotas.tokensPerSchedule': 1_000 }));
		fallsDue(id);
		assert.equal((await runs().ended).code, 0);
		fallsDue(id);
		const refused = await runs().ended;
		assert.equal(refused.code, 1);
		const why =
			/failed, thread thr_\S+ \(A quota is used up\. Tokens of the schedule "look at a\.txt" today: 1,200 of 1,000/;
		assert.match(refused.stdout, why);
		assert.equal(server.requests.length, 1);
		assert.match((await user.runs(['usage'])).stdout, /today, schedule "look at a\.txt": 1,200 tokens/);
	});

	it('reminds without a model, and lists, pauses, resumes and deletes', async () => {
		server = await startModelServer([]);
		const id = await add('morgen um 9 Wasser trinken', '--reminder', '--zone', 'Europe/Berlin');
		assert.match((await user.runs(['schedule', 'pause', id])).stderr, /^Paused: Wasser trinken/);
		assert.equal((await list())[0]?.nextDue, null);
		await user.runs(['schedule', 'resume', id]);
		assert.notEqual((await list())[0]?.nextDue, null);
		for (const [message, answer] of [
			[
				'Wann läuft die Erinnerung Wasser?',
				/^- morgen um 9: Wasser trinken \(nächster Lauf: .*09:00, Europe\/Berlin\)/,
			],
			['pause the reminder Wasser', /^morgen um 9: Wasser trinken \(paused\) `sch_/],
		] as const) {
			const { stdout, stderr } = await user.runs(['run', message, '--trust']);
			assert.match(stdout, answer, stderr);
		}
		assert.equal((await list())[0]?.nextDue, null);
		await user.runs(['schedule', 'resume', id]);
		const reminded = await user.runs(['schedule', 'run', id]);
		assert.match(reminded.stdout, /^Wasser trinken: .*done/, reminded.stderr);
		assert.match((await user.runs(['schedule', 'delete', id])).stderr, /^Deleted/);
		assert.deepEqual(await list(), []);
		for (const [words, problem] of [
			[['never', 'x'], /is not a time/],
			[['2020-01-01 at 9:00', 'x'], /over/],
			[['list issues'], /name when and what/],
			[['daily', 'x', '--zone', 'Mars/Base'], /is not a time zone/],
		] as const) {
			assert.match((await user.runs(['schedule', 'add', ...words])).stderr, problem);
		}
		assert.equal(server.requests.length, 0);
	});
});
