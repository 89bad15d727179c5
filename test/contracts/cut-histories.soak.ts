import { seedOfSoak } from '../support/seeded.ts';
import { sendCutHistories } from './cut-histories.ts';

describe('soak: threads that were cut', () => {
	it('are taken by every vendor: 100,000 of them', async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		console.log('     ', await sendCutHistories(100_000, seed));
	});
});
