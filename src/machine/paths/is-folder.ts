/** Test for a folder, for callers that need no more of it. */
import { statSync } from 'node:fs';

/** Returns true when `path` is a folder, or a link to one. Throws when the system cannot tell. */
export function isExistingFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
