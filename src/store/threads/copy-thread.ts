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
	const renamed = new Map<string, string>([[from, copy.id]]);
	for (const { id } of [...turns, ...items, ...images]) {
		renamed.set(String(id), newId(String(id).split('_', 1)[0] ?? ''));
	}
	const renewIds = (value: string) => value.replaceAll(ANY_ID, (id) => renamed.get(id) ?? id);
	const copyRow = (row: StoredRow): StoredRow =>
		Object.fromEntries(
			Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? renewIds(value) : value]),
		);
	const rows = [
		['turns', turns],
		['items', items],
		['messages', ofTurns('messages', 'position')],
		['compactions', ofTurns('compactions', 'number')],
		['images', images],
	] as const;
	for (const [table, of] of rows) {
		for (const row of of) {
			insertRow(db, table, copyRow(row));
		}
	}
}

/** Ids of what is copied, wherever they stand in a text. */
const ANY_ID = /\b(?:thr|trn|itm|img)_[A-Za-z0-9-]+/g;
