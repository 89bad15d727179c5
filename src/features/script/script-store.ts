/** Runs of scripts and what of each is done, so that a later run goes on behind it. Synchronous: each call is a row. */
import { newId, type OpId, type ThreadId } from '../../protocol/rpc/ids.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { Database } from '../../store/database.ts';
import type { Migrations } from '../../store/migrate.ts';
import type { ClaimHolder } from '../../store/threads/lease-holder.ts';
import { parseProcessName } from '../../store/threads/process-lease-holder.ts';
import { claimLost } from '../../contract/claim-lost.ts';
import { scriptLimits } from './limits.ts';

/** Times are milliseconds since 1970. `result` is JSON without secrets; null: it was not kept. */
export const scriptMigrations: Migrations = [
	`
	CREATE TABLE run (
		id TEXT PRIMARY KEY,
		hash TEXT NOT NULL,
		folder TEXT NOT NULL,
		thread TEXT NOT NULL,
		state TEXT NOT NULL,
		owner TEXT NOT NULL,
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX run_of_script ON run (hash, folder, created_at);
	CREATE TABLE act (
		run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
		step TEXT NOT NULL,
		round INTEGER NOT NULL,
		op_id TEXT NOT NULL,
		is_done INTEGER NOT NULL,
		result TEXT,
		PRIMARY KEY (run, step, round)
	) STRICT, WITHOUT ROWID;
	`,
];

/** `open`: it failed or was cut off, and can go on. */
type ScriptRunState = 'open' | 'done';

export interface ScriptRun {
	readonly id: string;
	readonly hash: string;
	readonly folder: string;
	readonly threadId: ThreadId;
	readonly state: ScriptRunState;
}

/** `isRunning`: a process is at work on it, or waits there for the user. */
export interface LastScriptRun extends Pick<ScriptRun, 'state' | 'threadId'> {
	readonly isRunning: boolean;
}

/** An op of a run: begun, or done with its result. */
interface ScriptAct {
	readonly opId: OpId;
	readonly isDone: boolean;
	/** Undefined: not done, or its result was not kept. */
	readonly result: unknown;
}

interface ScriptRunRow extends Omit<ScriptRun, 'threadId'> {
	readonly thread: ThreadId;
	readonly owner: string;
	readonly created_at: number;
}

interface ActRow {
	readonly op_id: OpId;
	readonly is_done: number;
	readonly result: string | null;
}

export class ScriptStore {
	readonly #db: Database;
	readonly #holder: ClaimHolder;

	constructor(db: Database, holder: ClaimHolder) {
		this.#db = db;
		this.#holder = holder;
	}

	/**
	 * Goes on with the last run of that very script in a folder, or begins one. Throws INVALID_STATE while a process has it. The
	 * claim ends with `release`, or with the process; after that, all that writes throws CLAIM_LOST where another has it.
	 */
	claim(id: string, { hash, folder }: Pick<ScriptRun, 'hash' | 'folder'>, isAnew: boolean): ScriptRun {
		return this.#db.transaction('power', () => {
			const last = this.#lastRow(hash, folder);
			if (last !== undefined && this.#isHeld(last)) {
				const { pid, host } = parseProcessName(last.owner);
				throw new ProwessError('INVALID_STATE', `process ${pid} on ${host} runs this script here already`, {
					id: last.id,
					said: text('This script is running here already: process {pid} on {host}.', { pid, host }),
				});
			}
			this.#holder.beat();
			if (last?.state === 'open' && !isAnew) {
				this.#db.run('UPDATE run SET owner = ? WHERE id = ?', this.#holder.owner, last.id);
				return { id: last.id, hash, folder, threadId: last.thread, state: last.state };
			}
			const threadId = newId('thr');
			const values = [id, hash, folder, threadId, 'open', this.#holder.owner, this.#holder.now()];
			this.#db.run('INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)', ...values);
			const old = 'DELETE FROM run WHERE id NOT IN (SELECT id FROM run ORDER BY created_at DESC, id DESC LIMIT ?)';
			this.#db.run(old, scriptLimits.keptRuns);
			return { id, hash, folder, threadId, state: 'open' };
		});
	}

	last(hash: string, folder: string): LastScriptRun | undefined {
		const row = this.#lastRow(hash, folder);
		return row && { state: row.state, threadId: row.thread, isRunning: this.#isHeld(row) };
	}

	/** Returns those of the threads that are runs which are kept. */
	runsAmong(threadIds: readonly string[]): ReadonlySet<string> {
		const sql = 'SELECT thread FROM run WHERE thread IN (SELECT value FROM json_each(?))';
		const rows = this.#db.all<Pick<ScriptRunRow, 'thread'>>(sql, JSON.stringify(threadIds));
		return new Set(rows.map(({ thread }) => thread));
	}

	/** Gives up the claim on a run. Does nothing when another process has it already. */
	release(id: string): void {
		const sql = "UPDATE run SET owner = '' WHERE id = ? AND owner = ?";
		this.#db.transaction('process', () => this.#db.run(sql, id, this.#holder.owner));
	}

	done(id: string): void {
		this.#write(id, "UPDATE run SET state = 'done' WHERE id = ?", id);
	}

	act(run: string, step: string, round: number): ScriptAct | undefined {
		const row = this.#db.get<ActRow>('SELECT * FROM act WHERE run = ? AND step = ? AND round = ?', run, step, round);
		return row === undefined
			? undefined
			: {
					opId: row.op_id,
					isDone: row.is_done === 1,
					result: row.result === null ? undefined : (JSON.parse(row.result) as unknown),
				};
	}

	/** Durable before the op is performed. */
	begun(run: string, step: string, round: number, opId: OpId): void {
		this.#write(run, 'INSERT OR REPLACE INTO act VALUES (?, ?, ?, ?, 0, NULL)', run, step, round, opId);
	}

	/** `result`: as JSON; null where it is not kept. */
	ended(run: string, step: string, round: number, result: string | null): void {
		const sql = 'UPDATE act SET is_done = 1, result = ? WHERE run = ? AND step = ? AND round = ?';
		this.#write(run, sql, result, run, step, round);
	}

	/** Known to have failed: the next run does it anew. */
	failed(run: string, step: string, round: number): void {
		const sql = 'DELETE FROM act WHERE run = ? AND step = ? AND round = ?';
		this.#write(run, sql, run, step, round);
	}

	dispose(): void {
		this.#db.dispose();
	}

	#isHeld({ owner, created_at }: ScriptRunRow): boolean {
		return owner !== '' && this.#holder.isAlive(owner, created_at);
	}

	#lastRow(hash: string, folder: string): ScriptRunRow | undefined {
		const sql = 'SELECT * FROM run WHERE hash = ? AND folder = ? ORDER BY created_at DESC, id DESC LIMIT 1';
		return this.#db.get<ScriptRunRow>(sql, hash, folder);
	}

	#write(run: string, sql: string, ...values: Parameters<Database['run']>[1][]): void {
		this.#db.transaction('power', () => {
			const owner = this.#db.get<Pick<ScriptRunRow, 'owner'>>('SELECT owner FROM run WHERE id = ?', run)?.owner;
			if (owner !== this.#holder.owner) {
				throw claimLost(`the script run ${run}`);
			}
			this.#db.run(sql, ...values);
		});
	}
}
