/**
 * Git's own folder in a sandbox: Git works in it, but what makes it run other programs stays as it is. The folder is a mount
 * point, so that it cannot be moved away and another put in its place.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Mounts } from './mounts.ts';
import type { CommandFolders } from './sandbox-folders.ts';
import { withoutCredentials } from './without-credentials.ts';

/** Of a repository, and of each of its submodules and worktrees. */
const SETTINGS = ['config', 'config.worktree', 'hooks', 'info/attributes'];

export function repositoryMounts(
	mounts: Mounts,
	folder: string,
	own: CommandFolders,
	isWritable: boolean,
	mayChange: (path: string) => boolean,
): void {
	if (isWritable) mounts.writable(folder);
	else mounts.readOnly(folder);
	for (const repository of [folder, ...inside(folder, 'modules'), ...inside(folder, 'worktrees')]) {
		for (const name of SETTINGS) {
			const path = join(repository, name);
			if (!mayChange(path) && existsSync(path)) {
				mounts.readOnly(path, name.startsWith('config') ? withoutCredentials(path, own) : path);
			}
		}
	}
}

function inside(folder: string, name: string): string[] {
	try {
		return readdirSync(join(folder, name)).map((each) => join(folder, name, each));
	} catch {
		// There are none.
		return [];
	}
}
