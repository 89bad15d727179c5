/** SQLite files of the workspace. Each statement stands alone, its values are given by name and never written into it. */
import { joinToLine } from '../../../../base/text/one-line.ts';
import * as z from '../../../text/zod.ts';
import { defineOp } from '../../define-op.ts';
import { text } from '../../../text/text.ts';

/** Names a database in the settings and in manifests. */
export const DatabaseName = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'expected the name of a database: letters, digits, "_", "." and "-"');
export const DatabasePath = z.string().min(1).max(4096);

/** Which database: a file of the workspace, or one that the settings or the manifest name. */
const databaseParams = { path: DatabasePath.optional(), database: DatabaseName.optional() };
const isOneDatabase = ({ path, database }: { path?: string | undefined; database?: string | undefined }) =>
	(path === undefined) !== (database === undefined);
const ONE = { error: 'give either the path of a database or the name of one' };

const sql = z.string().min(1).max(100_000);

/** Whole numbers that JavaScript cannot hold come as text; bytes in base64. */
export const SqlValue = z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })]);
export type SqlValue = z.infer<typeof SqlValue>;

const params = z
	.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,60}$/, 'a parameter has a name like "id"'), SqlValue)
	.default({});

export const sqlQuery = defineOp({
	params: z
		.strictObject({ ...databaseParams, sql, params, limit: z.int().positive().max(10_000).default(500) })
		.refine(isOneDatabase, ONE),
	result: z.object({ columns: z.array(z.string()), rows: z.array(z.array(SqlValue)), truncated: z.boolean() }),
	risk: 'MONITORED',
	permission: 'database',
	effect: 'read',
	timeoutMs: 60_000,
	tool: 'Query an SQLite database: a file (path) or one that is named (database); values go into params by name.',
	isRare: true,
	title: ({ sql, ...of }) => text('Query {database}: {sql}', { database: nameDatabase(of), sql: joinToLine(sql) }),
	present: (r) =>
		[r.columns, ...r.rows].map((row) => row.map(formatSqlValue).join('\t')).join('\n') +
		(r.truncated ? '\n[more rows not shown]' : ''),
});

export const sqlExecute = defineOp({
	params: z
		.strictObject({ ...databaseParams, statements: z.array(z.strictObject({ sql, params })).min(1).max(200) })
		.refine(isOneDatabase, ONE),
	result: z.object({ changes: z.int().nonnegative() }),
	risk: 'CONTROLLED',
	permission: 'database',
	effect: 'write',
	timeoutMs: 60_000,
	tool: 'Change an SQLite database: all statements or none; values go into params by name.',
	isRare: true,
	title({ statements, ...of }) {
		const database = nameDatabase(of);
		const sql = joinToLine(statements[0]?.sql ?? '');
		return statements.length > 1
			? text('Change {database}: {sql} and {n} more', { database, sql, n: statements.length - 1 })
			: text('Change {database}: {sql}', { database, sql });
	},
	present: (r) => `Changed ${r.changes} rows.`,
});

/** Name of the database: a query gives either the path or the name. */
function nameDatabase({ path, database }: { path?: string | undefined; database?: string | undefined }): string {
	return path ?? database ?? '';
}

function formatSqlValue(value: SqlValue): string {
	return value === null ? 'NULL' : typeof value === 'object' ? `x'${value.base64}'` : String(value);
}
