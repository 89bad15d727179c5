import type { Migrations } from '../../store/migrate.ts';

/**
 * Times are milliseconds since 1970. `labels`, `payload`, `question`, `answer` and `result` are JSON. `takes` is the fencing
 * token: whoever took the job earlier than the last time writes nothing of it. `given_back`: those that were no attempts.
 */
export const jobMigrations: Migrations = [
	`
	CREATE TABLE job (
		place INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		kind TEXT NOT NULL,
		labels TEXT NOT NULL,
		key TEXT NOT NULL,
		payload TEXT NOT NULL,
		grp TEXT,
		priority INTEGER NOT NULL,
		most_attempts INTEGER NOT NULL,
		state TEXT NOT NULL,
		takes INTEGER NOT NULL DEFAULT 0,
		given_back INTEGER NOT NULL DEFAULT 0,
		owner TEXT NOT NULL DEFAULT '',
		question TEXT,
		answer TEXT,
		result TEXT,
		reason TEXT,
		created_at INTEGER NOT NULL,
		taken_at INTEGER,
		ended_at INTEGER
	) STRICT;
	CREATE UNIQUE INDEX job_of_key ON job (kind, labels, key) WHERE ended_at IS NULL;
	CREATE INDEX job_to_take ON job (state, priority DESC, place);
	CREATE TABLE job_after (
		job TEXT NOT NULL REFERENCES job (id) ON DELETE CASCADE,
		earlier TEXT NOT NULL REFERENCES job (id),
		PRIMARY KEY (job, earlier)
	) STRICT, WITHOUT ROWID;
	CREATE INDEX job_before ON job_after (earlier);
	CREATE TABLE schedule (
		name TEXT PRIMARY KEY,
		pattern TEXT NOT NULL,
		zone TEXT NOT NULL,
		missed TEXT NOT NULL,
		job TEXT NOT NULL,
		next_due INTEGER
	) STRICT, WITHOUT ROWID;
	`,
];
