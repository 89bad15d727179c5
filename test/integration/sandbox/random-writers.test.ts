import { bubblewrap } from '../../support/sandbox-scene.ts';
import { writeAtRandom } from './random-writers.ts';

describe('Random writers in one folder', function () {
	this.timeout(120_000);

	it('are told apart: nothing of anybody else counts as a command', async function () {
		if (bubblewrap === undefined) this.skip();
		for (const seed of [1, 2, 3, 4, 5, 6]) await writeAtRandom(seed);
	});
});
