import type { DatabaseSync } from 'node:sqlite';

/** All of it or nothing. Throws what `run` throws. */
export function inTransaction(db: DatabaseSync, run: () => void): void {
	db.exec('BEGIN IMMEDIATE');
	try {
		run();
		db.exec('COMMIT');
	} catch (error) {
		if (db.isTransaction) {
			db.exec('ROLLBACK');
		}
		throw error;
	}
}
