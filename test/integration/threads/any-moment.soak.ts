import { seedOfSoak } from '../../support/seeded.ts';
import { endAtAnyMoment } from './any-moment.ts';

const moments = 100;

describe('soak: being ended at any moment', () => {
	it(`leaves no process, nothing done twice, and a thread that goes on, at ${moments} moments`, async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		await endAtAnyMoment(moments, seed);
	});
});
