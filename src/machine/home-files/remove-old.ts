/** Removal of entries of a folder of the home that were not touched for a long time. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** `keptMs`: how long what has this name is kept. Never rejects: what could not be removed is looked at again the next time. */
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
