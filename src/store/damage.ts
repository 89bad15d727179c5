/**
 * Checks that a database file is sound, without changing what was committed to it, and puts a damaged one aside, never
 * away.
 */
import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { Database } from './database.ts';
import { storeLimits } from './limits.ts';
import { takingBack } from './taking-back.ts';

interface SoundnessRules {
	/** A larger file is not checked page by page: it would be felt at the start. */
	readonly maxCheckedBytes: number;
	/**
	 * Reads the schema that the file was made with; undefined when it cannot be a file of ours. Throws to leave the file
	 * alone.
	 */
	schemaOf(db: Database): string | undefined;
	/** Compares tables with their indexes, too: slower, for a file that has failed in use. */
	readonly isThorough: boolean;
	/** An older file may lack tables and columns that its schema adds; a newer one may have more. */
	readonly mayGrow: boolean;
}

/** Throws only what says nothing about the file itself: that it cannot be opened, or is another's just now. */
export function isSound(path: string, rules: SoundnessRules): boolean {
	return takingBack(path, () => looksSound(path, rules));
}

function looksSound(path: string, { maxCheckedBytes, isThorough, schemaOf, mayGrow }: SoundnessRules): boolean {
	let db: Database | undefined;
	try {
		// Only reading: a log that lies beside it and is not its own must not be copied into it when we close.
		db = new Database(path, { readOnly: true });
		db.exec(`PRAGMA busy_timeout = ${storeLimits.busyTimeoutMs}; PRAGMA trusted_schema = OFF`);
		const schema = schemaOf(db);
		if (
			schema === undefined ||
			!isWritableFormat(path) ||
			!hasExpectedColumns(listColumns(db), columnsMadeBy(schema), mayGrow)
		) {
			return false;
		}
		if (isThorough) {
			return db.get<{ integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check === 'ok';
		}
		if (statSync(path).size > maxCheckedBytes) {
			return true;
		}
		return db.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check === 'ok';
	} catch (error) {
		// While reading, SQLITE_ERROR is a schema that does not parse, or a format nobody has heard of.
		if (isDamageError(error) || primaryCode(error) === 1) {
			return false;
		}
		throw error;
	} finally {
		db?.dispose();
	}
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, with their extended codes. */
export function isDamageError(error: unknown): boolean {
	return [11, 26].includes(primaryCode(error));
}

/**
 * Moves the file with all that belongs to it, when it is still the one that was looked at: another process may have done it
 * already, and what lies there now is its new one. Returns where it went.
 */
export function putAside(path: string, inode: number | undefined): string | undefined {
	if (inode === undefined || readInode(path) !== inode) {
		return undefined;
	}
	const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
	for (const side of ['-wal', '-shm', '']) {
		if (existsSync(path + side)) {
			renameSync(path + side, aside + side);
		}
	}
	return aside;
}

export function readInode(path: string): number | undefined {
	return statSync(path, { throwIfNoEntry: false })?.ino;
}

function primaryCode(error: unknown): number {
	const code = (error as { readonly errcode?: unknown }).errcode;
	return typeof code === 'number' ? code & 0xff : 0;
}

/** SQLite reads a file whose header asks for a later format of writing, and never writes it. */
function isWritableFormat(path: string): boolean {
	const file = openSync(path, 'r');
	try {
		const header = Buffer.alloc(19);
		return readSync(file, header, 0, header.length, 0) < header.length || (header[18] ?? 0) <= 2;
	} finally {
		closeSync(file);
	}
}

/** Returns all columns as `table.column`. */
function listColumns(db: Database): Set<string> {
	const sql = `SELECT tables.name || '.' || columns.name AS name
		FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
		WHERE tables.schema = 'main' AND tables.type IN ('table', 'virtual') AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
	return new Set(db.all<{ name: string }>(sql).map(({ name }) => name));
}

function columnsMadeBy(schema: string): Set<string> {
	const db = new Database(':memory:', { readOnly: false });
	try {
		db.exec(schema);
		return listColumns(db);
	} finally {
		db.dispose();
	}
}

/** A name that is unknown where another is missing was ours once. */
function hasExpectedColumns(found: ReadonlySet<string>, expected: ReadonlySet<string>, mayGrow: boolean): boolean {
	const isMissing = !expected.isSubsetOf(found);
	const isUnknown = !found.isSubsetOf(expected);
	return mayGrow ? found.size === 0 || !(isMissing && isUnknown) : !isMissing && !isUnknown;
}
