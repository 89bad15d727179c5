import { seedOfSoak } from '../../support/seeded.ts';
import { changeAtRandom } from './random-changes.ts';

describe('Very many random edits and commands in real processes', function () {
	this.timeout(1_800_000);

	it('go back to any message byte for byte, and come again', async () => {
		await changeAtRandom(seedOfSoak(), 10, 100);
	});
});
