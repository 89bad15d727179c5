/** Faults that only a team meets: a database that is away, ended hard or not theirs, and workers that sleep over their jobs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import type { WorkPort } from '../../src/contract/ports/work-port.ts';
import { followTeamJobs } from '../../src/team/follow-jobs.ts';
import { teamLimits } from '../../src/team/limits.ts';
import { openTeamWork } from '../../src/team/team-work.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { waitFor } from '../support/wait-for.ts';
import {
	openWorkAt,
	startTeamServer,
	stopTeamServer,
	teamServer,
	teamWorkPorts,
	type WorkPorts,
} from '../support/work-ports.ts';

const never = new AbortController().signal;
const offer = { kinds: ['prompt', 'held'], labels: [], mostAtOnce: 2, mostOfGroup: 2 };

describe('The work of a team', () => {
	let ports: WorkPorts;
	let opened: WorkPort[];
	/** Servers of single specs. */
	let ending: (() => Promise<void>)[];
	before(startTeamServer);
	after(stopTeamServer);
	beforeEach(() => {
		ports = teamWorkPorts();
		opened = [];
		ending = [];
	});
	afterEach(async () => {
		await Promise.all(opened.map((port) => port.dispose()));
		await Promise.all(ending.map((end) => end()));
	});

	async function open() {
		const port = await ports.open();
		opened.push(port);
		return port;
	}

	it('says that the database cannot be reached, without its password', async () => {
		const url = 'postgres://ann:sesame@/postgres?host=/nowhere';
		const opening = openTeamWork({ url, schema: 'work', mayMigrate: true, onProblem: () => {} });
		await assert.rejects(opening, (error: Error & { code?: string }) => {
			assert.equal(error.code, 'REQUEST_FAILED');
			assert.match(error.message, /database cannot be used: connect ENO\w+ \/nowhere/);
			assert.doesNotMatch(JSON.stringify(error) + error.message, /sesame/);
			return true;
		});
	});

	it('says to whoever follows its jobs that the database cannot be reached', async () => {
		const url = 'postgres://ann:sesame@/postgres?host=/nowhere';
		const following = followTeamJobs({ url, schema: 'work' }, () => assert.fail('news of nowhere'));
		await assert.rejects(following, { code: 'REQUEST_FAILED', message: /database cannot be used: connect ENO/ });
	});

	it('tells whoever follows its jobs of what came while the connection was lost, and of what is added, answered and given back', async () => {
		const schema = 'followed';
		const place = { url: teamServer().url, schema };
		const port = await openWorkAt(place);
		opened.push(port);
		const boss = new PgBoss({ connectionString: place.url, schema, supervise: false, schedule: false });
		await boss.start();
		ending.push(() => boss.stop({ graceful: false }));
		let news = 0;
		const feed = await followTeamJobs(place, () => (news += 1));
		try {
			assert.equal(news, 0);
			const heard = async (what: string, act: () => Promise<unknown>) => {
				const before = news;
				await act();
				await waitFor(`news: ${what}`, () => news > before);
			};
			await heard('added', () => port.enqueue([{ kind: 'prompt', key: 'a', payload: {} }], never));
			const parked = Promise.withResolvers<string>();
			const worker = port.take(offer, async ({ id }) => {
				parked.resolve(id);
				return { state: 'parked', question: { id: 'q', asks: {} } };
			});
			const id = await parked.promise;
			await waitFor('its question', async () => (await port.state(never)).jobs[0]?.state === 'parked');
			await worker.drain(never);
			await heard('answered', () => port.answer(id, 'q', 'yes', never));
			const begun = Promise.withResolvers<void>();
			const leaving = port.take(offer, async (_job, signal) => {
				begun.resolve();
				await new Promise((resolve) => signal.addEventListener('abort', resolve));
				return { state: 'done', result: null };
			});
			await begun.promise;
			await heard('given back', () => leaving.drain(AbortSignal.abort()));
			await heard('connected again', () =>
				boss
					.getDb()
					.executeSql(
						"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'LISTEN|listening' AND pid <> pg_backend_pid()",
					),
			);
			await heard('added once more', () => port.enqueue([{ kind: 'prompt', key: 'b', payload: {} }], never));
		} finally {
			await feed.close();
		}
		const after = news;
		await port.enqueue([{ kind: 'prompt', key: 'c', payload: {} }], never);
		assert.equal(news, after);
	});

	it('ends within its limit when the database says nothing any more', async () => {
		const folder = new URL(teamServer().url.replace('owner@', 'owner@x')).searchParams.get('host') ?? '';
		const sockets: Socket[] = [];
		const relay = createServer((near) => {
			const far = connect(join(folder, '.s.PGSQL.5432'));
			near.pipe(far).pipe(near);
			for (const each of [near, far]) sockets.push(each.on('error', () => {}));
		});
		await once(relay.listen(0, '127.0.0.1'), 'listening');
		try {
			const { port } = relay.address() as AddressInfo;
			const work = await openWorkAt({ url: `postgres://owner@127.0.0.1:${port}/postgres`, schema: 'silent' });
			// A cable is cut: connections stay, and nothing comes.
			for (const each of sockets) each.unpipe().pause();
			const startedAt = performance.now();
			await work.dispose();
			assert.ok(performance.now() - startedAt < 2 * teamLimits.closeMs, 'it waited for the database');
		} finally {
			for (const each of sockets) each.destroy();
			relay.close();
		}
	});

	it('makes no schema for somebody who may not', async () => {
		const opening = openTeamWork({ url: teamServer().url, schema: 'absent', mayMigrate: false, onProblem: () => {} });
		await assert.rejects(opening, { code: 'REQUEST_FAILED', message: /cannot be used/ });
	});

	it('says what it cannot do while the database is away, and loses nothing when that was killed', async function () {
		this.timeout(60_000);
		const server = await startPostgres();
		ending.push(() => server.stop());
		const port = await openWorkAt({ url: server.url, schema: 'work' });
		opened.push(port);
		const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
		const begun = Promise.withResolvers<void>();
		const back = Promise.withResolvers<void>();
		const done: [string, number][] = [];
		const ids = await Promise.all(keys.map((key) => port.enqueue([{ kind: 'prompt', key, payload: {} }], never)));
		port.take(offer, async ({ key, attempt }) => {
			begun.resolve();
			await back.promise;
			done.push([key, attempt]);
			return { state: 'done', result: key };
		});
		await begun.promise;
		await server.kill();
		await assert.rejects(port.enqueue([{ kind: 'prompt', key: 'g', payload: {} }], never), { code: 'REQUEST_FAILED' });
		await assert.rejects(port.state(never), { code: 'REQUEST_FAILED' });
		await assert.rejects(port.cancel(String(ids[0]), never), { code: 'REQUEST_FAILED' });
		await server.start();
		back.resolve();
		await waitFor('all jobs', async () => {
			const { jobs } = await port.state(never);
			return jobs.length === keys.length && jobs.every(({ state }) => state === 'done');
		});
		assert.deepEqual([...new Set(done.map(([key]) => key))].toSorted(), keys);
		// None began twice without being told so.
		assert.equal(new Set(done.map(String)).size, done.length);
	});

	it('finds the job that holds a key, and shows it, however many of that key have ended', async () => {
		const place = { url: teamServer().url, schema: 'crowded' };
		const port = await openWorkAt(place);
		opened.push(port);
		const boss = new PgBoss({ connectionString: place.url, schema: place.schema, supervise: false, schedule: false });
		await boss.start();
		ending.push(() => boss.stop({ graceful: false }));
		const [first] = await port.enqueue([{ kind: 'prompt', key: 'a', payload: {} }], never);
		const columns = 'name, singleton_key, policy, data, state, created_on, completed_on';
		await boss.getDb().executeSql(
			`INSERT INTO crowded.job (${columns}) SELECT 'work/prompt', 'a', 'exclusive', '{"givenBack": 0}', 'completed',
				now() - interval '1 hour', now() FROM generate_series(1, 1500)`,
		);
		assert.deepEqual(await port.enqueue([{ kind: 'prompt', key: 'a', payload: {} }], never), [first]);
		const { jobs } = await port.state(never);
		assert.deepEqual(
			jobs.filter(({ state }) => state === 'waiting').map(({ id }) => id),
			[first],
		);
		assert.ok(jobs.length < 1_500, `${jobs.length} jobs`);
		const several = ['a', 'b'].map((key) => ({ kind: 'prompt', key, payload: {} }));
		await assert.rejects(port.enqueue(several, never), { code: 'INVALID_STATE' });
	});

	it('hands on the job of a process that sleeps over it, and counts for nothing what that says when it wakes', async () => {
		const port = await open();
		await port.enqueue([{ kind: 'held', key: 'a', payload: {} }], never);
		const child = await ports.startHolding();
		try {
			const stateOf = async () => (await port.state(never)).jobs[0] ?? assert.fail('no job');
			await waitFor('its beginning', async () => (await stateOf()).state === 'working');
			child.kill('SIGSTOP');
			const { port: timed, advance } = await ports.openTimed();
			opened.push(timed);
			const attempts: number[] = [];
			timed.take(offer, async ({ attempt }) => {
				attempts.push(attempt);
				return { state: 'done', result: 'of the second' };
			});
			await waitFor('its end', async () => {
				await advance(1_000);
				return (await stateOf()).state === 'done';
			});
			const heard = once(child.stdout ?? assert.fail('no output'), 'data');
			child.kill('SIGCONT');
			assert.match(String((await heard)[0]), /lost/);
			assert.deepEqual(attempts, [2]);
			assert.equal((await stateOf()).result, 'of the second');
		} finally {
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	});
});
