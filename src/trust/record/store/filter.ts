/** Which rows a filter means, as a condition of SQL. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerFilter } from '../../../protocol/approvals/ledger.ts';

export interface Condition {
	readonly sql: string;
	readonly values: readonly SQLInputValue[];
}

/** Undefined when every row is meant. `table`: the name that rows have in the statement. */
export function createFilterCondition(filter: LedgerFilter, table = 'ledger'): Condition | undefined {
	const parts: Condition[] = [];
	const addCondition = (sql: string, ...values: SQLInputValue[]) => parts.push({ sql, values });
	const { row, opId, doer, since, until, text } = filter;
	if (row !== undefined) {
		addCondition(`${table}.writer = ? AND ${table}.seq = ?`, row.writer, row.seq);
	}
	if (opId !== undefined) {
		// Each half has an index of its own.
		const createHalf = (kind: string) => `${table}.kind ${kind} 'intent' AND ${table}.opId = ?`;
		addCondition(`(${createHalf('=')} OR ${createHalf('<>')})`, opId, opId);
	}
	for (const column of ['threadId', 'op', 'kind'] as const) {
		const value = filter[column];
		if (value !== undefined) {
			addCondition(`${table}.${column} = ?`, value);
		}
	}
	if (doer !== undefined) {
		const beginning = `${doer}:`;
		addCondition(`(${table}.trigger = ? OR substr(${table}.trigger, 1, length(?)) = ?)`, doer, beginning, beginning);
	}
	if (since !== undefined) {
		addCondition(`${table}.at >= ?`, toRowTime(since));
	}
	if (until !== undefined) {
		addCondition(`${table}.at < ?`, toRowTime(until));
	}
	if (text !== undefined && text !== '') {
		const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
		const columns = ['op', 'input', 'output', 'decision', 'status', 'trigger'];
		addCondition(
			`(${columns.map((column) => `${table}.${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
			...columns.map(() => like),
		);
	}
	return parts.length === 0 ? undefined : joinConditions(parts);
}

/** All of them. */
export function joinConditions(parts: readonly Condition[]): Condition {
	return { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** Returns the time in the form that rows hold, because times are compared as texts. */
function toRowTime(time: string): string {
	return new Date(time).toISOString();
}
