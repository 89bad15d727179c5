import assert from 'node:assert/strict';
import { type Act, showKill } from './killed-worktrees.ts';

describe('A host that is killed at every step', function () {
	this.timeout(1_800_000);

	for (const act of ['open', 'apply', 'merge', 'rebase', 'keepBranch', 'discard'] as const satisfies readonly Act[]) {
		for (const isRepository of ['merge', 'rebase', 'keepBranch'].includes(act) ? [true] : [true, false]) {
			it(`of ${act} ${isRepository ? 'in a repository' : 'of a copy'} loses nothing and leaves nothing`, async () => {
				let step = 1;
				while (await showKill(act, step, isRepository)) step += 1;
				assert.ok(step > 3, `${act} has only ${step} steps`);
			});
		}
	}
});
