/**
 * Reads the chains of all writers in their order and checks each row. Nearly all rows are as they were written; for
 * these one text per row, made by SQLite, suffices. Every value of the others is checked. `chain.ts` alone defines what
 * is right.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChainStarts } from './chain-starts.ts';
import {
	type ChainEnd,
	createGenesis,
	createRowTextHead,
	HASHED_COLUMNS,
	findChainProblem,
	QUICK_COLUMNS,
	type QuickLook,
	surelyFollows,
} from './chain.ts';

/** Where a walk over all chains stands. */
export interface WalkPosition {
	readonly end: ChainEnd;
	/** The chain has a problem already; only its first one is told. */
	readonly broken: boolean;
}

export interface WalkStep {
	readonly rows: number;
	readonly problems: { readonly writer: string; readonly seq: number; readonly problem: string }[];
	/** Chains that begin in this step. */
	readonly writers: number;
	readonly next: WalkPosition | undefined;
}

type FoundChainRow = readonly [id: number, ...QuickLook];

export class ChainWalk {
	readonly #starts: ChainStarts;
	readonly #quick: StatementSync;
	readonly #ids: StatementSync;
	readonly #row: StatementSync;

	constructor(db: DatabaseSync, starts: ChainStarts) {
		this.#starts = starts;
		const after = 'FROM ledger WHERE (writer, seq) > (?, ?) ORDER BY writer, seq LIMIT ?';
		this.#quick = db.prepare(`SELECT id, ${QUICK_COLUMNS.join(', ')} ${after}`);
		this.#ids = db.prepare(`SELECT id, NULL, NULL, NULL ${after}`);
		this.#row = db.prepare(`SELECT hash, ${HASHED_COLUMNS.join(', ')} FROM ledger WHERE id = ?`);
		for (const statement of [this.#quick, this.#ids, this.#row]) {
			// Only the values are needed: an object with their names takes longer than the hash.
			statement.setReturnArrays(true);
		}
	}

	/** The next `limit` rows, checked. */
	step(position: WalkPosition | undefined, limit: number): WalkStep {
		let at = position;
		const problems: WalkStep['problems'] = [];
		let writers = 0;
		let head = createRowTextHead(at?.end.writer ?? '');
		const found = this.#after(position?.end, limit);
		for (const [id, text, durationMs, quickHash] of found) {
			if (at !== undefined && surelyFollows(at.end, head, [text, durationMs, quickHash])) {
				const { writer, seq } = at.end;
				at = { end: { writer, seq: seq + 1, hash: String(quickHash) }, broken: at.broken };
				continue;
			}
			const [hash, ...values] = this.#row.get(id) as unknown as unknown[];
			const [writer, seq] = [String(values[0]), Number(values[1])];
			if (at === undefined || writer !== at.end.writer) {
				at = { end: this.#starts.of(writer) ?? createGenesis(writer), broken: false };
				writers += 1;
				head = createRowTextHead(writer);
			}
			const problem = at.broken ? undefined : findChainProblem(at.end, values, hash);
			if (problem !== undefined) {
				problems.push({ writer, seq, problem });
			}
			at = { end: { writer, seq, hash: String(hash) }, broken: at.broken || problem !== undefined };
		}
		return { rows: found.length, problems, writers, next: found.length < limit ? undefined : at };
	}

	#after(end: ChainEnd | undefined, limit: number): readonly FoundChainRow[] {
		const where = [end?.writer ?? '', end?.seq ?? 0, limit] as const;
		try {
			return this.#quick.all(...where) as unknown as FoundChainRow[];
		} catch {
			// SQLite cannot make a text of some row. Return only ids, so that every row is checked by its values, which
			// finds it.
			return this.#ids.all(...where) as unknown as FoundChainRow[];
		}
	}
}
