/** Runs SQL on one file, synchronously: only in the process that is made for it, so that a query without end can be ended. */
import { lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { constants, DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlValue } from '../../protocol/ops/definitions/data/sql.ts';
import { SQL_BUSY_MS, SQL_RESULT_CHARS } from './limits.ts';
import { forbiddenFunctions, isBlankSql, readingPragmas, type SqlMode, whyRefused } from './statement-rules.ts';

interface Statement {
	readonly sql: string;
	readonly params: Readonly<Record<string, SqlValue>>;
}

export interface SqlJob {
	/** Free of links, as the path service found it. */
	readonly realPath: string;
	readonly mode: SqlMode;
	readonly statements: readonly Statement[];
	/** Rows of a query. */
	readonly limit: number;
}

interface SqlRows {
	readonly columns: string[];
	readonly rows: SqlValue[][];
	readonly truncated: boolean;
}

export type SqlAnswer =
	| { readonly kind: 'rows'; readonly rows: SqlRows }
	| { readonly kind: 'changes'; readonly changes: number }
	| { readonly kind: 'moved' }
	| { readonly kind: 'error'; readonly message: string };

export function runSql(job: SqlJob): SqlAnswer {
	const { realPath, mode, statements, limit } = job;
	if (['-wal', '-shm', '-journal'].some((ending) => isLinkedPath(realPath + ending))) {
		return { kind: 'moved' };
	}
	const database = new DatabaseSync(realPath, {
		readOnly: mode === 'query',
		allowExtension: false,
		enableDoubleQuotedStringLiterals: false,
		timeout: SQL_BUSY_MS,
	});
	try {
		if (!isJudgedFileOpen(realPath)) {
			return { kind: 'moved' };
		}
		database.exec(`PRAGMA trusted_schema = OFF; PRAGMA query_only = ${mode === 'query' ? 'ON' : 'OFF'}`);
		enableDefensive(database);
		if (mode === 'query') {
			const [statement] = statements;
			setAuthorizer(database, mode);
			return { kind: 'rows', rows: queryRows(database, statement ?? { sql: '', params: {} }, limit) };
		}
		return { kind: 'changes', changes: executeStatements(database, statements) };
	} finally {
		database.close();
	}
}

function queryRows(database: DatabaseSync, { sql, params }: Statement, limit: number): SqlRows {
	const statement = prepareStatement(database, sql, 'query');
	statement.setReturnArrays(true);
	const rows: SqlValue[][] = [];
	let chars = 0;
	let truncated = false;
	for (const row of statement.iterate(toBoundParams(params)) as Iterable<unknown>) {
		const values = (row as unknown[]).map(toValue);
		chars += JSON.stringify(values).length;
		if (rows.length >= limit || chars > SQL_RESULT_CHARS) {
			truncated = true;
			break;
		}
		rows.push(values);
	}
	return { columns: statement.columns().map(({ name }) => name), rows, truncated };
}

/** All or none. */
function executeStatements(database: DatabaseSync, statements: readonly Statement[]): number {
	const before = totalChanges(database);
	database.exec('BEGIN IMMEDIATE');
	try {
		setAuthorizer(database, 'execute');
		for (const { sql, params } of statements) {
			prepareStatement(database, sql, 'execute').run(toBoundParams(params));
		}
		setAuthorizer(database, undefined);
		database.exec('COMMIT');
		return totalChanges(database) - before;
	} catch (error) {
		setAuthorizer(database, undefined);
		if (database.isTransaction) {
			database.exec('ROLLBACK');
		}
		throw error;
	}
}

function totalChanges(database: DatabaseSync): number {
	return Number(database.prepare('SELECT total_changes() AS n').get()?.['n'] ?? 0);
}

function prepareStatement(database: DatabaseSync, sql: string, mode: SqlMode): StatementSync {
	const refused = whyRefused(sql, mode);
	if (refused !== undefined) {
		throw new Error(refused);
	}
	const statement = database.prepare(sql);
	// Only the first statement was compiled.
	if (!isBlankSql(sql.slice(statement.sourceSQL.length))) {
		throw new Error('it holds more than one statement: give them one by one');
	}
	statement.setReadBigInts(true);
	return statement;
}

function toBoundParams(params: Statement['params']): Record<string, string | number | null | Uint8Array> {
	return Object.fromEntries(
		Object.entries(params).map(([name, value]) => [
			name,
			typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value,
		]),
	);
}

function toValue(value: unknown): SqlValue {
	if (typeof value === 'bigint') {
		const number = Number(value);
		return Number.isSafeInteger(number) ? number : value.toString();
	}
	if (value instanceof Uint8Array) {
		return { base64: Buffer.from(value).toString('base64') };
	}
	// Infinity has no JSON.
	return typeof value === 'number' && !Number.isFinite(value) ? String(value) : (value as string | number | null);
}

/** Node 24 and later; older ones have the rules for statements and the read-only file. */
function setAuthorizer(database: DatabaseSync, mode: SqlMode | undefined): void {
	if (!('setAuthorizer' in database) || typeof database.setAuthorizer !== 'function') {
		return;
	}
	const code: Readonly<Record<string, number | undefined>> = { ...constants };
	const [ok, deny] = [code['SQLITE_OK'] ?? 0, code['SQLITE_DENY'] ?? 1];
	const reading = ['SQLITE_SELECT', 'SQLITE_READ', 'SQLITE_FUNCTION', 'SQLITE_RECURSIVE', 'SQLITE_PRAGMA'];
	const readable = new Set(reading.map((name) => code[name]));
	const never = new Set(
		['SQLITE_ATTACH', 'SQLITE_DETACH', 'SQLITE_TRANSACTION', 'SQLITE_SAVEPOINT'].map((name) => code[name]),
	);
	const judgeAction = (action: number, first: string | null, second: string | null): number => {
		if (never.has(action) || (mode === 'query' && !readable.has(action))) {
			return deny;
		}
		if (action === code['SQLITE_PRAGMA']) {
			return readingPragmas.has((first ?? '').toLowerCase()) ? ok : deny;
		}
		return action === code['SQLITE_FUNCTION'] && forbiddenFunctions.has((second ?? '').toLowerCase()) ? deny : ok;
	};
	(database.setAuthorizer as (judge: unknown) => void).call(database, mode === undefined ? null : judgeAction);
}

function enableDefensive(database: DatabaseSync): void {
	if ('enableDefensive' in database && typeof database.enableDefensive === 'function') {
		(database.enableDefensive as (on: boolean) => void).call(database, true);
	}
}

/** True when the opened file is the file that was judged. SQLite opens by name, so the check comes afterwards. */
function isJudgedFileOpen(realPath: string): boolean {
	if (process.platform !== 'linux') {
		return realpathSync(realPath) === realPath;
	}
	return readdirSync('/proc/self/fd').some((descriptor) => {
		try {
			return readlinkSync(`/proc/self/fd/${descriptor}`) === realPath;
		} catch {
			// The descriptor of this very listing is gone by now.
			return false;
		}
	});
}

function isLinkedPath(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
