/** Which rows a filter means, as a condition of SQL. */
import type { SQLInputValue } from 'node:sqlite';
import type { LedgerFilter } from '../../../protocol/ledger.ts';

interface Condition {
	readonly sql: string;
	readonly values: readonly SQLInputValue[];
}

/** Undefined when every row is meant. */
export function conditionOf(filter: LedgerFilter): Condition | undefined {
	const parts: Condition[] = [];
	const where = (sql: string, ...values: SQLInputValue[]) => parts.push({ sql, values });
	const { row, opId, since, until, text } = filter;
	if (row !== undefined) {
		where('writer = ? AND seq = ?', row.writer, row.seq);
	}
	if (opId !== undefined) {
		// Each half has an index of its own.
		where("(kind = 'intent' AND opId = ? OR kind <> 'intent' AND opId = ?)", opId, opId);
	}
	for (const column of ['threadId', 'op', 'kind'] as const) {
		const value = filter[column];
		if (value !== undefined) {
			where(`${column} = ?`, value);
		}
	}
	if (since !== undefined) {
		where('at >= ?', timeOf(since));
	}
	if (until !== undefined) {
		where('at < ?', timeOf(until));
	}
	if (text !== undefined && text !== '') {
		const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
		const columns = ['op', 'input', 'output', 'decision', 'status', 'trigger'];
		where(`(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`, ...columns.map(() => like));
	}
	return parts.length === 0
		? undefined
		: { sql: parts.map(({ sql }) => sql).join(' AND '), values: parts.flatMap(({ values }) => values) };
}

/** As rows hold it: times are compared as texts. */
function timeOf(time: string): string {
	return new Date(time).toISOString();
}
