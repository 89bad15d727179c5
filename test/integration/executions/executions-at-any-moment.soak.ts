import { seedOfSoak } from '../../support/seeded.ts';
import { closeAtAnyMoment, stopAtAnyMoment } from './executions-at-any-moment.ts';

const stops = 1_000;
const closes = 100;

describe('soak: an execution, at any moment', () => {
	it(`is stopped to one end that stays, at ${stops} moments`, async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		await stopAtAnyMoment(stops, seed);
	});

	it(`leaves nothing of itself when its host closes, at ${closes} moments`, async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		await closeAtAnyMoment(closes, seed);
	});
});
