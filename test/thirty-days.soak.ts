import { seedOfSoak } from './support/seeded.ts';
import { livesThirtyDays } from './support/thirty-days.ts';

const LIVES = 30;

describe('soak: 30 days of schedules', () => {
	it(`begin each run once, in ${LIVES} lives of two hosts`, async () => {
		const first = seedOfSoak();
		for (let seed = first; seed < first + LIVES; seed += 1) {
			console.log('     ', await livesThirtyDays(seed));
		}
	});
});
