/**
 * Opens one of our databases: private to the user, in WAL mode, several hosts at once. A file that is no sound database
 * is moved aside, never deleted, and named in `movedAside`.
 */
import { chmodSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BUSY_TIMEOUT_MS, MAX_CHECKED_BYTES } from './limits.ts';

export interface OpenedDatabase {
	readonly db: DatabaseSync;
	readonly movedAside: string | undefined;
}

export function openDatabase(path: string, schema: string): OpenedDatabase {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const before = inodeOf(path);
	try {
		return { db: openSound(path, schema), movedAside: undefined };
	} catch (error) {
		if (!isCorruption(error)) {
			throw error;
		}
		const movedAside = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
		// Another host may have moved it already: then what lies there now is the new one.
		if (inodeOf(path) === before) {
			moveAside(path, movedAside);
		}
		return { db: openSound(path, schema), movedAside };
	}
}

function openSound(path: string, schema: string): DatabaseSync {
	const db = new DatabaseSync(path);
	try {
		db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF');
		if (statSync(path).size <= MAX_CHECKED_BYTES) {
			const check = db.prepare('PRAGMA quick_check(1)').get();
			if (check?.['quick_check'] !== 'ok') {
				throw new CorruptDatabase(String(check?.['quick_check']));
			}
		}
		db.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`);
		// A disk without shared memory has no WAL, and SQLite then keeps to its older journal.
		for (const file of [path, `${path}-wal`, `${path}-shm`].filter((each) => inodeOf(each) !== undefined)) {
			chmodSync(file, 0o600);
		}
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

class CorruptDatabase extends Error {
	override readonly name = 'CorruptDatabase';
}

function isCorruption(error: unknown): boolean {
	// SQLITE_CORRUPT and SQLITE_NOTADB with their extended codes.
	const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
	return error instanceof CorruptDatabase || code === 11 || code === 26;
}

function moveAside(path: string, to: string): void {
	for (const suffix of ['-wal', '-shm', '']) {
		if (inodeOf(path + suffix) !== undefined) {
			renameSync(path + suffix, to + suffix);
		}
	}
}

function inodeOf(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.ino;
}
