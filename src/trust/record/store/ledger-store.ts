/**
 * The ledger's table, synchronously: runs in the thread of the databases. Rows can be added and read; the table itself refuses
 * anything else. A row that acts (`durable`) is on the disk when `append` returns, with all rows before it. Each index costs
 * an append a page of the log, so a row is in one index by its op's id and no more (the intents in the one that keeps them
 * single), and in one by the op's name, which a list of one op and the count of a minute share.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { PreparedStatements } from '../../../store/prepared-statements.ts';
import type { LedgerFilter, LedgerQuery, LedgerRow } from '../../../protocol/approvals/ledger.ts';
import { anchorFaults } from './chain/anchor-check.ts';
import type { Anchor, AnchorLog } from './chain/anchors.ts';
import { CHAIN_STARTS_SCHEMA, ChainStarts } from './chain/chain-starts.ts';
import { ChainWalk, type WalkPosition, type WalkStep } from './chain/chain-walk.ts';
import { type ChainEnd, createGenesis, HASHED_COLUMNS, type LedgerEntry, linkEntry } from './chain/chain.ts';
import { createFilterCondition } from './filter.ts';
import { ACKNOWLEDGE_OP, hostNote, RECOVER_OP } from './chain/host-note.ts';
import { type ActStep, type ActStepQuery, RecordedActs } from './recorded-acts.ts';
import { type Salvage, salvageLedger, salvageText } from './chain/salvage.ts';
import { findSchemaProblem, SchemaWatch } from './chain/schema-watch.ts';

/**
 * SQL for rows that note a fault of the ledger, or that the user has acknowledged the faults. Must equal the condition
 * of the index of these rows, or SQLite does not use that index.
 */
const IS_FAULT = `kind = 'note' AND op IN ('${RECOVER_OP}', '${ACKNOWLEDGE_OP}')`;

/** A change needs a higher version in `open-database.ts`: to an earlier version, what it does not know is foreign. */
export const LEDGER_SCHEMA = `${CHAIN_STARTS_SCHEMA};
CREATE TABLE IF NOT EXISTS ledger (
	id INTEGER PRIMARY KEY,
	writer TEXT NOT NULL, seq INTEGER NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL,
	at TEXT NOT NULL, kind TEXT NOT NULL, opId TEXT, op TEXT NOT NULL, trigger TEXT NOT NULL, threadId TEXT,
	risk TEXT, assessed TEXT, decision TEXT NOT NULL, paramsHash TEXT,
	input TEXT NOT NULL, output TEXT, status TEXT, durationMs REAL,
	UNIQUE (writer, seq)
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS ledger_one_intent ON ledger (opId) WHERE kind = 'intent';
DROP INDEX IF EXISTS ledger_op_id;
CREATE INDEX IF NOT EXISTS ledger_later_rows ON ledger (opId) WHERE kind <> 'intent';
CREATE INDEX IF NOT EXISTS ledger_thread ON ledger (threadId, id);
DROP INDEX IF EXISTS ledger_rate;
CREATE INDEX IF NOT EXISTS ledger_op ON ledger (op);
CREATE INDEX IF NOT EXISTS ledger_faults ON ledger (id) WHERE ${IS_FAULT};
CREATE TRIGGER IF NOT EXISTS ledger_no_update BEFORE UPDATE ON ledger
	BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER IF NOT EXISTS ledger_no_delete BEFORE DELETE ON ledger
	WHEN NOT EXISTS (SELECT 1 FROM ledger_starts WHERE writer = OLD.writer AND seq >= OLD.seq)
	BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END`;

/** A bare parameter is looked at when SQLite plans, so that the statement would be planned anew at each use. */
const LIMIT = 'LIMIT ? + 0';
const LEDGER_COLUMNS = [...HASHED_COLUMNS, 'hash'] as const satisfies readonly (keyof LedgerRow)[];

const NEXT_ID = '(SELECT ifnull(max(id), 0) + 1 FROM ledger)';

export interface Append {
	readonly entry: LedgerEntry;
	readonly durable: boolean;
}

export class LedgerStore {
	readonly #db: DatabaseSync;
	readonly #insert: StatementSync;
	readonly #lastId: StatementSync;
	readonly #schema: SchemaWatch;
	readonly #onRemoval: (digest: string) => void;
	readonly #walk: ChainWalk;
	readonly #starts: ChainStarts;
	readonly #acts: RecordedActs;
	readonly #statements: PreparedStatements;
	#end: ChainEnd;
	/** Id of the last row as far as is known; other hosts write, too. */
	#id = 0;
	#isFull: boolean | undefined;

	/** `onRemoval` is called with the digest of what was removed, before it is. */
	constructor(db: DatabaseSync, writer: string, onRemoval: (digest: string) => void = () => {}) {
		this.#db = db;
		this.#statements = new PreparedStatements(db);
		this.#onRemoval = onRemoval;
		this.#starts = new ChainStarts(db);
		this.#schema = new SchemaWatch(db, LEDGER_SCHEMA);
		// Only as the very next row: its place is hashed before it is known that no other host took it.
		this.#insert = db.prepare(
			`INSERT INTO ledger (${LEDGER_COLUMNS.join(', ')}) SELECT ${LEDGER_COLUMNS.map(() => '?').join(', ')} WHERE ? = ${NEXT_ID}`,
		);
		this.#lastId = db.prepare(`SELECT ${NEXT_ID} - 1 AS id`);
		this.#acts = new RecordedActs(db);
		this.#walk = new ChainWalk(db, this.#starts);
		this.#end = this.headOf(writer) ?? createGenesis(writer);
	}

	/** The last row of this host, or where its chain begins. */
	get end(): ChainEnd {
		return this.#end;
	}

	/** The last row of each chain. */
	heads(): ChainEnd[] {
		const next = this.#statements.prepare('SELECT min(writer) AS writer FROM ledger WHERE writer > ?');
		const heads: ChainEnd[] = [];
		for (let writer = ''; ;) {
			const found = next.get(writer)?.['writer'];
			if (typeof found !== 'string') {
				return heads;
			}
			writer = found;
			const head = this.headOf(writer);
			if (head !== undefined) {
				heads.push(head);
			}
		}
	}

	/** True when the chain has the row of the anchor, or had it when its beginning was removed. */
	holds(anchor: Anchor): boolean {
		return this.#differences({ anchors: [anchor], removed: new Set(), unreadable: [], isWhole: true }, '').length === 0;
	}

	/** Differences between the chains and anchors of them, in words. `source` names where the anchors are from. */
	anchorFaults(log: AnchorLog, source: string): string[] {
		const isRemovalKnown = this.#starts.isEmpty || log.removed.size === 0 || log.removed.has(this.removedDigest());
		return [
			...this.#differences(log, source),
			...(isRemovalKnown ? [] : [`rows were removed that were not old, as far as ${source} says`]),
		];
	}

	#differences(log: AnchorLog, source: string): string[] {
		return anchorFaults({ db: this.#db, starts: this.#starts, headOf: (writer) => this.headOf(writer) }, log, source);
	}

	removedDigest(): string {
		return this.#starts.digest();
	}

	/** Puts on the disk what was written so far. */
	flush(): void {
		this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
	}

	/** Has every check say this until the user acknowledges it. `what`: the name of a file. */
	noteFault(what: string, fault: string): void {
		this.#together(true, () =>
			this.#insertAll([{ entry: { ...hostNote(RECOVER_OP), input: what, decision: fault }, durable: true }]),
		);
	}

	/** The last row of a chain, or the place where it goes on when all of its rows were removed. */
	headOf(writer: string): ChainEnd | undefined {
		const last = this.#statements
			.prepare('SELECT seq, hash FROM ledger WHERE writer = ? ORDER BY seq DESC LIMIT 1')
			.get(writer);
		return last === undefined
			? this.#starts.of(writer)
			: { writer, seq: Number(last['seq']), hash: String(last['hash']) };
	}

	/** Saves what can be read of a ledger that was put aside, and says so in a row of its own. `known`: as for `salvageLedger`. */
	recover(damaged: string, known: ReadonlyMap<string, number>): Salvage {
		return this.#together(true, () => {
			const saved = salvageLedger(this.#db, this.#starts, damaged, known);
			// This writer may have rows in the damaged ledger: continue its chain after them.
			this.#end = this.headOf(this.#end.writer) ?? this.#end;
			const entry = { ...hostNote(RECOVER_OP), input: saved.file, decision: salvageText(saved) };
			this.#insertAll([{ entry: { ...entry, paramsHash: this.#starts.digest() }, durable: true }]);
			this.#onRemoval(this.#starts.digest());
			return saved;
		});
	}

	/** Faults of the ledger as a whole that the user has not acknowledged. */
	faults(): string[] {
		const foreign = findSchemaProblem(this.#db, LEDGER_SCHEMA);
		const noted: string[] = [];
		for (const { op, input, decision } of this.#statements
			.prepare(`SELECT * FROM ledger WHERE ${IS_FAULT} ORDER BY id`)
			.all()) {
			if (op === ACKNOWLEDGE_OP) {
				noted.length = 0;
			} else if (String(input).startsWith('ledger')) {
				noted.push(String(decision));
			}
		}
		return [...(foreign === undefined ? [] : [foreign]), ...noted];
	}

	/** Writes all in one transaction. Each gets its place, or the error that kept it alone out. Throws when none was kept. */
	append(appends: readonly Append[]): (ChainEnd | Error)[] {
		const durable = appends.some((append) => append.durable);
		if (durable) {
			// Only where something is about to be changed: the look would be felt in each read.
			this.#schema.check();
		}
		const [only] = appends;
		if (only !== undefined && appends.length === 1) {
			// A single insert is a transaction of its own.
			this.#setDurable(durable);
			const end = this.#insertNext(only.entry);
			if (end !== undefined) {
				return [end];
			}
		}
		return this.#together(durable, () => this.#insertAll(appends));
	}

	#setDurable(durable: boolean): void {
		if (this.#isFull !== durable) {
			this.#db.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
			this.#isFull = durable;
		}
	}

	#together<T>(durable: boolean, work: () => T): T {
		this.#setDurable(durable);
		this.#statements.prepare('BEGIN IMMEDIATE').run();
		const before = this.#end;
		try {
			const result = work();
			this.#statements.prepare('COMMIT').run();
			return result;
		} catch (error) {
			this.#end = before;
			if (this.#db.isTransaction) {
				this.#db.exec('ROLLBACK');
			}
			throw error;
		}
	}

	#insertAll(appends: readonly Append[]): (ChainEnd | Error)[] {
		this.#id = Number(this.#lastId.get()?.['id']);
		return appends.map(({ entry }) => {
			const end = this.#insertNext(entry);
			if (end === undefined) {
				throw new Error('the database did not take the row');
			}
			return end;
		});
	}

	/** Undefined when nothing was inserted: another host has written since, or the database ignores what it is told. */
	#insertNext(entry: LedgerEntry): ChainEnd | Error | undefined {
		const row = linkEntry(this.#end, entry, this.#id + 1);
		try {
			const values = LEDGER_COLUMNS.map((column) => (row[column] ?? null) as SQLInputValue);
			if (this.#insert.run(...values, row.id).changes !== 1) {
				return undefined;
			}
		} catch (error) {
			if (!isConstraint(error)) {
				throw error;
			}
			return error;
		}
		this.#id = row.id;
		this.#end = { writer: row.writer, seq: row.seq, hash: row.hash };
		return this.#end;
	}

	/** Newest first. */
	query({ limit = 20, before, ...filter }: LedgerQuery): LedgerRow[] {
		const place = 'id < (SELECT id FROM ledger WHERE writer = ? AND seq = ?)';
		const conditions = [
			...(before === undefined ? [] : [{ sql: place, values: [before.writer, before.seq] }]),
			createFilterCondition(filter),
		].filter((condition) => condition !== undefined);
		const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
		const sql = `SELECT ${LEDGER_COLUMNS.join(', ')} FROM ledger ${where} ORDER BY id DESC ${LIMIT}`;
		const values = conditions.flatMap((condition) => condition.values);
		return this.#statements.prepare(sql).all(...values, limit) as unknown as LedgerRow[];
	}

	/** Acts, newest first: the next step of the search for those that are meant. */
	acts(query: ActStepQuery): ActStep {
		return this.#acts.step(query);
	}

	/** Rows in the order in which they were written, after the given one; no rows: there are none further on. */
	page(filter: LedgerFilter, after: number, limit: number): { readonly rows: LedgerRow[]; readonly last: number } {
		const condition = createFilterCondition(filter);
		const where = `WHERE id > ?${condition === undefined ? '' : ` AND ${condition.sql}`}`;
		const sql = `SELECT ${LEDGER_COLUMNS.join(', ')} FROM ledger ${where} ORDER BY id ${LIMIT}`;
		const rows = this.#statements
			.prepare(sql)
			.all(after, ...(condition?.values ?? []), limit) as unknown as LedgerRow[];
		return { rows, last: rows.at(-1)?.id ?? after };
	}

	/** When the op was begun since then with an input that begins so, newest first. */
	intentTimes(op: string, since: string, limit: number, inputStart: string): string[] {
		const rows = this.#statements.prepare('SELECT kind, at, input FROM ledger WHERE op = ? ORDER BY id DESC');
		const times: string[] = [];
		for (const { kind, at, input } of rows.iterate(op)) {
			// Rows lie in the order in which they were written: all before this one are older, too.
			if (String(at) <= since || times.length >= limit) {
				break;
			}
			if (kind === 'intent' && String(input).startsWith(inputStart)) {
				times.push(String(at));
			}
		}
		return times;
	}

	/** The next `limit` rows of the walk over every chain, checked. */
	walk(position: WalkPosition | undefined, limit: number): WalkStep {
		return this.#walk.step(position, limit);
	}

	/** Compares the removed beginnings of chains with the ledger's row about the removals. */
	checkStarts(): ReturnType<ChainStarts['check']> {
		return this.#starts.check();
	}

	/** Removes rows before that time, of the `limit` oldest, and says so in `entry`. Returns how many; 0: there are none. */
	prune(entry: LedgerEntry, before: string, limit: number): number {
		if (this.#starts.removable(before, 1).length === 0) {
			return 0;
		}
		return this.#together(true, () => {
			const ends = this.#starts.removable(before, limit);
			this.#starts.move(ends);
			const [row] = this.#insertAll([{ entry: { ...entry, paramsHash: this.#starts.digest() }, durable: true }]);
			if (row instanceof Error) {
				throw row;
			}
			this.#onRemoval(this.#starts.digest());
			return this.#starts.removeRowsBefore(ends);
		});
	}
}

function isConstraint(error: unknown): error is Error {
	return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19;
}
