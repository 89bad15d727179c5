/** 30 days of schedules with two hosts: each run begins once, whatever happens to them. */
import assert from 'node:assert/strict';
import type { Schedule } from '../../src/features/schedule/schedule.ts';
import { latestDue, nextDue } from '../../src/features/schedule/timing.ts';
import { begin, HOUR, MINUTE, STEPS, World, zone } from './schedule-world.ts';
import { below, pick, seeded } from './seeded.ts';

/** `lookMs`: the longest time between two looks at the clock. Resolves with what happened, in words. */
export async function livesThirtyDays(seed: number, lookMs?: number): Promise<string> {
	const random = seeded(seed);
	const world = new World(lookMs);
	try {
		const hourly = world.add('hourly', '7 * * * *', 'each', 100);
		const weekdays = world.add('weekdays', '0 9 * * 1-5', 'once');
		world.add('often', '*/30 * * * *', 'skip');
		world.add('gone', '2026-10-20T12:00:00', 'once');
		world.start();
		world.start();
		for (let hour = 0; hour < 30 * 24; hour += 1) {
			const luck = random();
			if (luck < 0.2) {
				world.fatal = pick(random, STEPS);
			} else if (luck < 0.25) {
				await world.time.pass(below(random, 30) * HOUR, { asleep: true });
			} else if (luck < 0.28) {
				world.time.shift = (below(random, 4) - 2) * HOUR;
			}
			await world.time.pass(below(random, 90) * MINUTE);
			while (world.alive.size < 2) {
				world.start();
			}
		}
		world.fatal = undefined;
		world.time.shift = 2 * HOUR;
		await world.time.pass(5 * MINUTE);
		assert.ok(world.deaths > 20, `${world.deaths} deaths`);
		const now = world.time.clock().now();
		const all = ({ pattern }: Schedule) =>
			latestDue({ pattern, zone }, nextDue(pattern, zone, begin) as number, now, 2_000);
		const ofHours = world.times(hourly.id);
		assert.equal(new Set(ofHours).size, ofHours.length);
		// A clock that is put back in the first hours shows times of before the beginning, which then come once, too.
		const first = all(hourly)[0] as number;
		assert.deepEqual(
			ofHours.filter((due) => due >= first),
			all(hourly),
		);
		const ofWeekdays = world.times(weekdays.id);
		assert.equal(new Set(ofWeekdays).size, ofWeekdays.length);
		const weekdayTimes = new Set(all(weekdays));
		assert.ok(ofWeekdays.every((due) => weekdayTimes.has(due)));
		const often = world.times('often');
		assert.equal(new Set(often).size, often.length);
		assert.deepEqual(world.times('gone'), [Date.parse('2026-10-20T12:00:00+02:00')]);
		return `seed ${seed}: ${world.turns.size} runs, ${world.deaths} deaths`;
	} finally {
		world.close();
	}
}
