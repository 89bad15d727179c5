/**
 * Opens one of our databases: private to the user, in WAL mode where the disk can bear it, several hosts at once. A file that
 * is no sound database, or has a foreign schema, is moved aside, never deleted, and named in `movedAside`.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { journalFor } from '../../../store/journal.ts';
import { readInode, isDamageError, isSound, putAside } from '../../../store/damage.ts';
import { takingBack } from '../../../store/taking-back.ts';
import { BUSY_TIMEOUT_MS, MAX_CHECKED_BYTES } from './limits.ts';
import { ForeignSchema, findSchemaProblem } from './chain/schema-watch.ts';

/**
 * Schema version of the ledger and the checkpoints; files without a number are older than the numbering. Before version
 * 2, the hash of a row did not cover its place; before version 3, rows were not found by the name of their op.
 */
const SCHEMA_VERSION = 3;

/** Since this version of the ledger, its anchors are there before it is. */
export const ANCHORED_VERSION = 2;

/** A higher number is no version: the header is damaged. */
const MAX_PLAUSIBLE_VERSION = 1_000;

interface OpenedHostDatabase {
	readonly db: DatabaseSync;
	readonly movedAside: string | undefined;
}

/** `isThorough`: it has failed in use, so that a quick look is not enough. */
export function openHostDatabase(path: string, schema: string, isThorough: boolean): OpenedHostDatabase {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	const before = readInode(path);
	refuseNewerSchema(path);
	const rules = { maxCheckedBytes: MAX_CHECKED_BYTES, isThorough, schemaOf: () => schema, mayGrow: true };
	if (before === undefined || isSound(path, rules)) {
		try {
			return { db: openWithSchema(path, schema), movedAside: undefined };
		} catch (error) {
			if (!isDamageError(error) && !(error instanceof ForeignSchema)) {
				throw error;
			}
		}
	}
	const movedAside = putAside(path, before);
	return { db: openWithSchema(path, schema), movedAside };
}

/** Throws for a file that a later version has written: leaves it unchanged, and takes nothing in it for damage. */
function refuseNewerSchema(path: string): void {
	const version = readSchemaVersion(path);
	if (version > SCHEMA_VERSION && version <= MAX_PLAUSIBLE_VERSION) {
		throw new Error(
			`${path} was written by a later version (schema ${version}, known ${SCHEMA_VERSION}): update Prowess, or set PROWESS_HOME to another folder`,
		);
	}
}

/** 0: there is no file, or none that can be read. */
export function readSchemaVersion(path: string): number {
	try {
		return takingBack(path, () => storedVersion(path));
	} catch {
		// The file is damaged or cannot be opened; opening it for use finds and reports that.
		return 0;
	}
}

function storedVersion(path: string): number {
	const db = new DatabaseSync(path, { readOnly: true });
	try {
		db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
	} finally {
		db.close();
	}
}

function openWithSchema(path: string, schema: string): DatabaseSync {
	const db = new DatabaseSync(path);
	try {
		db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
		db.exec(`PRAGMA journal_mode = ${journalFor(path)}; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF`);
		const problem = findSchemaProblem(db, schema);
		if (problem !== undefined) {
			throw new ForeignSchema(problem);
		}
		db.exec(`BEGIN IMMEDIATE; ${schema}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
		// Which of them are there depends on the journal.
		for (const file of [path, `${path}-wal`, `${path}-shm`].filter((each) => readInode(each) !== undefined)) {
			chmodSync(file, 0o600);
		}
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}
