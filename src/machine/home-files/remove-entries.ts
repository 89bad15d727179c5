/** Removal of what the home no longer needs: folders that programs have filled, and entries that are old. */
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Removes a folder that a program has filled as it liked. Never rejects: what cannot be removed stays, for the next host to look again. */
export async function forceRemoveFolder(path: string): Promise<void> {
	const all = { recursive: true, force: true, maxRetries: 3, retryDelay: 20 };
	try {
		await rm(path, all);
	} catch {
		// The program may have made folders that even their owner cannot enter.
		await openFolders(path);
		await rm(path, all).catch(() => undefined);
	}
}

async function openFolders(path: string): Promise<void> {
	try {
		await chmod(path, 0o700);
		for (const entry of await readdir(path, { withFileTypes: true })) {
			if (entry.isDirectory()) await openFolders(join(path, entry.name));
		}
	} catch {
		// Gone, or not ours.
	}
}

/**
 * Removes entries of a folder that were not touched for a long time. `keptMs`: how long what has this name is kept. Never rejects: what could not be removed is looked at again the next time.
 */
export async function removeOld(
	folder: string,
	keptMs: (name: string) => number,
	now: number = Date.now(),
): Promise<void> {
	for (const name of await readdir(folder).catch(() => [])) {
		const path = join(folder, name);
		const touchedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? now;
		if (now - touchedAt > keptMs(name)) {
			await rm(path, { recursive: true, force: true }).catch(() => undefined);
		}
	}
}
