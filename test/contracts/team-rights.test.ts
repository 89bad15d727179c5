/** Rights of a team's people in its database, whatever program asks: what they may do, and what they may not. */
import assert from 'node:assert/strict';
import { PgBoss } from 'pg-boss';
import type { WorkPort } from '../../src/contract/ports/work-port.ts';
import { lookAtTeam, makeTeam, openWork } from '../../src/team/team.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { waitFor } from '../support/wait-for.ts';

const never = new AbortController().signal;
const onProblem = () => {};
const offer = { kinds: ['prompt'], labels: [], mostAtOnce: 1, mostOfGroup: 1 };
const refused = /permission denied|must be (?:owner|a member)|must have admin option|may not|a member adds/;

/** Acts by the login that must not do them. `JOB` is the id of a job of bob. */
const forbidden: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	ann: {
		'take a job': `UPDATE prowess.job SET state = 'active', started_on = now() WHERE id = 'JOB'`,
		"take a job past the table's front": `UPDATE prowess.job_common SET state = 'active' WHERE id = 'JOB'`,
		"cancel another's job": `UPDATE prowess.job SET state = 'cancelled' WHERE id = 'JOB'`,
		"change what another's job asks for": `UPDATE prowess.job SET data = '{"payload":{"prompt":"rm"}}' WHERE id = 'JOB'`,
		"take another's job over": `UPDATE prowess.job SET group_id = 'ann' WHERE id = 'JOB'`,
		'delete a job': `DELETE FROM prowess.job WHERE id = 'JOB'`,
		'add a job that is done': `INSERT INTO prowess.job (name, state, data, output) VALUES ('work/prompt', 'completed', '{}', '{}')`,
		'add a job with an answer': `INSERT INTO prowess.job (name, data) VALUES ('work/prompt', '{"answer": "yes"}')`,
		'add a job without a content': `INSERT INTO prowess.job (name, data) VALUES ('work/prompt', NULL)`,
		'add a job that nobody can read': `INSERT INTO prowess.job (name, data) VALUES ('work/prompt', '[]')`,
		'add a job with attempts of its own': `INSERT INTO prowess.job (name, data) VALUES ('work/prompt', '{"payload": {}, "mostAttempts": 1, "givenBack": 1000}')`,
		'add a job to what is not of jobs': `INSERT INTO prowess.job (name, data) VALUES ('__pgboss__send-it', '{}')`,
		"let another's job wait": `INSERT INTO prowess.job_dependency VALUES ('work/prompt', 'JOB', 'work/prompt', 'JOB')`,
		'make a schedule': `INSERT INTO prowess.schedule (name, cron) VALUES ('work/prompt', '* * * * *')`,
		'change a queue': `UPDATE prowess.queue SET retry_limit = 0`,
		'make a queue of another form': `SELECT prowess.create_queue('work/mine', '{"policy":"standard"}')`,
		'say that it is a worker': `INSERT INTO prowess.instance (id) VALUES (gen_random_uuid())`,
		'be somebody else': `SET SESSION AUTHORIZATION bob`,
		'become a worker': `SET ROLE prowess_worker`,
		'make a worker': `GRANT prowess_worker TO ann`,
		'loosen the checks': `DROP TRIGGER check_changed_job ON prowess.job`,
		'change the version': `UPDATE prowess.version SET version = 1`,
		'make a table': `CREATE TABLE prowess.mine (a int)`,
	},
	wes: {
		'make a worker': `GRANT prowess_worker TO ann`,
		'delete a queue': `DELETE FROM prowess.queue`,
		'delete a queue by its function': `SELECT prowess.delete_queue('work/prompt')`,
		'loosen the checks': `ALTER TABLE prowess.job DISABLE TRIGGER ALL`,
		'change the version': `UPDATE prowess.version SET version = 1`,
		'have a command run on tables': `SELECT prowess.job_table_run('DROP TABLE prowess.job')`,
		'note a command for later': `INSERT INTO prowess.bam (name, version, status, table_name, command) VALUES ('a', 1, 'pending', 'job', 'x')`,
		'drop the jobs': `DROP TABLE prowess.job`,
		'make a table': `CREATE TABLE prowess.mine (a int)`,
	},
	aud: {
		'add a job': `INSERT INTO prowess.job (name, data) VALUES ('work/prompt', '{}')`,
		'change a job': `UPDATE prowess.job SET priority = 9`,
		'delete a job': `DELETE FROM prowess.job`,
		'make a queue': `SELECT prowess.make_work_queue('work/mine')`,
		'become a member': `SET ROLE prowess_member`,
	},
	eve: {
		'read a job': `SELECT * FROM prowess.job`,
		'read a job past the table': `SELECT * FROM prowess.job_common`,
		'make a queue': `SELECT prowess.make_work_queue('work/mine')`,
	},
};

describe("The database of a team's jobs", () => {
	let server: PostgresServer;
	let ending: (() => Promise<void>)[];
	/** Id of a job of bob, as the database has it. */
	let job: string;
	const urlOf = (name: string) => server.url.replace('owner@', `${name}@`);

	async function connectAs(name: string): Promise<PgBoss> {
		const guest = { supervise: false, schedule: false, registerInstance: false, migrate: false, createSchema: false };
		const boss = new PgBoss({ connectionString: urlOf(name), schema: 'prowess', max: 1, ...guest });
		boss.on('error', onProblem);
		await boss.start();
		ending.push(() => boss.stop({ graceful: false }));
		return boss;
	}

	async function endAll(): Promise<void> {
		await Promise.all(ending.splice(0).map((end) => end()));
	}

	async function runAsOwner(sql: string): Promise<unknown[]> {
		const owner = await connectAs('owner');
		return (await owner.getDb().executeSql(sql)).rows;
	}

	async function workAs(name: string, as: 'member' | 'worker'): Promise<WorkPort> {
		const port = await openWork({ url: urlOf(name), as, onProblem });
		ending.push(() => port.dispose());
		return port;
	}

	before(async () => {
		server = await startPostgres();
		await makeTeam(server.url, never);
		ending = [];
		await runAsOwner(`
			CREATE ROLE ann LOGIN IN ROLE prowess_member;
			CREATE ROLE bob LOGIN IN ROLE prowess_member;
			CREATE ROLE wes LOGIN IN ROLE prowess_worker;
			CREATE ROLE aud LOGIN IN ROLE prowess_auditor;
			CREATE ROLE eve LOGIN;
		`);
		const ofBob = await workAs('bob', 'member');
		const [id = ''] = await ofBob.enqueue([{ kind: 'prompt', key: 'of-bob', payload: {} }], never);
		job = id.split('/').at(-1) ?? '';
		await endAll();
	});
	beforeEach(() => {
		ending = [];
	});
	afterEach(endAll);
	after(() => server.stop());

	for (const [name, acts] of Object.entries(forbidden)) {
		it(`refuses each of ${Object.keys(acts).length} acts to ${name}, and nothing of it is done`, async () => {
			const db = name === 'eve' ? undefined : (await connectAs(name)).getDb();
			const before = await stateOfAll();
			const done: string[] = [];
			for (const [act, text] of Object.entries(acts)) {
				const sql = text.replaceAll('JOB', job);
				try {
					await (db?.executeSql(sql) ?? runAsStranger(sql));
					done.push(act);
				} catch (error) {
					assert.match(String(error), refused, `${act}: ${String(error)}`);
				}
			}
			assert.deepEqual(done, []);
			assert.deepEqual(await stateOfAll(), before);
		});
	}

	/** `SET ROLE` takes the rights of the role; a stranger could not even start a program of ours. */
	async function runAsStranger(sql: string): Promise<void> {
		await runAsOwner(`SET ROLE eve; ${sql}`);
	}

	async function stateOfAll(): Promise<unknown> {
		return await runAsOwner(
			`SELECT (SELECT jsonb_agg(to_jsonb(j) ORDER BY id) FROM prowess.job j) AS jobs, (SELECT version FROM prowess.version),
				(SELECT count(*)::int FROM prowess.queue) AS queues, (SELECT count(*)::int FROM prowess.schedule) AS schedules`,
		);
	}

	it('lets no stranger look at a team', async () => {
		await assert.rejects(lookAtTeam(urlOf('eve'), never), { code: 'REQUEST_FAILED', message: /permission denied/ });
	});

	it("makes a member's job their own, whomever they name", async () => {
		const port = await workAs('ann', 'member');
		const [id = ''] = await port.enqueue([{ kind: 'prompt', key: 'forged', payload: {}, group: 'bob' }], never);
		const { jobs } = await port.state(never);
		assert.equal(jobs.find((each) => each.id === id)?.group, 'ann');
		assert.equal(await port.cancel(id, never), true);
	});

	it('lets a member take no job, by our own program either', async () => {
		const port = await workAs('ann', 'member');
		assert.throws(() => port.take(offer, () => assert.fail('taken')), { code: 'ACCESS_DENIED' });
	});

	it("refuses a member to answer for another, and takes the person's own answer", async () => {
		const ann = await workAs('ann', 'member');
		const bob = await workAs('bob', 'member');
		const worker = await workAs('wes', 'worker');
		const [id = ''] = await ann.enqueue([{ kind: 'ask', key: 'a', payload: {} }], never);
		const answers: unknown[] = [];
		worker.take({ ...offer, kinds: ['ask'] }, async ({ answer }) => {
			if (answer === undefined) return { state: 'parked', question: { id: 'q', asks: { title: 'May I?' } } };
			answers.push(answer);
			return { state: 'done', result: 'ok' };
		});
		const stateOf = async () => (await ann.state(never)).jobs.find((each) => each.id === id)?.state;
		await waitFor('the question', async () => (await stateOf()) === 'parked');
		assert.equal((await lookAtTeam(urlOf('ann'), never)).jobs.parked, 1);
		await assert.rejects(bob.answer(id, 'q', 'no', never), {
			code: 'REQUEST_FAILED',
			message: /bob may not change this job of ann/,
		});
		assert.equal(await ann.answer(id, 'q', 'yes', never), true);
		await waitFor('its end', async () => (await stateOf()) === 'done');
		assert.deepEqual(answers, ['yes']);
	});

	it('lets a member put jobs in order, which workers keep', async () => {
		const ann = await workAs('ann', 'member');
		const worker = await workAs('wes', 'worker');
		const done: string[] = [];
		worker.take({ ...offer, kinds: ['step'] }, async ({ key }) => {
			done.push(key);
			return { state: 'done', result: key };
		});
		const job = { kind: 'step', payload: {} };
		await ann.enqueue(
			[
				{ ...job, key: 'first' },
				{ ...job, key: 'second', after: ['first'] },
			],
			never,
		);
		await waitFor('both', () => done.length === 2);
		assert.deepEqual(done, ['first', 'second']);
	});

	it('shows who works on jobs, and for how long nothing was heard of them', async () => {
		await workAs('wes', 'worker');
		const { person, parts, workers, jobs } = await lookAtTeam(urlOf('aud'), never);
		assert.deepEqual([person, parts], ['aud', []]);
		assert.equal(workers[0]?.pid, process.pid);
		assert.ok((workers[0]?.silentMs ?? 60_000) < 30_000);
		assert.ok(jobs.waiting >= 1);
	});

	it('keeps all jobs when the team is made again, by two at the same time', async () => {
		const before = await stateOfAll();
		await Promise.all([makeTeam(server.url, never), makeTeam(server.url, never)]);
		assert.deepEqual(await stateOfAll(), before);
	});

	it('lets a person who is removed do nothing more, on an open connection either', async () => {
		await runAsOwner('CREATE ROLE rex LOGIN IN ROLE prowess_member');
		const port = await workAs('rex', 'member');
		await port.enqueue([{ kind: 'prompt', key: 'of-rex', payload: {} }], never);
		await runAsOwner('DROP ROLE rex');
		const gone = { code: 'REQUEST_FAILED' };
		await assert.rejects(port.enqueue([{ kind: 'prompt', key: 'more', payload: {} }], never), gone);
		await assert.rejects(port.state(never), gone);
		await assert.rejects(workAs('rex', 'member'), gone);
		await assert.rejects(lookAtTeam(urlOf('rex'), never), gone);
	});
});
