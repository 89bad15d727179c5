/** Worktrees of a project on the disk, with nobody who is asked, and without a window or a record. */
import { WorkspacePaths } from '../../src/machine/paths/workspace-paths.ts';
import { createWorktrees } from '../../src/features/worktrees/worktrees.ts';

type WorktreesDeps = Parameters<typeof createWorktrees>[0];

export function worktreesAt(
	place: Pick<WorktreesDeps, 'home' | 'project' | 'environment'>,
	table: WorktreesDeps['table'],
): ReturnType<typeof createWorktrees> {
	return createWorktrees({
		...place,
		paths: new WorkspacePaths({ folders: [{ name: 'project', path: place.project }] }),
		images: { keep: async () => {}, written: () => {} } as never,
		documents: { readOpen: () => undefined },
		expect: () => {},
		carryMade: async () => {},
		leaving: async () => {},
		place: undefined,
		markScripts: () => ({}),
		runThere: async () => ({ isDone: true, output: '' }),
		table,
	});
}
