import assert from 'node:assert/strict';
import { workerSkills } from '../../support/worker-skills.ts';
import { interleave } from './worker-interleavings.ts';

describe('Calls of workers in any order', function () {
	this.timeout(60_000);

	for (const skill of workerSkills) {
		it(`have exactly one end each, in a ${skill.runtime}`, async function () {
			if (skill.lack !== undefined) this.skip();
			const ends = await interleave(skill, 20_261_126, 60);
			for (const how of ['done', 'PROCESS_CRASHED', 'EXECUTION_TIMEOUT', 'CANCELLED', 'EXECUTION_FAILED']) {
				assert.ok((ends.get(how) ?? 0) > 0, `none ended with ${how}`);
			}
		});
	}
});
