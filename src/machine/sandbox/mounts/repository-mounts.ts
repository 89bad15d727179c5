/**
 * Git's own folder in a sandbox: Git works in it, but what makes it run other programs stays as it is. The folder is a mount
 * point, so that it cannot be moved away and another put in its place.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
	GIT_STEERING_FILES,
	hasRebaseProgram,
	reachedByGit,
	repositoryFolders,
} from '../../paths/names/repository-reach.ts';
import type { Mounts } from './mounts.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

interface RepositoryReach {
	readonly own: CommandFolders;
	readonly isWritable: boolean;
	mayChange(path: string): boolean;
	/** True of what a command could change at all. */
	isWithin(path: string): boolean;
}

export function repositoryMounts(mounts: Mounts, folder: string, tree: string, reach: RepositoryReach): void {
	if (reach.isWritable) mounts.writable(folder);
	else mounts.readOnly(folder);
	steeringMounts(mounts, steeringPaths(folder, tree), reach);
}

/** A link is no mount point; where it leads is a path of its own, and one that is exchanged is put back. */
export function steeringMounts(
	mounts: Mounts,
	steering: readonly string[],
	{ own, mayChange, isWithin }: RepositoryReach,
): void {
	for (const path of steering.filter((each) => isMountable(each) && isWithin(each) && !mayChange(each))) {
		mounts.readOnly(path, /\/config[^/]*$/.test(path) ? withoutCredentials(path, own.root) : path);
	}
}

/** Paths that steer Git, in a repository and where it leads from its work tree `tree`; not all of them exist. */
export function steeringPaths(folder: string, tree: string): string[] {
	return repositoryFolders(folder)
		.flatMap((repository) => GIT_STEERING_FILES.map((name) => join(repository, name)))
		.filter((path) => !(path.endsWith('/commondir') && path.includes('/worktrees/')))
		.concat(reachedByGit(folder, tree))
		.concat(hasRebaseProgram(folder) ? [join(folder, 'rebase-merge', 'git-rebase-todo')] : []);
}

function isMountable(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats !== undefined && !stats.isSymbolicLink();
}
