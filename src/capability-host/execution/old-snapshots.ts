/** Copies of capabilities that nothing has run from for long, and drafts that a killed host left: gone when a host begins. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SNAPSHOT_DRAFT_MS, SNAPSHOT_KEPT_MS } from './limits.ts';

const WHOLE = /^[0-9a-f]{64}$/;

/** Never rejects: what could not be removed is looked at again by the next host. */
export async function removeOldSnapshots(home: string, now: number = Date.now()): Promise<void> {
	const root = join(home, 'snapshots');
	for (const name of await readdir(root).catch(() => [])) {
		const path = join(root, name);
		const usedAt = (await stat(path).catch(() => undefined))?.mtimeMs ?? now;
		if (now - usedAt > (WHOLE.test(name) ? SNAPSHOT_KEPT_MS : SNAPSHOT_DRAFT_MS)) {
			await rm(path, { recursive: true, force: true }).catch(() => undefined);
		}
	}
}
