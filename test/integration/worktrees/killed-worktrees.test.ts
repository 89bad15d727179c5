import { type Act, showKill } from './killed-worktrees.ts';

describe('A host that is killed', function () {
	this.timeout(120_000);

	// A few steps of each; `npm run soak` takes all.
	const steps: readonly (readonly [Act, string, readonly number[]])[] = [
		['open', 'while it makes a worktree', [6, 12]],
		['apply', 'while it brings changes home', [14, 24]],
		['merge', 'while it merges', [30]],
		['rebase', 'while it rebases', [30]],
		['keepBranch', 'while it keeps a branch', [16]],
		['discard', 'while it discards a worktree', [9]],
	];
	for (const [act, what, some] of steps) {
		it(`${what} loses nothing, and leaves nothing that is not listed and removed`, async () => {
			for (const step of some) await showKill(act, step);
		});
	}
});
