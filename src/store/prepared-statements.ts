import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements of one database, each prepared at its first use and kept by its text. */
export class PreparedStatements {
	readonly #db: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	constructor(db: DatabaseSync) {
		this.#db = db;
	}

	prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (statement === undefined) {
			statement = this.#db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	clear(): void {
		this.#statements.clear();
	}
}
