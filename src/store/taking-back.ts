/**
 * Reads a database file as it was before a writer that was killed in the middle. SQLite keeps what that has overwritten in a
 * journal beside the file, and a connection that only reads may not put it back: it fails, each time, until somebody has.
 */
import { DatabaseSync } from 'node:sqlite';
import { storeLimits } from './limits.ts';

/** SQLITE_READONLY_ROLLBACK. */
const NEEDS_ROLLBACK = 776;

/** `read` opens the file only for reading; it is called again when something had to be taken back first. */
export function takingBack<T>(path: string, read: () => T): T {
	try {
		return read();
	} catch (error) {
		if ((error as { readonly errcode?: unknown }).errcode !== NEEDS_ROLLBACK) {
			throw error;
		}
		rollBackJournal(path);
		return read();
	}
}

/** The first look at a file puts back what its journal holds. */
function rollBackJournal(path: string): void {
	const db = new DatabaseSync(path);
	try {
		db.exec(`PRAGMA busy_timeout = ${storeLimits.busyTimeoutMs}`);
		db.prepare('PRAGMA schema_version').get();
	} finally {
		db.close();
	}
}
