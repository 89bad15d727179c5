/**
 * SQLite file, used synchronously: between `begin` and `commit` nothing else of this process can run, so a transaction is
 * never half of two things. Statements are prepared once, by their text.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Disposable } from '../base/disposable.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** `power`: survives a power cut, one flush of the disk. `process`: survives the end of this process, however it ends. */
export type Durability = 'power' | 'process';

export class Database implements Disposable {
	readonly path: string;
	readonly #db: DatabaseSync;
	readonly #statements: PreparedStatements;
	#depth = 0;

	constructor(path: string, options: { readonly readOnly: boolean }) {
		this.path = path;
		this.#db = new DatabaseSync(path, { readOnly: options.readOnly });
		this.#statements = new PreparedStatements(this.#db);
	}

	/** Several statements without parameters. */
	exec(sql: string): void {
		this.#db.exec(sql);
	}

	all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
		return this.#statements.prepare(sql).all(...values) as Row[];
	}

	get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
		return this.#statements.prepare(sql).get(...values) as Row | undefined;
	}

	/** Number of rows changed. */
	run(sql: string, ...values: SQLInputValue[]): number {
		return Number(this.#statements.prepare(sql).run(...values).changes);
	}

	/** All of `work` or nothing. A transaction in a transaction is part of the outer one, and as durable. */
	transaction<T>(durability: Durability, work: () => T): T {
		if (this.#depth > 0) {
			return work();
		}
		if (durability === 'process') {
			return this.#transacted(work);
		}
		this.#db.exec('PRAGMA synchronous = FULL');
		try {
			return this.#transacted(work);
		} finally {
			// Also a single statement would flush the disk otherwise.
			this.#db.exec('PRAGMA synchronous = NORMAL');
		}
	}

	#transacted<T>(work: () => T): T {
		this.#statements.prepare('BEGIN IMMEDIATE').run();
		this.#depth = 1;
		try {
			const result = work();
			this.#statements.prepare('COMMIT').run();
			return result;
		} catch (error) {
			if (this.#db.isTransaction) {
				this.#statements.prepare('ROLLBACK').run();
			}
			throw error;
		} finally {
			this.#depth = 0;
		}
	}

	dispose(): void {
		this.#statements.clear();
		if (this.#db.isOpen) {
			this.#db.close();
		}
	}
}
