/**
 * A copy of the beginning of a thread, as a thread of its own: turns, what people see, what the model reads, pictures. All of
 * it has new ids, also inside of the bodies, so that deleting one of the two leaves the other whole.
 */
import type { Database } from '../database.ts';
import { insertRow, type StoredRow } from './insert-row.ts';

export interface NewThread {
	readonly id: string;
	readonly title: string;
	/** ISO time. */
	readonly at: string;
}

/** An id with the prefix of that one, which nothing has yet. */
type NewId = (prefix: string) => string;

/** `until`: position of the first turn that is left out. */
export function copyThread(db: Database, from: string, until: number, copy: NewThread, newId: NewId): void {
	db.run(
		`INSERT INTO threads (id, title, model_id, mode, effort, workspace, created_at, updated_at, instructions_read)
			SELECT ?, ?, model_id, mode, effort, workspace, ?, ?, CASE WHEN ? > 0 THEN instructions_read ELSE 0 END
			FROM threads WHERE id = ?`,
		...[copy.id, copy.title, copy.at, copy.at, until, from],
	);
	const turns = db.all<StoredRow & { id: string }>(
		'SELECT * FROM turns WHERE thread_id = ? AND position < ? ORDER BY position',
		...[from, until],
	);
	const ofTurns = (table: string, order: string) =>
		turns.flatMap(({ id }) => db.all<StoredRow>(`SELECT * FROM ${table} WHERE turn_id = ? ORDER BY ${order}`, id));
	const items = ofTurns('items', 'position');
	const images = ofTurns('images', 'id');
	const [messages, compactions] = [ofTurns('messages', 'position'), ofTurns('compactions', 'number')];
	insertCopies(db, { turns, items, messages, compactions, images }, { from, to: copy.id, newId });
}

/** Rows of a thread by their tables, each in its order. */
type ThreadParts = Readonly<Record<'turns' | 'items' | 'messages' | 'compactions' | 'images', readonly StoredRow[]>>;

/** Inserts the rows of the thread `from` once more, for the thread `to`, which is there; other ids than theirs stay. */
export function insertCopies(
	db: Database,
	parts: ThreadParts,
	{ from, to, newId }: { readonly from: string; readonly to: string; readonly newId: NewId },
): void {
	const renamed = new Map<string, string>([[from, to]]);
	for (const { id } of [...parts.turns, ...parts.items, ...parts.images]) {
		renamed.set(String(id), newId(String(id).split('_', 1)[0] ?? ''));
	}
	const renewIds = (value: string) => value.replaceAll(ANY_ID, (id) => renamed.get(id) ?? id);
	const copyRow = (row: StoredRow): StoredRow =>
		Object.fromEntries(
			Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? renewIds(value) : value]),
		);
	// Rows come behind those that they point to.
	for (const table of ['turns', 'items', 'messages', 'compactions', 'images'] as const) {
		for (const row of parts[table]) {
			insertRow(db, table, copyRow(row));
		}
	}
}

/** Ids of what is copied, wherever they stand in a text. */
const ANY_ID = /\b(?:thr|trn|itm|img)_[A-Za-z0-9-]+/g;
