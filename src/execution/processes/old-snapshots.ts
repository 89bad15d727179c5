/** Copies of capabilities that nothing has run from for long, and drafts that a killed host left: gone when a host begins. */
import { join } from 'node:path';
import { removeOld } from '../../machine/home-files/remove-old.ts';
import { SNAPSHOT_DRAFT_MS, SNAPSHOT_KEPT_MS } from './limits.ts';

const SNAPSHOT_NAME = /^[0-9a-f]{64}$/;

/** Never rejects: what could not be removed is looked at again by the next host. */
export async function removeOldSnapshots(home: string, now?: number): Promise<void> {
	await removeOld(
		join(home, 'snapshots'),
		(name) => (SNAPSHOT_NAME.test(name) ? SNAPSHOT_KEPT_MS : SNAPSHOT_DRAFT_MS),
		now,
	);
}
