import type { Migrations } from '../../store/migrate.ts';

/**
 * `project`: the folders of the project as JSON; empty for a memory of the user. `state`: `inbox` until the user accepts it.
 * `memory_vectors.number` only grows, also over rows that were removed: who has read them to a number reads on from there.
 * `given_vectors`: those of a provider's model, of one model for each memory.
 * `memory_state`: how often vectors were removed, and how the ones that are there were made.
 */
export const memoryMigrations: Migrations = [
	`
	CREATE TABLE memories (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		text TEXT NOT NULL,
		scope TEXT NOT NULL,
		project TEXT NOT NULL,
		kind TEXT NOT NULL,
		state TEXT NOT NULL,
		by TEXT NOT NULL,
		thread_id TEXT,
		turn_id TEXT,
		created_at INTEGER NOT NULL,
		expires_at INTEGER
	) STRICT;
	CREATE UNIQUE INDEX memories_text ON memories (project, text);
	CREATE INDEX memories_state ON memories (state, project, created_at);
	CREATE INDEX memories_preferences ON memories (project, created_at) WHERE kind = 'preference' AND state = 'kept';
	CREATE INDEX memories_expiring ON memories (expires_at) WHERE expires_at IS NOT NULL;

	CREATE VIRTUAL TABLE memory_text USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
	CREATE TABLE memory_vectors (
		number INTEGER PRIMARY KEY AUTOINCREMENT,
		memory INTEGER NOT NULL UNIQUE REFERENCES memories (number) ON DELETE CASCADE,
		project TEXT NOT NULL,
		vector BLOB NOT NULL
	) STRICT;
	CREATE TABLE memory_state (removed INTEGER NOT NULL, embedding INTEGER NOT NULL) STRICT;
	INSERT INTO memory_state VALUES (0, 0);

	CREATE TRIGGER memories_forget_text AFTER DELETE ON memories BEGIN
		DELETE FROM memory_text WHERE rowid = old.number;
	END;
	CREATE TRIGGER memory_vectors_removed AFTER DELETE ON memory_vectors BEGIN
		UPDATE memory_state SET removed = removed + 1;
	END;
	`,
	`
	CREATE TABLE given_vectors (
		memory INTEGER PRIMARY KEY REFERENCES memories (number) ON DELETE CASCADE,
		project TEXT NOT NULL,
		model TEXT NOT NULL,
		dimensions INTEGER NOT NULL,
		vector BLOB NOT NULL
	) STRICT;
	CREATE INDEX given_vectors_of_model ON given_vectors (model, project);
	`,
];
