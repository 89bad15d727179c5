import { seedOfSoak } from '../../support/seeded.ts';
import { playChat } from './chat-at-any-moment.ts';

const acts = 200;

describe('soak: the chat used at random', () => {
	it(`comes to rest, and leaves nothing running, whatever was done: ${acts} acts`, async () => {
		const seed = seedOfSoak();
		console.log(`      PROWESS_SEED=${seed}`);
		await playChat({ acts, seed, killsHosts: true });
	});
});
