/** The empty folders in which executors work: each for one process, named for its host, gone after it. */
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { raceTimeout } from '../../base/time/bounded-wait.ts';
import { forceRemoveFolder } from '../../machine/home-files/remove-entries.ts';
import { listLeftBehind, ownName } from '../../store/left-behind.ts';
import { endLeftovers } from './leftover-processes.ts';
import { REMOVAL_MS } from './limits.ts';

/** Private to the user (0700). */
export function makeScratch(root: string): string {
	mkdirSync(root, { recursive: true, mode: 0o700 });
	return realpathSync(mkdtempSync(join(root, ownName())));
}

/**
 * Removes the folder; resolves when it is gone, or after a moment, because nested folders can be made that take seconds
 * to remove, and nobody waits for that. The removal goes on, and the next host looks again. Never rejects.
 */
export async function removeScratch(path: string): Promise<void> {
	await raceTimeout(forceRemoveFolder(path), REMOVAL_MS);
}

/** Removes what killed hosts left behind: folders, and processes that had left the groups of theirs. */
export async function sweepScratch(root: string): Promise<void> {
	const left = listLeftBehind(root).map((name) => join(root, name));
	for (const path of left) endLeftovers(0, path);
	await Promise.all(left.map(removeScratch));
}
