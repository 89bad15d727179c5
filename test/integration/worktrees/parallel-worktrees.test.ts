import { editInParallel } from './parallel-worktrees.ts';

describe('Random edits of two agents in worktrees at once', function () {
	this.timeout(180_000);

	it('are seen by their own agent only, and come home byte for byte or are named as conflicts', async () => {
		await editInParallel(20_261_130, 20, 2);
	});
});
