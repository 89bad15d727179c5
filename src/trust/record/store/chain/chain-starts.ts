/**
 * Where chains go on of which the beginning was removed, because the user keeps rows for a time only. Each start is the
 * place and the hash of the last row that went. A row of the ledger holds the hash of all of them, so that what is missing
 * is what was removed by us, and nothing else.
 */
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from './canonical-json.ts';
import type { ChainEnd } from './chain.ts';
import { PRUNE_OP, RECOVER_OP } from './host-note.ts';

export const CHAIN_STARTS_SCHEMA = `
CREATE TABLE IF NOT EXISTS ledger_starts (
	writer TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS ledger_starts_stay BEFORE DELETE ON ledger_starts
	BEGIN SELECT RAISE(ABORT, 'a start of a chain stays'); END;
CREATE TRIGGER IF NOT EXISTS ledger_starts_go_on BEFORE UPDATE ON ledger_starts WHEN NEW.seq <= OLD.seq
	BEGIN SELECT RAISE(ABORT, 'a start of a chain goes on'); END`;

export class ChainStarts {
	readonly #db: DatabaseSync;

	constructor(db: DatabaseSync) {
		this.#db = db;
	}

	/** Undefined: the chain is there from its first row. */
	of(writer: string): ChainEnd | undefined {
		const row = this.#db.prepare('SELECT seq, hash FROM ledger_starts WHERE writer = ?').get(writer);
		return row === undefined ? undefined : { writer, seq: Number(row['seq']), hash: String(row['hash']) };
	}

	/** The last row that may go, of each chain of which some of the `limit` oldest rows are before `before`. */
	removable(before: string, limit: number): ChainEnd[] {
		const ends = new Map<string, ChainEnd>();
		const rows = this.#db.prepare('SELECT writer, seq, hash, at FROM ledger ORDER BY id LIMIT ?').all(limit);
		const stopped = new Set<string>();
		for (const row of rows) {
			const writer = String(row['writer']);
			// A clock that was put back makes an old row of a new one: what lies behind a newer row stays.
			if (stopped.has(writer) || String(row['at']) >= before) {
				stopped.add(writer);
			} else {
				ends.set(writer, { writer, seq: Number(row['seq']), hash: String(row['hash']) });
			}
		}
		return [...ends.values()];
	}

	/** From now on these chains begin after these rows; those before may be deleted. */
	move(ends: readonly ChainEnd[]): void {
		const sql =
			'INSERT INTO ledger_starts (writer, seq, hash) VALUES (?, ?, ?) ON CONFLICT (writer) DO UPDATE SET seq = excluded.seq, hash = excluded.hash';
		const move = this.#db.prepare(sql);
		for (const { writer, seq, hash } of ends) {
			move.run(writer, seq, hash);
		}
	}

	/** Returns how many rows went. */
	removeRowsBefore(ends: readonly ChainEnd[]): number {
		const remove = this.#db.prepare('DELETE FROM ledger WHERE writer = ? AND seq <= ?');
		return ends.reduce((removed, { writer, seq }) => removed + Number(remove.run(writer, seq).changes), 0);
	}

	get isEmpty(): boolean {
		return this.#db.prepare('SELECT 1 FROM ledger_starts LIMIT 1').get() === undefined;
	}

	/** Returns the hash that the row about the removal holds. */
	digest(): string {
		return sha256(JSON.stringify(this.#all()));
	}

	/**
	 * Returns the number of rows removed in all, and the problem when the ledger's row about the removals does not
	 * match them.
	 */
	check(): { readonly removed: number; readonly problem: string | undefined } {
		const starts = this.#all();
		const removed = starts.reduce((sum, [, seq]) => sum + seq, 0);
		const sql = `SELECT paramsHash FROM ledger WHERE kind = 'note' AND op IN (?, ?) AND paramsHash IS NOT NULL
			ORDER BY id DESC LIMIT 1`;
		const said = this.#db.prepare(sql).get(PRUNE_OP, RECOVER_OP)?.['paramsHash'];
		const isSaid = said === undefined ? starts.length === 0 : said === this.digest();
		return { removed, problem: isSaid ? undefined : 'what was removed is not what the ledger says was removed' };
	}

	#all(): [writer: string, seq: number, hash: string][] {
		const rows = this.#db.prepare('SELECT writer, seq, hash FROM ledger_starts ORDER BY writer').all();
		return rows.map((row) => [String(row['writer']), Number(row['seq']), String(row['hash'])]);
	}
}
