/**
 * The end of a thread that a retry of an older message, or a way back to one, has taken away, as rows in one text: so that it
 * can be put back. A thread keeps the last one. Putting it back sets aside what has come in its place, so that this can be
 * taken back too.
 */
import type { Database } from '../database.ts';
import { insertRow, type StoredRow } from './insert-row.ts';

const TABLES = ['turns', 'items', 'messages', 'compactions'] as const;
type TailTable = (typeof TABLES)[number];

/** Rows of turns that belong together, each table in its order, and which turn has which picture. */
interface Tail {
	readonly rows: { readonly [T in TailTable]: readonly StoredRow[] };
	readonly images: readonly { readonly id: string; readonly turn_id: string }[];
	/** 1 where the workspace's instructions were given to the model. */
	readonly instructionsRead: number;
}

interface TailPlace {
	readonly threadId: string;
	/** Position of the first turn of the end. */
	readonly position: number;
}

/** Takes the end of a thread away; gives the ids of its turns, oldest first. `isKept`: it can be put back. */
export function takeTail(
	db: Database,
	{ threadId, position }: TailPlace,
	isKept: (turns: number) => boolean,
): string[] {
	const tail = readTail(db, { threadId, position });
	const ids = tail.rows.turns.map(({ id }) => String(id));
	if (isKept(ids.length)) {
		db.run(
			`INSERT INTO set_aside (thread_id, position, turns, body) VALUES (?, ?, ?, ?) ON CONFLICT (thread_id)
				DO UPDATE SET position = excluded.position, turns = excluded.turns, body = excluded.body, is_restored = 0,
				rewound = NULL`,
			...[threadId, position, ids.length, JSON.stringify(tail)],
		);
	}
	for (const id of ids) {
		for (const table of ['items', 'messages', 'compactions']) {
			db.run(`DELETE FROM ${table} WHERE turn_id = ?`, id);
		}
		// A message that is sent again has them still.
		db.run('UPDATE images SET turn_id = NULL WHERE turn_id = ?', id);
		db.run('DELETE FROM turns WHERE id = ?', id);
	}
	return ids;
}

/**
 * Puts the end back that was set aside, and sets aside what stands in its place. False: there is none, or it does not begin
 * with the turn `from`.
 */
export function putTailBack(db: Database, threadId: string, from: string | undefined): boolean {
	const kept = db.get<{ position: number; body: string }>(
		'SELECT position, body FROM set_aside WHERE thread_id = ?',
		threadId,
	);
	if (kept === undefined) {
		return false;
	}
	const { position, body } = kept;
	const tail = JSON.parse(body) as Tail;
	if (from !== undefined && tail.rows.turns[0]?.['id'] !== from) {
		return false;
	}
	const others = takeTail(db, { threadId, position }, () => true);
	if (others.length === 0) {
		// Without turns in its place there is no other course to go back to, or to tell of.
		db.run('DELETE FROM set_aside WHERE thread_id = ?', threadId);
	} else {
		db.run('UPDATE set_aside SET is_restored = 1 WHERE thread_id = ?', threadId);
	}
	for (const table of TABLES) {
		for (const row of tail.rows[table]) {
			insertRow(db, table, row);
		}
	}
	for (const { id, turn_id } of tail.images) {
		db.run('UPDATE images SET turn_id = ? WHERE id = ? AND thread_id = ?', turn_id, id, threadId);
	}
	db.run('UPDATE threads SET instructions_read = ? WHERE id = ?', tail.instructionsRead, threadId);
	return true;
}

/** Returns true when the end was put back since this was last asked. */
export function tellRestored(db: Database, threadId: string): boolean {
	return db.run('UPDATE set_aside SET is_restored = 0 WHERE thread_id = ? AND is_restored = 1', threadId) === 1;
}

/** Turns that a way back has taken out, and what became of their files: to be told to the model once. */
export interface Rewound {
	readonly turns: number;
	readonly files: 'restored' | 'kept';
}

export function noteRewound(db: Database, threadId: string, files: Rewound['files']): void {
	db.run('UPDATE set_aside SET rewound = ? WHERE thread_id = ?', files, threadId);
}

/** Undefined where nothing was taken out since it was last asked. */
export function tellRewound(db: Database, threadId: string): Rewound | undefined {
	const told = db.get<Rewound>(
		'SELECT turns, rewound AS files FROM set_aside WHERE thread_id = ? AND rewound IS NOT NULL',
		threadId,
	);
	db.run('UPDATE set_aside SET rewound = NULL WHERE thread_id = ?', threadId);
	return told;
}

function readTail(db: Database, { threadId, position }: TailPlace): Tail {
	const turns = db.all<StoredRow & { id: string }>(
		'SELECT * FROM turns WHERE thread_id = ? AND position >= ? ORDER BY position',
		...[threadId, position],
	);
	const ofTurns = (table: TailTable, order: string) =>
		turns.flatMap(({ id }) => db.all<StoredRow>(`SELECT * FROM ${table} WHERE turn_id = ? ORDER BY ${order}`, id));
	const images = turns.flatMap(({ id }) =>
		db.all<{ id: string; turn_id: string }>('SELECT id, turn_id FROM images WHERE turn_id = ?', id),
	);
	const thread = db.get<{ instructions_read: number }>('SELECT instructions_read FROM threads WHERE id = ?', threadId);
	const rows = {
		turns,
		items: ofTurns('items', 'position'),
		messages: ofTurns('messages', 'position'),
		compactions: ofTurns('compactions', 'number'),
	};
	return { rows, images, instructionsRead: thread?.instructions_read ?? 0 };
}
