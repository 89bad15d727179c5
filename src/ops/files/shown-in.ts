/**
 * Entries of a folder of the workspace, without the folders that the sandbox of a command puts there for as long as it
 * runs.
 */
import { join } from 'node:path';
import { listFolder } from '../../machine/paths/reading/read-file.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import type { FileDeps } from './file-deps.ts';

export async function shownIn(
	{ wall }: Pick<FileDeps, 'wall'>,
	located: Located,
	signal: AbortSignal,
): ReturnType<typeof listFolder> {
	const { entries, truncated } = await listFolder(located, signal);
	const isShown = ({ name, kind }: (typeof entries)[number]) =>
		kind !== 'folder' || !wall.isPlaceholder(join(located.realPath, name));
	return { entries: entries.filter(isShown), truncated };
}
