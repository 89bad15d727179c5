/**
 * Finds the repository of a workspace that is only a part of it, such as a package that is opened alone. Commands are
 * shown its other files, read-only and without secrets, because Git takes what it does not see for deleted.
 */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { userHomeFolder } from '../../environment.ts';
import { dirname, join } from 'node:path';
import { findLinkedRepository } from '../../paths/names/repository-reach.ts';
import type { GuardedPlace } from './guarded-place.ts';
import { HIDDEN_FOLDERS } from './hidden-places.ts';
import { homeOfUser } from './home-table.ts';
import { isInFolder } from './mounts.ts';

/** A work tree around the workspace. */
export interface RepositoryAbove {
	/** Free of links. */
	readonly tree: string;
	/** Secret files in the tree that do not lie in the workspace. */
	readonly secrets: readonly GuardedPlace[];
	/** The place `.git` of the tree, all that a command may change in it; none where that is gone. */
	readonly repository: readonly GuardedPlace[];
}

/** Folders that hold more than one project. */
const SHARED_FOLDERS = new Set(['/', '/tmp', '/var/tmp', ...HIDDEN_FOLDERS]);

/**
 * Returns the work trees of the repositories that hold these folders, without those that would show a home, hold what is
 * in `kept`, or belong to somebody else.
 */
export function findTreesAbove(roots: readonly string[], kept: string): readonly string[] {
	const homes = [userHomeFolder(), homeOfUser(), kept];
	const trees = roots.flatMap((root) => {
		const tree = holdsRepository(root) ? undefined : findTree(dirname(root));
		const isFit = (path: string) =>
			!SHARED_FOLDERS.has(path) &&
			!homes.some((home) => isInFolder(home, path)) &&
			isOwn(path) &&
			isOwn(join(path, '.git'));
		return tree !== undefined && isFit(tree) ? [tree] : [];
	});
	return [...new Set(trees)];
}

interface TreeAbove {
	readonly tree: string;
	readonly places: readonly GuardedPlace[];
}

/** Parts the trees around the workspace: a tree in which not everything is found that is to be guarded is not shown. */
export function guardTreesAbove(
	roots: readonly string[],
	found: readonly TreeAbove[],
	isWhole: (found: TreeAbove) => boolean,
): { readonly above: readonly RepositoryAbove[]; readonly notShown: readonly string[] } {
	return {
		above: found.filter(isWhole).map(({ tree, places }) => guardAbove(tree, places, roots)),
		notShown: found.filter((each) => !isWhole(each)).map(({ tree }) => tree),
	};
}

/** Returns what a command may not see, or change only in part, of a tree around the workspace. */
export function guardAbove(tree: string, places: readonly GuardedPlace[], roots: readonly string[]): RepositoryAbove {
	const isOutside = (path: string) => !roots.some((root) => isInFolder(path, root));
	return {
		tree,
		secrets: places.filter(({ path, isSecret }) => isSecret && isOutside(path)),
		repository: places.filter(({ path }) => path === join(tree, '.git')),
	};
}

function findTree(folder: string): string | undefined {
	if (holdsRepository(folder)) return folder;
	return dirname(folder) === folder ? undefined : findTree(dirname(folder));
}

/** A folder without `HEAD` is none to Git, and often stands for a repository that nobody is to make. */
function holdsRepository(folder: string): boolean {
	const path = join(folder, '.git');
	return existsSync(join(path, 'HEAD')) || findLinkedRepository(path) !== undefined;
}

function isOwn(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats !== undefined && !stats.isSymbolicLink() && statSync(path).uid === (process.getuid?.() ?? stats.uid);
}
