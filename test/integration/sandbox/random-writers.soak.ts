import { seedOfSoak } from '../../support/seeded.ts';
import { writeAtRandom } from './random-writers.ts';

const MIXTURES = 1_000;

describe('Very many random writers in one folder', function () {
	this.timeout(7_200_000);

	it('are told apart: nothing of anybody else counts as a command', async () => {
		const first = seedOfSoak();
		console.log(`      seeds ${first} to ${first + MIXTURES - 1}`);
		for (let seed = first; seed < first + MIXTURES; seed++) await writeAtRandom(seed);
	});
});
