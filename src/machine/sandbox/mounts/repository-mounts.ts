/**
 * Git's own folder in a sandbox: Git works in it, but what makes it run other programs stays as it is. The folder is a mount
 * point, so that it cannot be moved away and another put in its place.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
	GIT_STEERING_FILES,
	hasRebaseProgram,
	reachedByGit,
	repositoryFolders,
} from '../../paths/names/repository-reach.ts';
import { readRegularFileSync } from '../../paths/reading/read-regular-file.ts';
import { GIT_FILE_BYTES } from '../limits.ts';
import type { Mounts } from './mounts.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

export function repositoryMounts(
	mounts: Mounts,
	folder: string,
	own: CommandFolders,
	isWritable: boolean,
	mayChange: (path: string) => boolean,
	/** True of what a command could change at all. */
	isWithin: (path: string) => boolean,
): void {
	if (isWritable) mounts.writable(folder);
	else mounts.readOnly(folder);
	// A link is no mount point; where it leads is a path of its own, and one that is exchanged is put back.
	const paths = steeringPaths(folder).filter((each) => isMountable(each) && isWithin(each) && !mayChange(each));
	for (const path of paths) {
		mounts.readOnly(path, /\/config[^/]*$/.test(path) ? withoutCredentials(path, own.root) : path);
	}
}

/** Paths that steer Git, in a repository and where it leads; not all of them exist. */
export function steeringPaths(folder: string): string[] {
	return repositoryFolders(folder)
		.flatMap((repository) => GIT_STEERING_FILES.map((name) => join(repository, name)))
		.filter((path) => !(path.endsWith('/commondir') && path.includes('/worktrees/')))
		.concat(reachedByGit(folder, dirname(folder)))
		.concat(hasRebaseProgram(folder) ? [join(folder, 'rebase-merge', 'git-rebase-todo')] : []);
}

/**
 * The repository that the `.git` file of a worktree or submodule leads to, where that lies elsewhere and leads back: a file
 * alone could name any repository of the user.
 */
export function findLinkedRepository(gitFile: string): string | undefined {
	try {
		const [, named = ''] = /^gitdir: (.+)$/m.exec(readGitFile(gitFile)) ?? [];
		const folder = realpathSync(resolve(dirname(gitFile), named));
		const worktree = join(folder, 'gitdir');
		if (existsSync(worktree)) {
			const leadsBack = realpathSync(readGitFile(worktree).trim()) === gitFile;
			return leadsBack ? realpathSync(resolve(folder, readGitFile(join(folder, 'commondir')).trim())) : undefined;
		}
		const [, tree = ''] = /^\s*worktree\s*=\s*(.+)$/m.exec(readGitFile(join(folder, 'config'))) ?? [];
		return realpathSync(resolve(folder, tree)) === dirname(gitFile) ? folder : undefined;
	} catch {
		// The path does not exist, or is not such a file.
		return undefined;
	}
}

function isMountable(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats !== undefined && !stats.isSymbolicLink();
}

/** Throws for what is no file of an ordinary size. */
function readGitFile(path: string): string {
	return readRegularFileSync(path, GIT_FILE_BYTES).toString('utf8');
}
