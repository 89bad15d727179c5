/**
 * Opens one of our databases: private to the user, in WAL mode where the disk can bear it, several hosts at once. A file that
 * is no sound database is moved aside, never deleted, and named in `movedAside`.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { journalFor } from '../../../store/journal.ts';
import { inodeOf, isDamage, isSound, putAside } from '../../../store/damage.ts';
import { BUSY_TIMEOUT_MS, MAX_CHECKED_BYTES } from './limits.ts';

export interface OpenedDatabase {
	readonly db: DatabaseSync;
	readonly movedAside: string | undefined;
}

/** `isThorough`: it has failed in use, so that a quick look is not enough. */
export function openDatabase(path: string, schema: string, isThorough: boolean): OpenedDatabase {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const before = inodeOf(path);
	const rules = { maxCheckedBytes: MAX_CHECKED_BYTES, isThorough, schemaOf: () => schema, mayGrow: true };
	if (before === undefined || isSound(path, rules)) {
		try {
			return { db: open(path, schema), movedAside: undefined };
		} catch (error) {
			if (!isDamage(error)) {
				throw error;
			}
		}
	}
	const movedAside = putAside(path, before);
	return { db: open(path, schema), movedAside };
}

function open(path: string, schema: string): DatabaseSync {
	const db = new DatabaseSync(path);
	try {
		db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		db.exec(`PRAGMA journal_mode = ${journalFor(path)}; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF`);
		db.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`);
		// Which of them are there depends on the journal.
		for (const file of [path, `${path}-wal`, `${path}-shm`].filter((each) => inodeOf(each) !== undefined)) {
			chmodSync(file, 0o600);
		}
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}
