/** 30 days with two hosts that sleep, die at every step of a run and find the clock changed: in simulated time, on a real file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { openDatabase } from '../../store/open-database.ts';
import type { MissedPolicy, Schedule } from './schedule.ts';
import type { ScheduleClock } from './schedule-clock.ts';
import { scheduleMigrations } from './schedule-migrations.ts';
import { ScheduleRunner } from './schedule-runner.ts';
import { ScheduleStore } from './schedule-store.ts';
import { latestDue, nextDue } from './timing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const zone = 'Europe/Berlin';
/** On the 25th the clocks of Berlin are put back. */
const begin = Date.parse('2026-10-10T00:00:30+02:00');
const wanted = {
	kind: 'prompt',
	text: 'list open issues',
	zone,
	words: '',
	folder: '',
	mode: 'ask',
	asks: 'refuse',
} as const;

/** Time that only moves when it is told to. The wall may show another time than has passed. */
class FakeTime {
	passed = 0;
	shift = 0;
	#timers: { at: number; call: () => void }[] = [];

	clock(): ScheduleClock {
		return {
			now: () => begin + this.passed + this.shift,
			after: (delayMs, call): Disposable => {
				const timer = { at: this.passed + delayMs, call };
				this.#timers.push(timer);
				return toDisposable(() => {
					this.#timers = this.#timers.filter((each) => each !== timer);
				});
			},
		};
	}

	/** Whatever is due in that time is called at its time, or after a sleep at the end of it. */
	async pass(ms: number, { asleep = false } = {}): Promise<void> {
		const end = this.passed + ms;
		if (asleep) {
			this.passed = end;
		}
		for (;;) {
			const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
			if (next === undefined || next.at > end) {
				break;
			}
			this.#timers = this.#timers.filter((each) => each !== next);
			this.passed = Math.max(this.passed, next.at);
			next.call();
			await new Promise(setImmediate);
		}
		this.passed = end;
	}
}

type Step = 'claimed' | 'asked' | 'begun' | 'ended';
const STEPS: readonly Step[] = ['claimed', 'asked', 'begun', 'ended'];

class World {
	readonly time = new FakeTime();
	readonly path = join(tempDir('home'), 'schedules.db');
	readonly alive = new Set<string>();
	/** Turns by the message that began them: the server takes no message twice. */
	readonly turns = new Map<string, { readonly schedule: string; readonly due: number }>();
	readonly asked = new Map<string, number>();
	/** Whoever comes to this step next dies there. */
	fatal: Step | undefined;
	deaths = 0;
	#hosts = 0;
	readonly #stores: ScheduleStore[] = [];

	store(owner: string): ScheduleStore {
		const store = new ScheduleStore(openDatabase(this.path, scheduleMigrations).db, {
			owner,
			isAlive: (other) => this.alive.has(other),
			now: () => this.time.clock().now(),
		});
		this.#stores.push(store);
		return store;
	}

	start(): void {
		this.#hosts += 1;
		const owner = `host ${this.#hosts}`;
		this.alive.add(owner);
		const store = this.store(owner);
		const passes = (step: Step) => {
			if (this.fatal !== step) {
				return;
			}
			this.fatal = undefined;
			this.deaths += 1;
			this.alive.delete(owner);
			runner.dispose();
			store.dispose();
			throw new Error('killed');
		};
		const runner = new ScheduleRunner({
			store: () => store,
			clock: this.time.clock(),
			log: { error: () => {} },
			isMine: () => true,
			carryOut: async ({ run }, begun) => {
				passes('claimed');
				this.asked.set(run.messageId, (this.asked.get(run.messageId) ?? 0) + 1);
				this.turns.set(run.messageId, { schedule: run.scheduleId, due: run.due });
				passes('asked');
				begun();
				passes('begun');
				passes('ended');
				return 'done';
			},
		});
		runner.follow();
	}

	close(): void {
		this.#stores.forEach((store) => store.dispose());
	}

	/** Times for which a schedule began a turn, in order. */
	times(id: string): number[] {
		const all = [...this.turns.values()].filter(({ schedule }) => schedule === id).map(({ due }) => due);
		return all.toSorted((a, b) => a - b);
	}
}

/** The same numbers for the same seed. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

describe('30 days of schedules', () => {
	let world: World;
	beforeEach(() => {
		world = new World();
	});
	afterEach(() => world.close());
	const added = (id: string, pattern: string, missed: MissedPolicy, mostMissed = 1): Schedule =>
		world
			.store('user')
			.add(id, { ...wanted, pattern, missed, mostMissed }, nextDue(pattern, zone, world.time.clock().now()) as number);

	for (const seed of [1]) {
		it(`begin each run once, with two hosts, sleep, kills and changed clocks (seed ${seed})`, async () => {
			const next = random(seed);
			const hourly = added('hourly', '7 * * * *', 'each', 100);
			const weekdays = added('weekdays', '0 9 * * 1-5', 'once');
			added('often', '*/30 * * * *', 'skip');
			added('gone', '2026-10-20T12:00:00', 'once');
			world.start();
			world.start();
			for (let hour = 0; hour < 30 * 24; hour += 1) {
				const luck = next();
				if (luck < 0.2) {
					world.fatal = STEPS[Math.floor(next() * STEPS.length)];
				} else if (luck < 0.25) {
					await world.time.pass(Math.floor(next() * 30) * HOUR, { asleep: true });
				} else if (luck < 0.28) {
					world.time.shift = Math.floor(next() * 4 - 2) * HOUR;
				}
				await world.time.pass(Math.floor(next() * 90) * MINUTE);
				while (world.alive.size < 2) {
					world.start();
				}
			}
			world.fatal = undefined;
			world.time.shift = 2 * HOUR;
			await world.time.pass(MINUTE);
			assert.ok(world.deaths > 20, `${world.deaths} deaths`);
			const now = world.time.clock().now();
			const all = ({ pattern }: Schedule) =>
				latestDue({ pattern, zone }, nextDue(pattern, zone, begin) as number, now, 2_000);
			assert.deepEqual(world.times(hourly.id), all(hourly));
			const ofWeekdays = world.times(weekdays.id);
			assert.equal(new Set(ofWeekdays).size, ofWeekdays.length);
			assert.ok(ofWeekdays.every((due) => all(weekdays).includes(due)));
			const often = world.times('often');
			assert.equal(new Set(often).size, often.length);
			assert.deepEqual(world.times('gone'), [Date.parse('2026-10-20T12:00:00+02:00')]);
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
