import type { Migrations } from '../../store/migrate.ts';

/** Times are milliseconds since 1970. `result` is JSON without secrets; null: it was not kept. */
export const scriptMigrations: Migrations = [
	`
	CREATE TABLE run (
		id TEXT PRIMARY KEY,
		hash TEXT NOT NULL,
		folder TEXT NOT NULL,
		thread TEXT NOT NULL,
		state TEXT NOT NULL,
		owner TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX run_of_script ON run (hash, folder, created_at);
	CREATE TABLE act (
		run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
		step TEXT NOT NULL,
		round INTEGER NOT NULL,
		op_id TEXT NOT NULL,
		is_done INTEGER NOT NULL,
		result TEXT,
		PRIMARY KEY (run, step, round)
	) STRICT, WITHOUT ROWID;
	`,
];
