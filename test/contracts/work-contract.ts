/**
 * The contract of both keepers of jobs: that of this machine, in SQLite, and that of a team, in a real PostgreSQL that runs
 * in a folder of the spec. Each host is a port of its own; where a process matters, it is one.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { JobHandler, JobOutcome, NewJob, WorkerOffer, WorkPort } from '../../src/contract/ports/work-port.ts';
import { waitFor } from '../support/wait-for.ts';
import type { WorkPorts } from '../support/work-ports.ts';

interface Keeper {
	readonly title: string;
	setUp(): WorkPorts;
	start?(): Promise<void>;
	stop?(): Promise<void>;
}

const never = new AbortController().signal;
const everything: WorkerOffer = { kinds: ['prompt'], labels: [], mostAtOnce: 4, mostOfGroup: 4 };
const done = async (): Promise<JobOutcome> => ({ state: 'done', result: null });
const jobOf = (key: string, more: Partial<NewJob> = {}): NewJob => ({ kind: 'prompt', key, payload: { key }, ...more });

/** Declares a spec for each promise. `sample`: the titles of those that are tried; default: all. */
export function keepsContract({ title, setUp, start, stop }: Keeper, sample?: readonly string[]): void {
	describe(title, () => {
		const tried = new Set<string>();
		const promises = (promise: string, spec: (this: Mocha.Context) => Promise<void>) => {
			if (sample?.includes(promise) === false) return;
			tried.add(promise);
			it(promise, spec);
		};
		let ports: WorkPorts;
		let opened: WorkPort[];
		let children: ChildProcess[];
		let port: WorkPort;
		before(async () => start?.());
		after(async () => stop?.());
		beforeEach(async () => {
			ports = setUp();
			opened = [];
			children = [];
			port = await open();
		});
		afterEach(async () => {
			await Promise.all(opened.map((each) => each.dispose()));
			await Promise.all(children.map(kill));
		});

		async function open(): Promise<WorkPort> {
			const another = await ports.open();
			opened.push(another);
			return another;
		}
		async function openTimed() {
			const timed = await ports.openTimed();
			opened.push(timed.port);
			return timed;
		}
		async function kill(child: ChildProcess) {
			if (child.exitCode === null && child.signalCode === null) {
				child.kill('SIGKILL');
				await once(child, 'exit');
			}
		}
		async function add(...jobs: NewJob[]) {
			return await port.enqueue(jobs, never);
		}
		async function recordOf(key: string) {
			const { jobs } = await port.state(never);
			return jobs.findLast((job) => job.key === key) ?? assert.fail(`there is no job ${key}`);
		}
		const isIn = (key: string, state: string, meanwhile = async () => {}) =>
			waitFor(`${key} to be ${state}`, async () => {
				await meanwhile();
				return (await recordOf(key)).state === state;
			});
		/** A handler that is told when to end each job. */
		function held() {
			const began: string[] = [];
			const gates = new Map<string, PromiseWithResolvers<JobOutcome>>();
			const signals = new Map<string, AbortSignal>();
			const handle: JobHandler = async ({ key }, signal) => {
				began.push(key);
				signals.set(key, signal);
				const gate = Promise.withResolvers<JobOutcome>();
				gates.set(key, gate);
				return await gate.promise;
			};
			const end = (key: string, outcome: JobOutcome = { state: 'done', result: null }) =>
				(gates.get(key) ?? assert.fail(`${key} has not begun`)).resolve(outcome);
			const endAll = () => gates.forEach((gate) => gate.resolve({ state: 'done', result: null }));
			return { began, handle, end, endAll, signals };
		}

		promises('refuses what is no job, and says which and why', async () => {
			const table: readonly [NewJob[], RegExp][] = [
				[[], /0 jobs at once/],
				[[jobOf('a', { kind: 'A prompt' })], /"a".*no kind/],
				[[jobOf('a', { labels: ['GPU!'] })], /"GPU!" is no label/],
				[[jobOf('')], /key is empty/],
				[[jobOf("a'; DROP TABLE job")], /key/],
				[[jobOf('a', { priority: 0.5 })], /priority 0\.5/],
				[[jobOf('a', { mostAttempts: 0 })], /0 attempts/],
				[[jobOf('a', { payload: { text: 'x'.repeat(200_000) } })], /payload/],
				[[jobOf('a'), jobOf('a')], /same key/],
				[[jobOf('a', { after: ['b'] })], /"b", which is not among/],
				[[jobOf('a', { after: ['b'] }), jobOf('b')], /stands behind/],
			];
			for (const [jobs, message] of table) {
				await assert.rejects(port.enqueue(jobs, never), { code: 'INVALID_PARAMS', message });
			}
			assert.deepEqual((await port.state(never)).jobs, []);
		});

		promises('has each key once until its job has ended', async () => {
			const [first] = await add(jobOf('a'));
			assert.deepEqual(await add(jobOf('a', { payload: { other: true } })), [first]);
			await assert.rejects(add(jobOf('b'), jobOf('a')), { code: 'INVALID_STATE', message: /"a" is there already/ });
			await assert.rejects(add(jobOf('b'), jobOf('a', { after: ['b'] })), { code: 'INVALID_STATE' });
			assert.deepEqual(
				(await port.state(never)).jobs.map(({ key }) => key),
				['a'],
			);
			port.take(everything, done);
			await isIn('a', 'done');
			assert.notDeepEqual(await add(jobOf('a')), [first]);
		});

		promises('adds a job once that several hosts add at once', async () => {
			const others = [port, await open(), await open()];
			const ids = await Promise.all(others.map((each) => each.enqueue([jobOf('a')], never)));
			assert.equal(new Set(ids.flat()).size, 1);
			assert.equal((await port.state(never)).jobs.length, 1);
		});

		promises('tries a handler that throws again, as often as the job says, and keeps the reason', async () => {
			const attempts: number[] = [];
			port.take(everything, async (job) => {
				attempts.push(job.attempt);
				throw new Error('no such repository');
			});
			await add(jobOf('a', { mostAttempts: 2 }));
			await isIn('a', 'failed');
			assert.deepEqual(attempts, [1, 2]);
			const { reason, attempts: count } = await recordOf('a');
			assert.deepEqual([reason, count], ['no such repository', 2]);
		});

		promises('tries no job again that its handler calls failed', async () => {
			let count = 0;
			port.take(everything, async () => {
				count++;
				return { state: 'failed', reason: 'refused by policy' };
			});
			await add(jobOf('a'), jobOf('b', { after: ['a'] }));
			await isIn('a', 'failed');
			assert.equal((await recordOf('a')).reason, 'refused by policy');
			await add(jobOf('c'));
			await waitFor('both', () => count === 2);
			assert.equal((await recordOf('b')).state, 'waiting');
		});

		promises('counts a result that cannot be kept as a lost attempt, and goes on with other jobs', async () => {
			const endless: Record<string, unknown> = {};
			endless['itself'] = endless;
			port.take(everything, async ({ key }) => ({ state: 'done', result: key === 'a' ? endless : key }));
			await add(jobOf('a', { mostAttempts: 2 }));
			await isIn('a', 'failed');
			assert.match((await recordOf('a')).reason ?? '', /circular/);
			await add(jobOf('b'));
			await isIn('b', 'done');
		});

		promises('never begins a cancelled job, and cancels no job that has ended', async () => {
			const [id = ''] = await add(jobOf('a'));
			assert.equal(await port.cancel(id, never), true);
			assert.equal(await port.cancel(id, never), false);
			const begun = held();
			port.take(everything, begun.handle);
			await add(jobOf('b'));
			await waitFor('b', () => begun.began.includes('b'));
			begun.endAll();
			await isIn('b', 'done');
			assert.deepEqual(begun.began, ['b']);
			assert.equal((await recordOf('a')).state, 'cancelled');
		});

		promises('tells the handler of a cancelled job while it works, and counts its outcome for nothing', async () => {
			const begun = held();
			port.take(everything, begun.handle);
			const [id = ''] = await (await open()).enqueue([jobOf('a')], never);
			const signal = await waitFor('its beginning', () => begun.signals.get('a'));
			assert.equal(await port.cancel(id, never), true);
			await waitFor('its signal', () => signal.aborted);
			begun.endAll();
			await add(jobOf('b'));
			await waitFor('b', () => begun.began.includes('b'));
			begun.endAll();
			await isIn('b', 'done');
			assert.equal((await recordOf('a')).state, 'cancelled');
		});

		promises('gives back what a worker has under way when it ends, without a lost attempt', async () => {
			const begun = held();
			const other = await open();
			const worker = other.take(everything, begun.handle);
			await add(jobOf('a', { mostAttempts: 1 }));
			const signal = await waitFor('its beginning', () => begun.signals.get('a'));
			signal.addEventListener('abort', () => begun.end('a'));
			await worker.drain(AbortSignal.abort());
			const attempts: number[] = [];
			port.take(everything, async (job) => {
				attempts.push(job.attempt);
				return await done();
			});
			await isIn('a', 'done');
			assert.deepEqual(attempts, [1]);
		});

		promises('begins no job at a second place while the handler of a worker that ends still runs', async () => {
			const begun = held();
			const worker = (await open()).take(everything, begun.handle);
			await add(jobOf('a'));
			const signal = await waitFor('its beginning', () => begun.signals.get('a'));
			const drained = worker.drain(AbortSignal.abort());
			const attempts: number[] = [];
			port.take(everything, async ({ key, attempt }) => {
				attempts.push(attempt);
				return { state: 'done', result: key };
			});
			await add(jobOf('b', { priority: -1 }));
			await isIn('b', 'done');
			assert.deepEqual([signal.aborted, attempts.length], [true, 1]);
			begun.end('a', { state: 'done', result: 'of the first' });
			await drained;
			await isIn('a', 'done');
			assert.deepEqual([(await recordOf('a')).result, attempts], ['a', [1, 1]]);
		});

		promises('lets a worker that drains end what it has, and takes nothing more', async () => {
			const begun = held();
			const worker = port.take(everything, begun.handle);
			await add(jobOf('a'));
			await waitFor('its beginning', () => begun.began.length === 1);
			const drained = worker.drain(never);
			await add(jobOf('b'));
			begun.end('a');
			await drained;
			assert.deepEqual([(await recordOf('a')).state, (await recordOf('b')).state], ['done', 'waiting']);
		});

		promises('has each job carried out by one worker of many hosts', async () => {
			const hosts = [port, await open(), await open()];
			const begun: string[] = [];
			for (const host of hosts) {
				host.take(everything, async ({ key }) => {
					begun.push(key);
					return { state: 'done', result: { key } };
				});
			}
			const keys = Array.from({ length: 40 }, (_, index) => `job-${index}`);
			await Promise.all(keys.map((key) => add(jobOf(key))));
			await waitFor('all', async () => (await port.state(never)).jobs.every(({ state }) => state === 'done'));
			assert.deepEqual(begun.toSorted(), keys.toSorted());
			assert.deepEqual((await recordOf('job-7')).result, { key: 'job-7' });
		});

		promises('takes the highest priority first, then the oldest', async () => {
			await add(jobOf('low', { priority: -1 }));
			await add(jobOf('first'));
			await add(jobOf('second'));
			await add(jobOf('high', { priority: 5 }));
			const begun: string[] = [];
			port.take({ ...everything, mostAtOnce: 1 }, async ({ key }) => {
				begun.push(key);
				return await done();
			});
			await isIn('low', 'done');
			assert.deepEqual(begun, ['high', 'first', 'second', 'low']);
		});

		promises('gives a job only to workers of its kind that have all its labels', async () => {
			const begun = held();
			port.take({ ...everything, labels: ['linux', 'gpu'] }, begun.handle);
			await add(jobOf('mac', { labels: ['mac'] }));
			await add(jobOf('goal', { kind: 'goal' }));
			await add(jobOf('gpu', { labels: ['gpu', 'linux'] }));
			await add(jobOf('any'));
			await waitFor('both', () => begun.began.length === 2);
			begun.endAll();
			await isIn('gpu', 'done');
			await isIn('any', 'done');
			assert.deepEqual(begun.began.toSorted(), ['any', 'gpu']);
			assert.deepEqual([(await recordOf('mac')).state, (await recordOf('goal')).state], ['waiting', 'waiting']);
		});

		promises('carries out no more at once than a worker offers', async () => {
			let most = 0;
			let now = 0;
			port.take({ ...everything, mostAtOnce: 2 }, async () => {
				most = Math.max(most, ++now);
				await new Promise(setImmediate);
				now--;
				return await done();
			});
			await Promise.all(Array.from({ length: 12 }, (_, index) => add(jobOf(`job-${index}`))));
			await waitFor('all', async () => (await port.state(never)).jobs.every(({ state }) => state === 'done'));
			assert.ok(most <= 2, `${most} at once`);
		});

		promises('lets many jobs of one person delay the first of another by no more than two of them', async () => {
			const begun = held();
			const offer = { ...everything, mostAtOnce: 1, mostOfGroup: 1 };
			for (const host of [port, await open()]) {
				host.take(offer, begun.handle);
			}
			const keys = Array.from({ length: 20 }, (_, index) => `ann-${index}`);
			await port.enqueue(
				keys.map((key) => jobOf(key, { group: 'ann' })),
				never,
			);
			await waitFor('her first', () => begun.began.length > 0);
			await add(jobOf('bob', { group: 'bob' }));
			await waitFor('his first', () => {
				// Both workers may have looked at once: then one of them is to end before.
				begun.began.filter((key) => key !== 'ann-0' && key !== 'bob').forEach((key) => begun.end(key));
				return begun.began.includes('bob');
			});
			assert.ok(begun.began.length <= 4, begun.began.join(' '));
			begun.endAll();
			await isIn('bob', 'done');
		});

		promises('begins a job after all that it waits for are done', async () => {
			const begun = held();
			port.take(everything, begun.handle);
			await add(jobOf('a'), jobOf('b'), jobOf('c', { after: ['a', 'b'] }));
			await waitFor('both', () => begun.began.length === 2);
			begun.end('a');
			await isIn('a', 'done');
			assert.deepEqual(begun.began.toSorted(), ['a', 'b']);
			begun.end('b');
			await waitFor('the last', () => begun.began.includes('c'));
			begun.endAll();
			await isIn('c', 'done');
		});

		promises('parks a job while a person is asked, and goes on with the answer in any host', async () => {
			const question = { id: 'ask-1', asks: { text: 'Push to main?' } };
			const worker = port.take(everything, async () => ({ state: 'parked', question }));
			const [id = ''] = await add(jobOf('a', { mostAttempts: 1 }), jobOf('b', { after: ['a'] }));
			await isIn('a', 'parked');
			await worker.drain(never);
			assert.deepEqual((await recordOf('a')).question, question);
			// A parked job keeps its key, and those after it wait.
			assert.deepEqual(await add(jobOf('a')), [id]);
			assert.equal((await recordOf('b')).state, 'waiting');
			await port.dispose();
			port = await open();
			assert.equal((await recordOf('a')).state, 'parked');
			assert.equal(await port.answer(id, 'ask-2', 'yes', never), false);
			const hosts = [port, await open(), await open()];
			const taken = await Promise.all(hosts.map((each, index) => each.answer(id, 'ask-1', { index }, never)));
			assert.equal(taken.filter(Boolean).length, 1);
			const seen: unknown[] = [];
			port.take(everything, async ({ key, attempt, answer }) => {
				seen.push([key, attempt, answer]);
				return await done();
			});
			await isIn('b', 'done');
			assert.deepEqual(seen, [
				['a', 1, { index: taken.indexOf(true) }],
				['b', 1, undefined],
			]);
			assert.equal(await port.answer(id, 'ask-1', 'late', never), false);
		});

		promises('takes no answer for a job that was cancelled while it was parked', async () => {
			port.take(everything, async () => ({ state: 'parked', question: { id: 'ask-1', asks: {} } }));
			const [id = ''] = await add(jobOf('a'));
			await isIn('a', 'parked');
			assert.equal(await port.cancel(id, never), true);
			assert.equal(await port.answer(id, 'ask-1', 'yes', never), false);
			assert.equal((await recordOf('a')).state, 'cancelled');
		});

		promises('hands the job of a killed worker to another one, and says that it is a further attempt', async () => {
			await add(jobOf('a', { kind: 'held', mostAttempts: 2 }));
			const child = await ports.startHolding();
			children.push(child);
			await isIn('a', 'working');
			await kill(child);
			const attempts: number[] = [];
			const { port: timed, advance } = await openTimed();
			timed.take({ ...everything, kinds: ['held'] }, async ({ attempt }) => {
				attempts.push(attempt);
				return await done();
			});
			await isIn('a', 'done', () => advance(1_000));
			assert.deepEqual(attempts, [2]);
		});

		promises('begins no job again whose last worker was killed over it', async () => {
			await add(jobOf('a', { kind: 'held', mostAttempts: 1 }));
			const child = await ports.startHolding();
			children.push(child);
			await isIn('a', 'working');
			await kill(child);
			const { port: timed, advance } = await openTimed();
			timed.take({ ...everything, kinds: ['held'] }, () => assert.fail('it began again'));
			await isIn('a', 'failed', () => advance(1_000));
			assert.equal((await recordOf('a')).reason, 'its worker was lost');
		});

		promises('refuses a schedule that has no time to come', async () => {
			for (const [pattern, zone] of [
				['every now and then', 'UTC'],
				['0 9 * * *', 'Europe/Nowhere'],
			] as const) {
				const schedule = { name: 'daily', pattern, zone, missed: 'skip', job: jobOf('a') } as const;
				await assert.rejects(port.schedule(schedule, never), { code: 'INVALID_PARAMS' });
			}
			assert.deepEqual((await port.state(never)).schedules, []);
		});

		promises('keeps one schedule of a name, until it is taken off', async () => {
			const job = jobOf('a', { labels: ['gpu'], group: 'ann', priority: 2, mostAttempts: 1 });
			const daily = { name: 'daily', pattern: '0 9 * * *', zone: 'Europe/Berlin', missed: 'once', job } as const;
			await port.schedule(daily, never);
			assert.deepEqual((await port.state(never)).schedules, [daily]);
			const other = { ...daily, pattern: '0 10 * * *', job: { ...job, labels: [] } };
			await port.schedule(other, never);
			assert.deepEqual((await (await open()).state(never)).schedules, [other]);
			assert.deepEqual([await port.unschedule('daily', never), await port.unschedule('daily', never)], [true, false]);
			assert.deepEqual((await port.state(never)).schedules, []);
		});

		promises('adds the job of a schedule once for each time, however many hosts there are', async () => {
			const { port: timed, advance } = await openTimed();
			const begun: string[] = [];
			timed.take(everything, async ({ key }) => {
				begun.push(key);
				return await done();
			});
			const job = jobOf('a');
			await timed.schedule({ name: 'each', pattern: '* * * * *', zone: 'UTC', missed: 'skip', job }, never);
			for (const count of [1, 2]) {
				await waitFor(`run ${count}`, async () => {
					await advance(5_000);
					return begun.length >= count;
				});
			}
			assert.equal(begun.length, 2);
		});
		const unknown = sample?.filter((promise) => !tried.has(promise)) ?? [];
		if (unknown.length > 0) throw new Error(`no promise of the contract is called ${unknown.join(', ')}`);
	});
}
