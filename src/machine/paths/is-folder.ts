/** Looks at a path, for callers that need no more of it than what it is and where it leads. */
import { accessSync, constants, lstatSync, realpathSync, statSync } from 'node:fs';

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

/**
 * Returns true for a folder of this user that cannot be looked into. The owner can open it again at any
 * time, and so can a command of the owner: its contents are not out of reach, only unknown.
 */
export function isClosedFolder(path: string): boolean {
	try {
		const stat = lstatSync(path, { throwIfNoEntry: false });
		if (stat?.isDirectory() !== true || stat.uid !== process.getuid?.()) return false;
	} catch {
		return false;
	}
	try {
		accessSync(path, constants.R_OK | constants.X_OK);
		return false;
	} catch {
		return true;
	}
}
