/**
 * Git's own folder in a sandbox: Git works in it, but what makes it run other programs stays as it is. The folder is a mount
 * point, so that it cannot be moved away and another put in its place.
 */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Mounts } from './mounts.ts';
import type { CommandFolders } from '../sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Files that steer Git, in a repository and in each of its submodules and worktrees. */
const GIT_STEERING_FILES = ['config', 'config.worktree', 'commondir', 'hooks', 'info/attributes'];

export function repositoryMounts(
	mounts: Mounts,
	folder: string,
	own: CommandFolders,
	isWritable: boolean,
	mayChange: (path: string) => boolean,
): void {
	if (isWritable) mounts.writable(folder);
	else mounts.readOnly(folder);
	for (const path of steeringPaths(folder).filter((each) => !mayChange(each))) {
		mounts.readOnly(path, /\/config[^/]*$/.test(path) ? withoutCredentials(path, own.root) : path);
	}
}

/** Paths in a repository that exist and steer Git. */
export function steeringPaths(folder: string): string[] {
	return [folder, ...listEntryPaths(folder, 'modules'), ...listEntryPaths(folder, 'worktrees')]
		.flatMap((repository) => GIT_STEERING_FILES.map((name) => join(repository, name)))
		.filter((path) => !(path.endsWith('/commondir') && path.includes('/worktrees/')))
		.concat(listHookFolders(folder))
		.filter((path) => existsSync(path));
}

/** A folder of hooks that the settings name, where it lies in the work tree. */
function listHookFolders(folder: string): string[] {
	const text = readTextOrEmpty(join(folder, 'config'));
	const [, named] = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text) ?? [];
	const path = named === undefined ? undefined : resolve(dirname(folder), named);
	return path === undefined || path === dirname(folder) || !path.startsWith(`${dirname(folder)}/`) ? [] : [path];
}

/**
 * The repository that the `.git` file of a worktree or submodule leads to, where that lies elsewhere and leads back: a file
 * alone could name any repository of the user.
 */
export function findLinkedRepository(gitFile: string): string | undefined {
	try {
		const [, named = ''] = /^gitdir: (.+)$/m.exec(readFileSync(gitFile, 'utf8')) ?? [];
		const folder = realpathSync(resolve(dirname(gitFile), named));
		const worktree = join(folder, 'gitdir');
		if (existsSync(worktree)) {
			const leadsBack = realpathSync(readFileSync(worktree, 'utf8').trim()) === gitFile;
			return leadsBack
				? realpathSync(resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim()))
				: undefined;
		}
		const [, tree = ''] = /^\s*worktree\s*=\s*(.+)$/m.exec(readFileSync(join(folder, 'config'), 'utf8')) ?? [];
		return realpathSync(resolve(folder, tree)) === dirname(gitFile) ? folder : undefined;
	} catch {
		// The path does not exist, or is not such a file.
		return undefined;
	}
}

function listEntryPaths(folder: string, name: string): string[] {
	try {
		return readdirSync(join(folder, name)).map((each) => join(folder, name, each));
	} catch {
		// The folder is missing.
		return [];
	}
}

/** Empty for what is no file: a program may have put anything there. */
function readTextOrEmpty(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}
