import type { Migrations } from '../../store/migrate.ts';

/** Times are milliseconds since 1970. A run is named by its schedule and the time it was due: a second one cannot be claimed. */
export const scheduleMigrations: Migrations = [
	`
	CREATE TABLE schedule (
		id TEXT PRIMARY KEY,
		kind TEXT NOT NULL,
		text TEXT NOT NULL,
		pattern TEXT NOT NULL,
		zone TEXT NOT NULL,
		words TEXT NOT NULL,
		folder TEXT NOT NULL,
		mode TEXT NOT NULL,
		asks TEXT NOT NULL,
		missed TEXT NOT NULL,
		most_missed INTEGER NOT NULL,
		paused INTEGER NOT NULL,
		created_at INTEGER NOT NULL,
		next_due INTEGER
	) STRICT;
	CREATE TABLE run (
		schedule TEXT NOT NULL REFERENCES schedule (id) ON DELETE CASCADE,
		due INTEGER NOT NULL,
		state TEXT NOT NULL,
		owner TEXT NOT NULL,
		thread TEXT NOT NULL,
		message TEXT NOT NULL,
		started_at INTEGER NOT NULL,
		ended_at INTEGER,
		PRIMARY KEY (schedule, due)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX open_runs ON run (state) WHERE state IN ('claimed', 'started');
	`,
	`
	CREATE TABLE watch (
		schedule TEXT PRIMARY KEY REFERENCES schedule (id) ON DELETE CASCADE,
		condition TEXT NOT NULL,
		ends_at INTEGER NOT NULL,
		most INTEGER NOT NULL,
		thread TEXT NOT NULL,
		held INTEGER NOT NULL,
		polls INTEGER NOT NULL,
		pause_ms INTEGER NOT NULL,
		last_poll INTEGER,
		mark TEXT,
		result TEXT,
		problem TEXT,
		failed INTEGER NOT NULL
	) STRICT;
	`,
];
