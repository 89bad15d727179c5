import { realpathSync } from 'node:fs';

/** Name of a project, with links resolved, so that editor and command line mean the same one. */
export function resolveProjectKey(folder: string): string {
	try {
		return folder === '' ? '' : realpathSync.native(folder);
	} catch {
		return folder;
	}
}
