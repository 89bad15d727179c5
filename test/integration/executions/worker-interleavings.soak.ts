import { seedOfSoak } from '../../support/seeded.ts';
import { workerSkills } from '../../support/worker-skills.ts';
import { interleave } from './worker-interleavings.ts';

const ROUNDS = 20;
const CALLS = 250;

describe('Ten thousand calls of workers in any order', function () {
	this.timeout(3_600_000);

	for (const skill of workerSkills) {
		it(`have exactly one end each, in a ${skill.runtime}`, async function () {
			if (skill.lack !== undefined) this.skip();
			const seed = seedOfSoak();
			for (let round = 0; round < ROUNDS; round += 1) {
				const ends = await interleave(skill, seed + round, CALLS);
				console.log(`      seed ${seed + round}: ${[...ends].map(([how, count]) => `${count} ${how}`).join(', ')}`);
			}
		});
	}
});
