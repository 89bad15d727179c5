/** Where a search looks, and how what it finds is named. */
import { ProwessError } from '../../protocol/errors.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { FileDeps } from './file-deps.ts';
import { createPathNotFound } from './not-found.ts';

/** For `.`, all folders of the workspace. Rejects unless each is a file or a folder. */
export async function locateScope(
	{ paths }: Pick<FileDeps, 'paths'>,
	path: string,
	signal: AbortSignal,
): Promise<Located[]> {
	const places = await Promise.all(paths.resolveScope(path).map((asked) => paths.locate(asked)));
	for (const place of places) {
		if (place.kind === 'missing') {
			throw await createPathNotFound(paths, place, signal);
		}
		if (place.kind === 'other') {
			throw new ProwessError('NOT_A_FILE', `${place.path} is neither a file nor a folder`, { path: place.path });
		}
	}
	return places;
}

/** With the name of its folder where there are several. `below`: the folder's root. */
export function shownPath({ paths }: Pick<FileDeps, 'paths'>, { folder }: Located, below: string): string {
	return paths.folders.length > 1 ? `${folder.name}/${below}` : below;
}
