/** Removes a folder that a program has filled as it liked. */
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Never rejects: what cannot be removed stays, for the next host to look again. */
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
