/**
 * Git's own folder in a sandbox: Git works in it, but what makes it run other programs stays as it is. The folder is a mount
 * point, so that it cannot be moved away and another put in its place.
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
	closedFoldersOfGit,
	findRebaseProgram,
	GIT_STEERING_FILES,
	reachedByGit,
	type RepositoryFolders,
	repositoryFolders,
	settlePath,
} from '../../paths/names/repository-reach.ts';
import { isInFolder, type Mounts } from './mounts.ts';
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
	const folders = repositoryFolders(folder);
	const steering = [...steeringPaths(folder, tree, folders), ...closedFoldersOfGit(folders)];
	steeringMounts(mounts, steering, [folder, tree], reach);
}

/**
 * A link is no mount point; where it leads is a path of its own, and one that is exchanged is put back. Folders below `tops` that
 * hold what steers Git are mount points, too: else they could be moved away with it, and others put in their place.
 */
export function steeringMounts(
	mounts: Mounts,
	steering: readonly string[],
	tops: readonly string[],
	{ own, isWritable, mayChange, isWithin }: RepositoryReach,
): void {
	// A mount is found by a path without links, and a link above one may be a command's.
	const settled = new Set(steering.filter(isMountable).map(settlePath));
	const paths = [...settled].filter((each) => isWithin(each) && !mayChange(each));
	const above = new Set(paths.flatMap((path) => listTopFolders(path, tops)));
	// Nearest to the top first: what is mounted later covers what lies in it.
	for (const folder of [...above].sort((one, other) => one.length - other.length)) {
		if (isWritable && !paths.some((path) => isInFolder(folder, path))) mounts.writable(folder);
	}
	for (const path of paths) {
		mounts.readOnly(path, /\/config[^/]*$/.test(path) ? withoutCredentials(path, own.root) : path);
	}
}

/** Paths that steer Git, in a repository and where it leads from its work tree `tree`; not all of them exist. */
export function steeringPaths(
	folder: string,
	tree: string,
	folders: RepositoryFolders = repositoryFolders(folder),
): string[] {
	// Git itself writes where a worktree has its settings from.
	const worktrees = new Set(folders.all.map((repository) => join(repository, 'worktrees')));
	return folders.all
		.flatMap((repository) => GIT_STEERING_FILES.map((name) => join(repository, name)))
		.filter((path) => !(path.endsWith('/commondir') && worktrees.has(dirname(dirname(path)))))
		.concat(reachedByGit(folder, tree, folders))
		.concat(folders.all.flatMap((repository) => findRebaseProgram(repository) ?? []));
}

/** Folders between a path and the innermost of `tops` that holds it. */
function listTopFolders(path: string, tops: readonly string[]): string[] {
	const top = tops.filter((each) => path.startsWith(`${each}/`)).sort((one, other) => other.length - one.length)[0];
	const folders: string[] = [];
	for (let at = dirname(path); top !== undefined && at !== top; at = dirname(at)) folders.push(at);
	return folders;
}

function isMountable(path: string): boolean {
	try {
		return !lstatSync(path).isSymbolicLink();
	} catch {
		// Paths that lead through a file, or a circle of links, lead nowhere.
		return false;
	}
}
