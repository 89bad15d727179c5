import type { Migrations } from '../migrate.ts';

/**
 * `threads.seq`: no update of the thread has a higher number; while a turn runs it is reserved ahead of what was sent.
 * `items` is what people see, `messages` what the model reads. Bodies are JSON of the protocol's shapes, opaque here.
 * `items.in_history`: 1 when a message of the same turn holds what the item says.
 * `compactions.kept_from`: what the model reads begins with `body`, and goes on with the messages from that position.
 * `model_windows`: what model servers said of the windows they run models with; not of any thread.
 * `model_limits`: what models have refused, while `known` is still what is known of them.
 * `images`: those of messages and results. Without a turn one waits in a draft, or its turn was cut.
 * `set_aside`: the end of a thread that the last retry of an older message took away, as JSON of its rows from the turn at
 * `position`; `is_restored` while the model is yet to be told that another end was put back in its place; `rewound` while it
 * is yet to be told that the user went back before it, and whether the files went back too.
 * `threads.shelf`: where the user put it in the list, `pinned` or `archived`.
 * `threads.agent`: of a sub-agent, what it is told and for which thread it works, as JSON; null: the user began it.
 * `turns.stop_asked`: 1 when another process than the one that runs the turn wishes that it ends.
 */
export const threadMigrations: Migrations = [
	`
	CREATE TABLE threads (
		id TEXT PRIMARY KEY,
		title TEXT NOT NULL,
		model_id TEXT,
		mode TEXT NOT NULL,
		workspace TEXT,
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL,
		seq INTEGER NOT NULL DEFAULT 0,
		todos TEXT NOT NULL DEFAULT '[]',
		usage TEXT,
		instructions_read INTEGER NOT NULL DEFAULT 0,
		lease_owner TEXT,
		lease_token INTEGER NOT NULL DEFAULT 0,
		lease_expires INTEGER NOT NULL DEFAULT 0
	) STRICT;
	CREATE INDEX threads_updated ON threads (updated_at DESC);

	CREATE TABLE turns (
		id TEXT PRIMARY KEY,
		thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
		position INTEGER NOT NULL,
		status TEXT NOT NULL,
		model_id TEXT NOT NULL,
		started_at TEXT NOT NULL,
		ended_at TEXT,
		error TEXT,
		trace TEXT,
		UNIQUE (thread_id, position)
	) STRICT;
	CREATE INDEX turns_running ON turns (thread_id) WHERE status = 'running';

	CREATE TABLE items (
		number INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
		turn_id TEXT NOT NULL,
		position INTEGER NOT NULL,
		kind TEXT NOT NULL,
		op_id TEXT,
		call_id TEXT,
		in_history INTEGER NOT NULL DEFAULT 0,
		body TEXT NOT NULL,
		whole TEXT,
		UNIQUE (thread_id, position)
	) STRICT;
	CREATE INDEX items_of_turn ON items (turn_id);
	CREATE INDEX items_unsaid ON items (turn_id) WHERE in_history = 0;

	CREATE TABLE messages (
		thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
		position INTEGER NOT NULL,
		turn_id TEXT NOT NULL,
		body TEXT NOT NULL,
		PRIMARY KEY (thread_id, position)
	) STRICT;
	CREATE INDEX messages_of_turn ON messages (turn_id);

	CREATE VIRTUAL TABLE item_text USING fts5 (text, thread_id UNINDEXED, tokenize = 'unicode61');
	CREATE TRIGGER items_forget_text AFTER DELETE ON items WHEN old.kind IN ('user', 'text') BEGIN
		DELETE FROM item_text WHERE rowid = old.number;
	END;
	`,
	`ALTER TABLE turns ADD COLUMN stop_asked INTEGER NOT NULL DEFAULT 0;`,
	`
	CREATE TABLE compactions (
		number INTEGER PRIMARY KEY,
		thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
		turn_id TEXT NOT NULL,
		kept_from INTEGER NOT NULL,
		body TEXT NOT NULL
	) STRICT;
	CREATE INDEX compactions_of_thread ON compactions (thread_id, number);
	CREATE INDEX compactions_of_turn ON compactions (turn_id);
	`,
	`
	CREATE TABLE model_windows (
		address TEXT NOT NULL,
		model TEXT NOT NULL,
		said_by TEXT NOT NULL,
		tokens INTEGER NOT NULL,
		most INTEGER,
		said_at INTEGER NOT NULL,
		PRIMARY KEY (address, model)
	) STRICT;
	`,
	`
	CREATE TABLE model_limits (
		address TEXT NOT NULL,
		model TEXT NOT NULL,
		tokens INTEGER NOT NULL,
		known TEXT NOT NULL,
		learned_at INTEGER NOT NULL,
		PRIMARY KEY (address, model)
	) STRICT;
	`,
	`
	CREATE TABLE images (
		id TEXT PRIMARY KEY,
		thread_id TEXT REFERENCES threads (id) ON DELETE CASCADE,
		turn_id TEXT,
		type TEXT NOT NULL,
		width INTEGER NOT NULL,
		height INTEGER NOT NULL,
		name TEXT,
		data BLOB NOT NULL,
		kept_at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX images_of_thread ON images (thread_id);
	CREATE INDEX images_of_turn ON images (turn_id);
	`,
	`ALTER TABLE threads ADD COLUMN effort TEXT;`,
	`
	CREATE TABLE set_aside (
		thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
		position INTEGER NOT NULL,
		turns INTEGER NOT NULL,
		is_restored INTEGER NOT NULL DEFAULT 0,
		body TEXT NOT NULL
	) STRICT;
	`,
	// The latest turns of all threads.
	`CREATE INDEX turns_by_start ON turns (started_at, id);`,
	`ALTER TABLE set_aside ADD COLUMN rewound TEXT;`,
	`
	ALTER TABLE threads ADD COLUMN shelf TEXT;
	CREATE INDEX threads_listed ON threads (shelf IS 'pinned' DESC, updated_at DESC, id DESC);
	`,
	`ALTER TABLE threads ADD COLUMN agent TEXT;`,
];
