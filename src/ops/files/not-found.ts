/** Finds the file of a path. NOT_FOUND says which paths the caller may have meant. */
import { nameInList } from '../../base/text/one-line.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { findNearFileNames } from '../../machine/paths/names/near-names.ts';
import { refuseUnlessFile } from '../../machine/paths/reading/open-file.ts';
import { listFolder } from '../../machine/paths/reading/read-file.ts';
import type { Located, WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

/** Rejects with NOT_FOUND and NOT_A_FILE, as well as for a path that may not be reached. */
export async function locateFile(paths: WorkspacePaths, path: string, signal: AbortSignal): Promise<Located> {
	const located = await paths.locate(paths.resolve(path));
	if (located.kind === 'missing') {
		throw await createPathNotFound(paths, located, signal);
	}
	refuseUnlessFile(located);
	return located;
}

export async function createPathNotFound(
	paths: WorkspacePaths,
	located: Located,
	signal: AbortSignal,
): Promise<ProwessError> {
	const near = [...(await withoutFolderName(paths, located)), ...(await findNearSiblings(paths, located, signal))];
	const hint = near.length === 0 ? '' : `; did you mean ${near.map(nameInList).join(', ')}?`;
	return new ProwessError('NOT_FOUND', `${located.path} does not exist${hint}`, { path: located.path, near });
}

/** With one folder, paths do not start with its name; many a caller writes it all the same. */
async function withoutFolderName(paths: WorkspacePaths, { segments, folder }: Located): Promise<string[]> {
	if (paths.folders.length !== 1 || segments.length < 2 || segments[0] !== folder.name) {
		return [];
	}
	const other = await paths.locate(paths.resolve(segments.slice(1).join('/')));
	return other.kind === 'missing' ? [] : [other.path];
}

/** Names like the first one that is missing, in the deepest folder that is there. */
async function findNearSiblings(
	paths: WorkspacePaths,
	{ folder, segments }: Located,
	signal: AbortSignal,
): Promise<string[]> {
	for (let depth = segments.length - 1; depth >= 0; depth--) {
		const start = { folder, segments: segments.slice(0, depth) };
		const prefix = paths.folders.length > 1 ? [folder.name, ...start.segments] : start.segments;
		const parent = await paths.locate(paths.resolve(prefix.join('/') || '.'));
		if (parent.kind === 'folder') {
			const { entries } = await listFolder(parent, signal);
			const names = findNearFileNames(
				segments[depth] ?? '',
				entries.map((entry) => entry.name),
			);
			return names.map((name) => [...prefix, name].join('/'));
		}
	}
	return [];
}
