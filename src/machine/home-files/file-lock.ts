/**
 * Lock of a folder that allows a single change at a time among all processes of Prowess. The operating system holds the
 * lock, on a database that stays empty, so the lock ends with the process that holds it, however that process ends.
 */
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { findErrno } from '../paths/file-error.ts';
import { PRIVATE_FILE } from './durable-file.ts';

/** For another change, such as an installation, to end. */
const LOCK_WAIT_MS = 180_000;
const LOCK_POLL_MS = 50;

/** Rejects with INVALID_STATE when the other one does not end in time. */
export async function withLock<T>(path: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
	const db = await openLock(path);
	try {
		const until = performance.now() + LOCK_WAIT_MS;
		while (!tryExclusiveLock(db)) {
			signal.throwIfAborted();
			if (performance.now() > until) {
				throw new ProwessError('INVALID_STATE', 'another change of it has been under way for too long; try again', {
					path,
					said: text('Another window is changing it for too long. Try again.'),
				});
			}
			await wait(LOCK_POLL_MS);
		}
		signal.throwIfAborted();
		return await work();
	} finally {
		db.close();
	}
}

/** Holds the lock until it is disposed. Undefined: another process holds it now. */
export async function holdLock(path: string): Promise<Disposable | undefined> {
	const db = await openLock(path);
	let isOurs = false;
	try {
		isOurs = tryExclusiveLock(db);
	} finally {
		if (!isOurs) db.close();
	}
	return isOurs ? toDisposable(() => db.close()) : undefined;
}

async function openLock(path: string): Promise<DatabaseSync> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	// Loaded on use: it is new in Node, which says so.
	const sqlite = await import('node:sqlite');
	try {
		await (await open(path, 'wx', PRIVATE_FILE)).close();
	} catch (error) {
		// Do not open an existing file here: closing it would release a lock that this process already holds.
		if (findErrno(error) !== 'EEXIST') {
			throw error;
		}
	}
	return new sqlite.DatabaseSync(path);
}

function tryExclusiveLock(db: DatabaseSync): boolean {
	try {
		db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
		return true;
	} catch (error) {
		if (isBusy(error)) {
			return false;
		}
		throw error;
	}
}

/** SQLITE_BUSY, with its extended codes. */
function isBusy(error: unknown): boolean {
	return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
