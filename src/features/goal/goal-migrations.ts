import type { Migrations } from '../../store/migrate.ts';

/** Times are milliseconds since 1970. `after` holds numbers of steps, `reason` a text, `until` and `used` what `goal.ts` has of these names, as JSON. */
export const goalMigrations: Migrations = [
	`
	CREATE TABLE goal (
		id TEXT PRIMARY KEY,
		title TEXT NOT NULL,
		folder TEXT NOT NULL,
		mode TEXT NOT NULL,
		state TEXT NOT NULL,
		thread TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE TABLE step (
		goal TEXT NOT NULL REFERENCES goal (id) ON DELETE CASCADE,
		number INTEGER NOT NULL,
		text TEXT NOT NULL,
		after TEXT NOT NULL,
		state TEXT NOT NULL,
		owner TEXT NOT NULL,
		message TEXT NOT NULL,
		attempts INTEGER NOT NULL,
		PRIMARY KEY (goal, number)
	) STRICT, WITHOUT ROWID;
	CREATE TABLE replan (
		goal TEXT NOT NULL REFERENCES goal (id) ON DELETE CASCADE,
		at INTEGER NOT NULL
	) STRICT;
	`,
	'ALTER TABLE goal ADD COLUMN is_followed INTEGER NOT NULL DEFAULT 0;',
	`
	ALTER TABLE step ADD COLUMN verdict TEXT;
	ALTER TABLE step ADD COLUMN reason TEXT;
	ALTER TABLE goal ADD COLUMN until TEXT;
	ALTER TABLE goal ADD COLUMN used TEXT NOT NULL DEFAULT '{"tokens":0,"cost":0,"ms":0}';
	`,
];
