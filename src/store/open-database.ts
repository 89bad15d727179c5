/** Opens a file of ours: private, in WAL mode, migrated. A damaged one is put aside, never deleted; a newer one is not touched. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Database } from './database.ts';
import { limits } from './limits.ts';
import { type Migrations, migrate, refuseNewer } from './migrate.ts';
import { StoreError } from './store-error.ts';

export interface OpenedDatabase {
	readonly db: Database;
	/** Where the damaged file was put that lay in this place. */
	readonly putAside: string | undefined;
}

export function openDatabase(path: string, migrations: Migrations): OpenedDatabase {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	try {
		if (!existsSync(path)) {
			return { db: create(path, migrations), putAside: undefined };
		}
		if (isSound(path, migrations)) {
			return { db: open(path, migrations), putAside: undefined };
		}
		const putAside = putFilesAside(path);
		return { db: create(path, migrations), putAside };
	} catch (error) {
		if (error instanceof StoreError) {
			throw error;
		}
		throw new StoreError('unavailable', `${path} cannot be opened: ${(error as Error).message}`, { path }, error);
	}
}

function create(path: string, migrations: Migrations): Database {
	// SQLite gives its side files the mode of the file itself.
	closeSync(openSync(path, 'a', 0o600));
	return open(path, migrations);
}

function open(path: string, migrations: Migrations): Database {
	if ((statSync(path).mode & 0o077) !== 0) {
		chmodSync(path, 0o600);
	}
	const db = new Database(path, { readOnly: false });
	try {
		db.exec(
			`PRAGMA busy_timeout = ${limits.busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;` +
				`PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${limits.checkpointPages}`,
		);
		migrate(db, migrations);
		return db;
	} catch (error) {
		db.dispose();
		throw error;
	}
}

/** Looks without writing. Throws when the file is newer than we are. */
function isSound(path: string, migrations: Migrations): boolean {
	let db: Database | undefined;
	try {
		db = new Database(path, { readOnly: true });
		db.exec(`PRAGMA busy_timeout = ${limits.busyTimeoutMs}`);
		refuseNewer(db, migrations);
		if (statSync(path).size > limits.quickCheckMaxBytes) {
			return true;
		}
		return db.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check === 'ok';
	} catch (error) {
		if (isDamage(error)) {
			return false;
		}
		throw error;
	} finally {
		db?.dispose();
	}
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes. */
function isDamage(error: unknown): boolean {
	const code = (error as { readonly errcode?: unknown }).errcode;
	return typeof code === 'number' && [11, 26].includes(code & 0xff);
}

function putFilesAside(path: string): string {
	const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
	for (const side of ['-wal', '-shm', '']) {
		if (existsSync(path + side)) {
			renameSync(path + side, aside + side);
		}
	}
	return aside;
}
