import type { ThreadInfo } from './thread.ts';

/** The folder a thread was begun in, by its name, where it is none of these; undefined where it is, or was begun without one. */
export function otherFolder(
	{ workspace }: Pick<ThreadInfo, 'workspace'>,
	folders: readonly string[],
): string | undefined {
	return workspace === null || folders.includes(workspace)
		? undefined
		: (workspace.split(/[\\/]/).findLast((name) => name !== '') ?? workspace);
}
