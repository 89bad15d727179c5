import { seedOfSoak } from '../../support/seeded.ts';
import { editInParallel } from './parallel-worktrees.ts';

describe('A thousand random edits of four agents in worktrees at once', function () {
	this.timeout(1_800_000);

	it('are seen by their own agent only, and come home byte for byte or are named as conflicts', async () => {
		await editInParallel(seedOfSoak(), 250);
	});
});
