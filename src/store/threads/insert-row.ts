/** Puts a row of a thread into its table again, or a copy of one. */
import type { Database } from '../database.ts';

export type StoredRow = Readonly<Record<string, string | number | Uint8Array | null>>;

/** With a number of its own where the table counts its rows; the text of a message can be searched for again. */
export function insertRow(
	db: Database,
	table: 'turns' | 'items' | 'messages' | 'compactions' | 'images',
	row: StoredRow,
): void {
	const columns = Object.entries(row).filter(([name]) => name !== 'number');
	db.run(
		`INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
		...columns.map(([, value]) => value),
	);
	if (table === 'items' && (row['kind'] === 'user' || row['kind'] === 'text')) {
		db.run(
			`INSERT INTO item_text (rowid, text, thread_id) SELECT number, json_extract(body, '$.text'), thread_id
				FROM items WHERE id = ? AND json_valid(body)`,
			row['id'] ?? null,
		);
	}
}
