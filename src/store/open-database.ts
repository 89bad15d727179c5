/** Opens a file of ours: private, in WAL mode where the disk can bear it, migrated. A damaged one is put aside, never deleted; a newer one is not touched. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readInode, isDamageError, isSound, putAside } from './damage.ts';
import { Database } from './database.ts';
import { journalFor } from './journal.ts';
import { storeLimits } from './limits.ts';
import { type Migrations, applyMigrations, refuseNewerFile, schemaVersion } from './migrate.ts';
import { StoreError } from './store-error.ts';

interface MigratedDatabase {
	readonly db: Database;
	/** Where the damaged file was put that lay in this place. */
	readonly putAside: string | undefined;
}

export function openMigratedDatabase(path: string, migrations: Migrations): MigratedDatabase {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	try {
		const inode = readInode(path);
		const db = inode === undefined ? createDatabase(path, migrations) : openSound(path, migrations);
		if (db !== undefined) {
			return { db, putAside: undefined };
		}
		const aside = putAside(path, inode);
		return { db: createDatabase(path, migrations), putAside: aside };
	} catch (error) {
		if (error instanceof StoreError) {
			throw error;
		}
		throw new StoreError('unavailable', `${path} cannot be opened: ${(error as Error).message}`, { path }, error);
	}
}

function createDatabase(path: string, migrations: Migrations): Database {
	// SQLite gives its side files the mode of the file itself.
	closeSync(openSync(path, 'a', 0o600));
	return openWritableDatabase(path, migrations);
}

/** Undefined when it is damaged. Throws when it is newer than we are. */
function openSound(path: string, migrations: Migrations): Database | undefined {
	const readMadeSchema = (db: Database) => {
		refuseNewerFile(db, migrations);
		const version = schemaVersion(db);
		return version < 0 ? undefined : migrations.slice(0, version).join(';');
	};
	if (
		!isSound(path, {
			maxCheckedBytes: storeLimits.quickCheckMaxBytes,
			isThorough: false,
			schemaOf: readMadeSchema,
			mayGrow: false,
		})
	) {
		return undefined;
	}
	try {
		return openWritableDatabase(path, migrations);
	} catch (error) {
		if (isDamageError(error)) {
			return undefined;
		}
		throw error;
	}
}

function openWritableDatabase(path: string, migrations: Migrations): Database {
	if ((statSync(path).mode & 0o077) !== 0) {
		chmodSync(path, 0o600);
	}
	const db = new Database(path, { readOnly: false });
	try {
		db.exec(
			`PRAGMA busy_timeout = ${storeLimits.busyTimeoutMs}; PRAGMA journal_mode = ${journalFor(path)}; PRAGMA synchronous = NORMAL;` +
				`PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${storeLimits.checkpointPages}`,
		);
		applyMigrations(db, migrations);
		return db;
	} catch (error) {
		db.dispose();
		throw error;
	}
}
