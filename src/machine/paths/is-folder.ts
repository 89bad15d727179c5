/** Looks at a path, for callers that need no more of it than what it is and where it leads. */
import { realpathSync, statSync } from 'node:fs';

/** Returns true when `path` is a folder, or a link to one. Throws when the system cannot tell. */
export function isExistingFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the path without links; undefined for one that does not exist, or that cannot be looked at. */
export function findRealPlace(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch {
		return undefined;
	}
}
