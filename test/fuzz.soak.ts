import { fuzzExecutorFrames, fuzzViewMessages } from './fuzz.ts';
import { seedOfSoak } from './support/seeded.ts';

describe('soak: what nobody meant to send', () => {
	it('from an executor is refused, or taken for what it is: 5,000,000 frames (R-09)', () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		console.log('     ', fuzzExecutorFrames(5_000_000, seed));
	});

	it('from the view reaches a handler in the declared shape only: 1,000,000 messages', async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		console.log('     ', await fuzzViewMessages(1_000_000, seed));
	});
});
