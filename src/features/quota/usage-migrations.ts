import type { Migrations } from '../../store/migrate.ts';

/** `minute`: minutes since 1970. `cost`: US dollars, of the requests whose model has a known price. */
export const usageMigrations: Migrations = [
	`
	CREATE TABLE usage (
		minute INTEGER NOT NULL,
		model TEXT NOT NULL,
		requests INTEGER NOT NULL,
		input INTEGER NOT NULL,
		output INTEGER NOT NULL,
		cost REAL NOT NULL,
		PRIMARY KEY (minute, model)
	) STRICT, WITHOUT ROWID;
	`,
	`
	CREATE TABLE thread_usage (
		thread TEXT PRIMARY KEY,
		tokens INTEGER NOT NULL,
		cost REAL NOT NULL,
		minute INTEGER NOT NULL
	) STRICT, WITHOUT ROWID;
	`,
	`
	CREATE TABLE spender_usage (
		kind TEXT NOT NULL,
		name TEXT NOT NULL,
		minute INTEGER NOT NULL,
		tokens INTEGER NOT NULL,
		cost REAL NOT NULL,
		PRIMARY KEY (kind, name, minute)
	) STRICT, WITHOUT ROWID;
	`,
	// A row for each time that the user has overruled a judgement. `at`: milliseconds since 1970.
	`
	CREATE TABLE overrules (
		project TEXT NOT NULL,
		kind TEXT NOT NULL,
		name TEXT NOT NULL,
		occasion TEXT NOT NULL,
		at INTEGER NOT NULL,
		is_told INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (project, kind, name, occasion)
	) STRICT, WITHOUT ROWID;
	`,
];
