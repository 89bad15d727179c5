import type { Database } from './database.ts';
import { StoreError } from './store-error.ts';

/** Step n (from 1) brings a file from version n - 1 to n. Steps are only ever added. */
export type Migrations = readonly string[];

export function schemaVersion(db: Database): number {
	return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

export function refuseNewerFile(db: Database, migrations: Migrations): void {
	const version = schemaVersion(db);
	if (version > migrations.length) {
		throw new StoreError(
			'newer',
			`${db.path} was written by a later version (schema ${version}, known ${migrations.length})`,
			{
				path: db.path,
				schema: version,
				known: migrations.length,
			},
		);
	}
}

/** Each step commits with its number. Two processes may start at once: the number is read again inside the transaction. */
export function applyMigrations(db: Database, migrations: Migrations): void {
	while (schemaVersion(db) < migrations.length) {
		db.transaction('power', () => {
			refuseNewerFile(db, migrations);
			const done = schemaVersion(db);
			const step = migrations[done];
			if (step !== undefined) {
				db.exec(step);
				db.exec(`PRAGMA user_version = ${done + 1}`);
			}
		});
	}
}
