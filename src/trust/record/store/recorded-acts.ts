/**
 * Reads rows as acts: the intent of an op with its last later row, or the one row of what has no intent. A step looks at so
 * many rows and no more, so that a filter that nothing fits never holds up who appends.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { ActFilter, LedgerRow, RecordedAct } from '../../../protocol/approvals/ledger.ts';
import { FAILED_ENDINGS, NOT_FAILED } from '../../../protocol/ops/commands/command-end.ts';
import { HASHED_COLUMNS } from './chain/chain.ts';
import { type Condition, createFilterCondition, joinConditions } from './filter.ts';

/** Acts that are left out unless they are asked for. */
export interface Housekeeping {
	readonly ops: readonly string[];
	/** Inputs of reads that the agent makes by itself, as patterns of SQL. */
	readonly reads: readonly string[];
}

export interface ActStepQuery {
	readonly filter: ActFilter;
	readonly housekeeping: Housekeeping;
	/** Only acts whose first row lies before this one. Null: from the newest on. */
	readonly before: number | null;
	readonly limit: number;
	/** Rows to look at. */
	readonly rows: number;
}

export interface ActStep {
	readonly acts: readonly RecordedAct[];
	/** Where to go on. Null: every row was looked at. */
	readonly next: number | null;
}

/** The first row of each act: an intent, a note, or the first of an op that has no intent. */
const IS_FIRST = `(h.kind IN ('intent', 'note') OR h.opId IS NULL
	OR NOT EXISTS (SELECT 1 FROM ledger i WHERE i.kind = 'intent' AND i.opId = h.opId)
	AND h.id = (SELECT min(l.id) FROM ledger l WHERE l.kind <> 'intent' AND l.opId = h.opId))`;
const LAST_ID = "(SELECT max(l.id) FROM ledger l WHERE l.kind <> 'intent' AND l.opId = h.opId)";
const STATUS = 'coalesce(e.status, h.status)';

export class RecordedActs {
	readonly #db: DatabaseSync;
	readonly #row: StatementSync;
	readonly #newest: StatementSync;
	readonly #nthOfThread: StatementSync;
	readonly #nthOfOp: StatementSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
		const columns = [...HASHED_COLUMNS, 'hash'].join(', ');
		this.#row = db.prepare(`SELECT ${columns} FROM ledger WHERE id = ?`);
		this.#newest = db.prepare('SELECT ifnull(max(id), 0) AS id FROM ledger');
		const prepareNth = (column: 'threadId' | 'op') =>
			db.prepare(`SELECT id FROM ledger WHERE ${column} = ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ?`);
		this.#nthOfThread = prepareNth('threadId');
		this.#nthOfOp = prepareNth('op');
	}

	step({ filter, housekeeping, before, limit, rows }: ActStepQuery): ActStep {
		const top = before ?? Number(this.#newest.get()?.['id']) + 1;
		const bottom = this.#bottomOfStep(filter, top, rows);
		const { sql, values } = joinConditions([
			{ sql: 'h.id < ? AND h.id >= ?', values: [top, bottom] },
			{ sql: IS_FIRST, values: [] },
			...createActConditions(filter, housekeeping),
		]);
		const found = this.#db
			.prepare(
				`SELECT h.id AS first, e.id AS last FROM ledger h LEFT JOIN ledger e ON e.id = ${LAST_ID} AND e.id <> h.id
				WHERE ${sql} ORDER BY h.id DESC LIMIT ?`,
			)
			.all(...values, limit);
		const lowest = Number(found.at(-1)?.['first'] ?? bottom);
		const isFull = found.length === limit;
		return {
			acts: found.map(({ first, last }) => ({
				first: this.#rowAt(Number(first)),
				last: last === null || last === undefined ? null : this.#rowAt(Number(last)),
			})),
			next: isFull ? lowest : bottom > 1 ? bottom : null,
		};
	}

	/** Id of the last row to look at from `top` down. An index finds a single act, and those of a thread or op, wherever they lie. */
	#bottomOfStep({ opId, row, threadId, op }: ActFilter, top: number, rows: number): number {
		if (opId !== undefined || row !== undefined) {
			return 1;
		}
		if (threadId === undefined && op === undefined) {
			return Math.max(1, top - rows);
		}
		const nth = threadId === undefined ? this.#nthOfOp : this.#nthOfThread;
		return Number(nth.get(threadId ?? op ?? '', top, rows - 1)?.['id'] ?? 1);
	}

	#rowAt(id: number): LedgerRow {
		return this.#row.get(id) as unknown as LedgerRow;
	}
}

function createActConditions(
	{ row, opId, threadId, op, end, withHousekeeping = false, ...rows }: ActFilter,
	housekeeping: Housekeeping,
): Condition[] {
	return [
		// Both rows of an act name the same thread and op.
		createFilterCondition({ row, opId, threadId, op }, 'h'),
		eitherRow(rows),
		end === undefined ? undefined : endedAs[end],
		withHousekeeping ? undefined : noHousekeeping(housekeeping),
	].filter((condition) => condition !== undefined);
}

function eitherRow(filter: Parameters<typeof createFilterCondition>[0]): Condition | undefined {
	const first = createFilterCondition(filter, 'h');
	const last = createFilterCondition(filter, 'e');
	return first && last && { sql: `(${first.sql} OR ${last.sql})`, values: [...first.values, ...last.values] };
}

const endedAs: { readonly [E in NonNullable<ActFilter['end']>]: Condition } = {
	denied: { sql: `${STATUS} = 'denied'`, values: [] },
	failed: {
		sql: `(${STATUS} IN ('failed', 'timeout') OR h.op = 'shell.run' AND e.output NOT LIKE ? AND (${FAILED_ENDINGS.map(() => 'e.output LIKE ?').join(' OR ')}))`,
		values: [NOT_FAILED, ...FAILED_ENDINGS],
	},
	open: { sql: "h.kind = 'intent' AND e.id IS NULL", values: [] },
};

/** Leaves housekeeping out, but never a refused act. */
function noHousekeeping({ ops, reads }: Housekeeping): Condition {
	const formatMarks = (values: readonly SQLInputValue[]) => values.map(() => '?').join(', ');
	const isOneOfReads = reads.length === 0 ? '0' : reads.map(() => 'h.input LIKE ?').join(' OR ');
	const isRead = `h.op = 'fs.read' AND h.trigger LIKE 'agent:%' AND (${isOneOfReads})`;
	return {
		sql: `(${STATUS} IS 'denied' OR NOT (h.op IN (${formatMarks(ops)}) OR ${isRead}))`,
		values: [...ops, ...reads],
	};
}
