/** Checks the duties of hosts towards schedules, in simulated time: 30 days with kills, sleep and changed clocks. */
import assert from 'node:assert/strict';
import { DAY, HOUR, MINUTE, STEPS, World, zone } from '../../../test/support/schedule-world.ts';
import { livesThirtyDays } from '../../../test/support/thirty-days.ts';
import { nextDue } from './timing.ts';

/** The limit is for a fault: a simulated month is much work for a busy machine. */
const monthLimitMs = 120_000;

describe('30 days of schedules', function () {
	this.timeout(monthLimitMs);
	let world: World;
	beforeEach(() => {
		world = new World();
	});
	afterEach(() => world.close());
	const added: World['add'] = (...wanted) => world.add(...wanted);

	for (const seed of [1, Date.now() % 2 ** 32]) {
		it(`begin each run once, with two hosts, sleep, kills and changed clocks (seed ${seed})`, async () => {
			// The soak looks as often as hosts do.
			await livesThirtyDays(seed, 3 * MINUTE);
		});
	}

	it('run daily at the hour that comes twice, and once in the one that does not come', async () => {
		const daily = added('daily', '30 2 * * *', 'skip');
		world.start();
		world.start();
		await world.time.pass(17 * DAY);
		assert.deepEqual(world.times(daily.id).slice(-3), [
			Date.parse('2026-10-24T02:30:00+02:00'),
			Date.parse('2026-10-25T02:30:00+02:00'),
			Date.parse('2026-10-26T02:30:00+01:00'),
		]);
		assert.equal(world.times(daily.id).length, 17);
		assert.equal(nextDue('30 2 * * *', zone, Date.parse('2026-03-28T12:00Z')), Date.parse('2026-03-29T01:00Z'));
	});

	for (const [missed, most, begins] of [
		['skip', 1, 0],
		['once', 1, 1],
		['each', 3, 3],
	] as const) {
		it(`make up for ${begins} of 8 missed runs with the policy ${missed}`, async () => {
			const { id } = added('hourly', '7 * * * *', missed, most);
			world.start();
			await world.time.pass(8.5 * HOUR, { asleep: true });
			assert.equal(world.times(id).length, begins);
			const last = world.store('user').get(id)?.lastRun;
			assert.equal(last?.state, begins === 0 ? 'skipped' : 'done');
			await world.time.pass(HOUR);
			assert.equal(world.times(id).length, begins + 1);
		});
	}

	it('take over what had not begun, and repeat nothing that had', async () => {
		for (const step of STEPS) {
			const { id } = added(step, '7 * * * *', 'each', 10);
			world.fatal = step;
			world.start();
			await world.time.pass(HOUR);
			world.start();
			await world.time.pass(MINUTE);
			const runs = world.store('user').runs(id);
			assert.deepEqual(
				runs.map(({ state }) => state),
				[step === 'claimed' || step === 'asked' ? 'done' : 'interrupted'],
				step,
			);
			assert.equal(world.times(id).length, 1);
			world.store('user').delete(id);
		}
	});

	it('wait for no time that the clock had run ahead to', async () => {
		const { id } = added('daily', '0 9 * * *', 'skip');
		world.start();
		world.time.shift = 365 * DAY;
		await world.time.pass(MINUTE);
		world.time.shift = 0;
		await world.time.pass(MINUTE);
		assert.equal(world.store('user').get(id)?.nextDue, Date.parse('2026-10-10T09:00:00+02:00'));
	});

	it('look no more often while a run takes longer than the time between two', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		world.until = promise;
		const { id } = added('often', '*/5 * * * *', 'skip');
		world.start();
		await world.time.pass(HOUR);
		assert.ok(world.looks < 1_000, `${world.looks} looks in an hour`);
		assert.equal(world.times(id).length, 1);
		resolve();
		await world.time.pass(10 * MINUTE);
		assert.ok(world.times(id).length >= 3);
	});

	it('leave a paused one alone, and make up for nothing when it goes on', async () => {
		const schedule = added('hourly', '7 * * * *', 'each', 10);
		world.start();
		world.store('user').pause(schedule.id);
		await world.time.pass(5 * HOUR);
		world.store('user').resume(schedule);
		await world.time.pass(HOUR);
		assert.equal(world.times(schedule.id).length, 1);
	});
});
