/** Folders in lists of changed files: one above another entry of the list is not named, for it comes and goes with that. Pure. */

export function withoutOuterFolders<T extends { readonly path: string }>(
	entries: readonly T[],
	isFolder: (entry: T) => boolean,
): T[] {
	const outer = new Set(entries.flatMap(({ path }) => foldersAbove(path)));
	return entries.filter((entry) => !outer.has(entry.path) || !isFolder(entry));
}

/** Paths of the folders that a path lies in, with slashes. */
export function foldersAbove(path: string): string[] {
	const names = path.split('/');
	return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/**
 * Orders what is put back: first what goes, from the lowest up; then folders that come, from the highest down; then the rest,
 * which lies in them.
 */
export function orderByDepth<T extends { readonly path: string }>(
	entries: readonly T[],
	becomes: (entry: T) => 'none' | 'folder' | 'link' | 'file',
): T[] {
	const ranks = { none: 0, folder: 1, link: 2, file: 2 };
	const rankFolder = (entry: T) => ranks[becomes(entry)];
	const countDepth = (entry: T) => entry.path.split('/').length * (rankFolder(entry) === 0 ? -1 : 1);
	return entries.toSorted((a, b) => rankFolder(a) - rankFolder(b) || countDepth(a) - countDepth(b));
}
