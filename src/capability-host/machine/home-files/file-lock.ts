/**
 * One change at a time in a folder, among all our processes. The lock is the system's, on a database that stays empty: it
 * goes with the process that holds it, however that ends.
 */
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ProwessError } from '../../../protocol/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { PRIVATE_FILE } from './durable-file.ts';
import { LOCK_POLL_MS, LOCK_WAIT_MS } from './limits.ts';

/** Rejects with INVALID_STATE when the other one does not end in time. */
export async function withLock<T>(path: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	// Loaded on use: it is new in Node, which says so.
	const { DatabaseSync } = await import('node:sqlite');
	await (await open(path, 'a', PRIVATE_FILE)).close();
	const db = new DatabaseSync(path);
	try {
		const until = performance.now() + LOCK_WAIT_MS;
		for (;;) {
			signal.throwIfAborted();
			try {
				db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
				break;
			} catch (error) {
				if (!isBusy(error)) {
					throw error;
				}
				if (performance.now() > until) {
					throw new ProwessError('INVALID_STATE', 'another change of it has been under way for too long; try again', {
						path,
						said: text('Another window is changing it for too long. Try again.'),
					});
				}
			}
			await wait(LOCK_POLL_MS);
		}
		return await work();
	} finally {
		db.close();
	}
}

/** SQLITE_BUSY, with its extended codes. */
function isBusy(error: unknown): boolean {
	return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
