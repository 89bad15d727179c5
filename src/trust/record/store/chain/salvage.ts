/**
 * Saves what can be read of a ledger that was put aside. A row counts when its content has its hash, wherever it stood. All
 * of them go into a file that can be read beside the damaged one; those that still follow each other from the first row of
 * their chain go into the new ledger, too, so that what was begun, and how often, is known on.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { LedgerRow } from '../../../../protocol/approvals/ledger.ts';
import type { ChainStarts } from './chain-starts.ts';
import { type ChainEnd, createGenesis, HASHED_COLUMNS, isRowHash, findChainProblem } from './chain.ts';
import { type FoundRecord, readRecords } from '../record-pages.ts';

export interface Salvage {
	/** Name of the damaged file, in the folder of the new one. */
	readonly file: string;
	/** Rows that the damaged file had, as far as its own rows and `known` tell, and that cannot be read. */
	readonly unreadable: number;
	/** In the file beside it. */
	readonly readable: number;
	/** Rows that were copied from that file into the new ledger. */
	readonly copied: number;
}

const SALVAGED_COLUMNS = [...HASHED_COLUMNS, 'hash'] as const;
const ROWS_ENDING = '.rows.jsonl';
const TEXT_OF_HASH = /^[0-9a-f]{64}$/;

/** Describes the salvage to the user and in the ledger. */
export function salvageText({ file, unreadable, readable, copied }: Salvage): string {
	const lost = `${unreadable} ${unreadable === 1 ? 'row' : 'rows'} cannot be read`;
	const kept = `${readable} ${readable === 1 ? 'was' : 'were'} saved in ${file}${ROWS_ENDING}`;
	return `the ledger was damaged and moved aside to ${file}: ${lost}, ${kept}, and ${copied} of them copied into the new ledger`;
}

/** Damaged ledgers beside this one of which nothing was saved yet, oldest first. */
export function unsavedBeside(path: string): string[] {
	const names = readdirSync(dirname(path));
	const damaged = names.filter((name) => name.startsWith(`${basename(path)}.damaged-`) && name.endsWith('Z'));
	return damaged.filter((name) => !names.includes(name + ROWS_ENDING)).sort();
}

/** In the caller's transaction. `known`: how far each chain got, as somebody else has kept it. */
export function salvageLedger(
	db: DatabaseSync,
	starts: ChainStarts,
	path: string,
	known: ReadonlyMap<string, number>,
): Salvage {
	const isFresh = db.prepare('SELECT 1 FROM ledger LIMIT 1').get() === undefined;
	db.exec(`DROP TABLE IF EXISTS temp.salvaged;
		CREATE TEMP TABLE salvaged AS SELECT ${SALVAGED_COLUMNS.join(', ')}, 0 AS follows FROM ledger LIMIT 0;
		CREATE UNIQUE INDEX temp.salvaged_places ON salvaged (writer, seq)`);
	const found = collectSalvagedRows(db, path);
	if (isFresh) {
		starts.move([...found.values()]);
	}
	const findChainBegin = (writer: string) => found.get(writer) ?? createGenesis(writer);
	const ends = markFollowingRows(db, findChainBegin);
	const copied = isFresh ? copyFollowingRows(db) : 0;
	const readable = writeRows(db, path);
	let unreadable = 0;
	for (const writer of new Set([...ends.keys(), ...known.keys()])) {
		const { last, rows } = ends.get(writer) ?? { last: 0, rows: 0 };
		unreadable += Math.max(0, Math.max(last, known.get(writer) ?? 0) - findChainBegin(writer).seq - rows);
	}
	db.exec('DROP TABLE temp.salvaged');
	return { file: basename(path), unreadable, readable, copied };
}

/** Every row that is as it was written. Returns where chains begin of which the beginning was removed. */
function collectSalvagedRows(db: DatabaseSync, path: string): Map<string, ChainEnd> {
	const begins = new Map<string, ChainEnd>();
	const order = db.prepare('SELECT name FROM pragma_table_info(?)').all('ledger');
	const names = order.map(({ name }) => String(name));
	const insert = db.prepare(
		`INSERT OR REPLACE INTO temp.salvaged (${SALVAGED_COLUMNS.join(', ')}) VALUES (${SALVAGED_COLUMNS.map(() => '?').join(', ')})`,
	);
	for (const { rowId, values } of readReadableRecords(path)) {
		if (rowId === undefined) {
			const begin = parseChainBegin(values);
			if (begin !== undefined && begin.seq > (begins.get(begin.writer)?.seq ?? 0)) {
				begins.set(begin.writer, begin);
			}
		} else if (values.length === names.length) {
			const row = new Map<string, SQLInputValue>(names.map((name, index) => [name, values[index] ?? null]));
			row.set('id', rowId);
			const hashed = HASHED_COLUMNS.map((column) => row.get(column));
			if (isRowHash(hashed, row.get('hash'))) {
				insert.run(...SALVAGED_COLUMNS.map((column) => row.get(column) ?? null));
			}
		}
	}
	const drop = db.prepare('DELETE FROM temp.salvaged WHERE writer = ? AND seq <= ?');
	for (const { writer, seq } of begins.values()) {
		// Removed because the user wanted it so: not to come back from a page that nobody has overwritten.
		drop.run(writer, seq);
	}
	return begins;
}

/** Up to where the disk gives nothing any more. */
function* readReadableRecords(path: string): Generator<FoundRecord> {
	try {
		yield* readRecords(path);
	} catch (error) {
		if (!(error instanceof Error && 'syscall' in error)) {
			throw error;
		}
	}
}

function parseChainBegin(values: readonly unknown[]): ChainEnd | undefined {
	const [writer, seq, hash, ...more] = values;
	const isBegin = typeof writer === 'string' && Number.isSafeInteger(seq) && TEXT_OF_HASH.test(String(hash));
	return isBegin && more.length === 0 ? { writer, seq: Number(seq), hash: String(hash) } : undefined;
}

/** Marks the rows that follow each other from where their chain begins. Returns what there is of each chain. */
function markFollowingRows(
	db: DatabaseSync,
	begins: (writer: string) => ChainEnd,
): Map<string, { readonly last: number; readonly rows: number }> {
	const chains = new Map<string, { last: number; rows: number }>();
	const ends = new Map<string, ChainEnd>();
	let end: ChainEnd | undefined;
	let isBroken = false;
	for (const row of rowsBy(db, 'writer, seq')) {
		if (end === undefined || row.writer !== end.writer) {
			end = begins(row.writer);
			isBroken = false;
		}
		const chain = chains.get(row.writer) ?? { last: 0, rows: 0 };
		chains.set(row.writer, { last: row.seq, rows: chain.rows + 1 });
		const hashed = HASHED_COLUMNS.map((column) => row[column]);
		isBroken ||= findChainProblem(end, hashed, row.hash) !== undefined;
		if (!isBroken) {
			end = { writer: row.writer, seq: row.seq, hash: row.hash };
			ends.set(row.writer, end);
		}
	}
	const mark = db.prepare('UPDATE temp.salvaged SET follows = 1 WHERE writer = ? AND seq <= ?');
	for (const { writer, seq } of ends.values()) {
		mark.run(writer, seq);
	}
	return chains;
}

function copyFollowingRows(db: DatabaseSync): number {
	const names = SALVAGED_COLUMNS.join(', ');
	const sql = `INSERT OR IGNORE INTO ledger (${names}) SELECT ${names} FROM temp.salvaged WHERE follows = 1 ORDER BY id`;
	return Number(db.prepare(sql).run().changes);
}

/** Whole or not at all: the file also says that everything that can be saved is. Returns how many rows are in it. */
function writeRows(db: DatabaseSync, path: string): number {
	const draft = `${path}${ROWS_ENDING}.tmp`;
	const file = openSync(draft, 'w', 0o600);
	let count = 0;
	try {
		for (const { follows: _follows, ...row } of rowsBy(db, 'id, writer, seq')) {
			writeSync(file, `${JSON.stringify(row)}\n`);
			count += 1;
		}
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
	renameSync(draft, path + ROWS_ENDING);
	return count;
}

type SalvagedRow = LedgerRow & { readonly follows: number };

function rowsBy(db: DatabaseSync, order: string): Iterable<SalvagedRow> {
	return db
		.prepare(`SELECT * FROM temp.salvaged ORDER BY ${order}`)
		.iterate() as Iterable<unknown> as Iterable<SalvagedRow>;
}
