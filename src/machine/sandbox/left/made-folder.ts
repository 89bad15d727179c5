/**
 * A folder of a command as it was made, to be told from one that the command has changed: the next command may then have it,
 * and nothing need be removed and made anew. Told by the time that the system keeps of each change, which no program can set.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_STEP_MS } from '../limits.ts';

export interface MadeFolder {
	readonly root: string;
	/** Versions of all entries in the folder. */
	readonly versions: string;
	/** Time of the last change to any entry in the folder. */
	readonly changedMs: number;
}

/** Throws when it cannot be read. */
export function madeFolder(root: string): MadeFolder {
	const versions: string[] = [];
	let changedMs = 0;
	const visitEntry = (path: string) => {
		const stat = lstatSync(path, { bigint: true });
		versions.push(`${path} ${stat.ctimeNs} ${stat.dev}:${stat.ino}`);
		changedMs = Math.max(changedMs, Number(stat.ctimeNs / 1_000_000n));
		if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visitEntry(join(path, name));
	};
	// No command sees the folder itself: what the host puts there and takes away again is no trace of one.
	for (const name of readdirSync(root).sort()) visitEntry(join(root, name));
	return { root, versions: versions.join('\n'), changedMs };
}

/**
 * True when the folder is as it was made. `since`: time at which a program could first change it. Returns false when
 * that is within the same step of the clock as the making, because a change may then not show.
 */
export function isUntouched({ made, since }: { readonly made: MadeFolder; readonly since: number }): boolean {
	if (since - made.changedMs <= CLOCK_STEP_MS) {
		return false;
	}
	try {
		return madeFolder(made.root).versions === made.versions;
	} catch {
		// The program took from us what we need to read it.
		return false;
	}
}
