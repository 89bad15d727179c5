/**
 * Workspace folders that had too many files for a sweep, kept in the home: otherwise each new process would count them again
 * before its first command. Synchronous: runs in the sweep worker only.
 */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECOUNT_HOURS } from './limits.ts';

/** Thrown by a look at a folder that has more files than a sweep looks at. */
export class TooManyFiles extends Error {
	constructor(root: string, maxFiles: number) {
		super(`${root} has more than ${maxFiles} files that are not ignored`);
	}
}

/** Notes at `path` that a folder has too many files. */
export function noteLargeFolder(path: string, root: string, maxFiles: number): void {
	writeFileSync(path, describeFolder(root, maxFiles), { mode: 0o600 });
}

/**
 * True where the note at `path` says that the folder has too many files: for `RECOUNT_HOURS`, and until something is made or
 * removed in the folder itself, or its `.gitignore` changes.
 */
export function isNotedAsLarge(path: string, root: string, maxFiles: number): boolean {
	const noted = lstatSync(path, { throwIfNoEntry: false });
	const ageMs = Date.now() - (noted?.mtimeMs ?? Number.NEGATIVE_INFINITY);
	if (ageMs < 0 || ageMs > RECOUNT_HOURS * 3_600_000) return false;
	return readFileSync(path, 'utf8') === describeFolder(root, maxFiles);
}

function describeFolder(root: string, maxFiles: number): string {
	const stamps = [root, join(root, '.gitignore')].map((place) => {
		const stat = lstatSync(place, { throwIfNoEntry: false });
		return stat === undefined ? null : [stat.ino, stat.mtimeMs, stat.ctimeMs];
	});
	return JSON.stringify({ maxFiles, stamps });
}
