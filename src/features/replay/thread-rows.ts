/** Rows of threads as they were before a recording, so that a replay goes on with the same ones in a home of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { Database } from '../../store/database.ts';
import { insertCopies } from '../../store/threads/copy-thread.ts';
import type { StoredRow } from '../../store/threads/insert-row.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { threadMigrations } from '../../store/threads/thread-migrations.ts';

type Value = string | number | null | { readonly base64: string };

/** Rows by table; a row by its columns. */
export type ThreadRows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

const OF_THREAD = ['turns', 'items', 'messages', 'compactions', 'images', 'set_aside'];
/** Tables of what models have said of themselves, which decides how much of a thread they are sent. */
const OF_MODELS = ['model_windows', 'model_limits'];

/** The rows of a thread and of its sub-agents; null: of no thread. */
export function readThreadRows(home: string, threadId: string | null): ThreadRows {
	const path = join(home, 'threads.db');
	if (!existsSync(path)) return {};
	const db = new Database(path, { readOnly: true });
	try {
		const threads =
			threadId === null
				? []
				: db.all<Row>('SELECT * FROM threads WHERE id = ? OR agent LIKE ?', threadId, `%"parent":"${threadId}"%`);
		const ids = threads.map(({ id }) => String(id));
		const places = ids.map(() => '?').join(', ');
		const rows: Record<string, Record<string, Value>[]> = { threads: threads.map(toJson) };
		for (const table of ids.length === 0 ? [] : OF_THREAD) {
			rows[table] = db.all<Row>(`SELECT * FROM ${table} WHERE thread_id IN (${places})`, ...ids).map(toJson);
		}
		for (const table of OF_MODELS) rows[table] = db.all<Row>(`SELECT * FROM ${table}`).map(toJson);
		return rows;
	} finally {
		db.dispose();
	}
}

/** Returns the ids of the threads of a home that these rows are not about. */
export function listOtherThreads(home: string, { threads = [] }: ThreadRows): ReadonlySet<unknown> {
	const path = join(home, 'threads.db');
	if (!existsSync(path)) return new Set();
	const db = new Database(path, { readOnly: true });
	try {
		const known = new Set(threads.map(({ id }) => id));
		return new Set(db.all<Row>('SELECT id FROM threads').flatMap(({ id }) => (known.has(String(id)) ? [] : [id])));
	} finally {
		db.dispose();
	}
}

/** Puts the rows into the home of a replay, whose server has not started. */
export function writeThreadRows(home: string, rows: ThreadRows): void {
	const { db } = openMigratedDatabase(join(home, 'threads.db'), threadMigrations);
	try {
		for (const table of ['threads', ...OF_THREAD, ...OF_MODELS]) {
			const known = new Set(
				db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name),
			);
			for (const row of rows[table] ?? []) {
				const values = Object.entries(row).filter(([name]) => known.has(name));
				const names = values.map(([name]) => name).join(', ');
				const places = values.map(() => '?').join(', ');
				db.run(`INSERT INTO ${table} (${names}) VALUES (${places})`, ...values.map(([, value]) => fromJson(value)));
			}
		}
		db.exec('UPDATE threads SET lease_owner = NULL, lease_expires = 0');
	} finally {
		db.dispose();
	}
}

/** Adds a thread to a home that is in use, as one commit and with ids of its own; ids of ops name rows of the ledger, and stay. */
export function addThreadCopy(
	home: string,
	rows: ThreadRows,
	threadId: string,
	copy: { readonly id: string; readonly title: (title: string) => string; readonly workspace: string },
): void {
	const thread = rows['threads']?.find(({ id }) => id === threadId);
	if (thread === undefined) throw new ProwessError('INTERNAL', `there is no thread ${threadId} in its recording`);
	const ofThread = (table: string) =>
		(rows[table] ?? []).filter((row) => row['thread_id'] === threadId).map(fromJsonRow);
	const [turns, items, messages] = [ofThread('turns'), ofThread('items'), ofThread('messages')];
	const parts = { turns, items, messages, compactions: ofThread('compactions'), images: ofThread('images') };
	const newId = (prefix: string) => `${prefix}_${v7()}`;
	const { db } = openMigratedDatabase(join(home, 'threads.db'), threadMigrations);
	try {
		db.transaction('power', () => {
			const at = new Date().toISOString();
			const { title, model_id, mode, effort, instructions_read, seq } = fromJsonRow(thread);
			db.run(
				`INSERT INTO threads (id, title, model_id, mode, effort, workspace, created_at, updated_at, instructions_read, seq)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				...[
					copy.id,
					copy.title(String(title)),
					model_id,
					mode,
					effort,
					copy.workspace,
					at,
					at,
					instructions_read,
					seq,
				].map((value) => value ?? null),
			);
			insertCopies(db, parts, { from: threadId, to: copy.id, newId });
		});
	} finally {
		db.dispose();
	}
}

/** True when the home has that thread. */
export function hasThread(home: string, threadId: string): boolean {
	return (readThreadRows(home, threadId)['threads'] ?? []).length > 0;
}

type Row = Record<string, string | number | bigint | null | Uint8Array>;

function toJson(row: Row): Record<string, Value> {
	const values = Object.entries(row).map(([name, value]): [string, Value] => [
		name,
		value instanceof Uint8Array
			? { base64: Buffer.from(value).toString('base64') }
			: typeof value === 'bigint'
				? Number(value)
				: value,
	]);
	return Object.fromEntries(values);
}

function fromJsonRow(row: Readonly<Record<string, Value>>): StoredRow {
	return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, fromJson(value)]));
}

function fromJson(value: Value): string | number | null | Uint8Array {
	return typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value;
}
