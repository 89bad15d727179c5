/** sql.query and sql.execute on SQLite files of the workspace. */
import type { SqlValue } from '../../protocol/ops/definitions/data/sql.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { Located } from '../../machine/paths/workspace-paths.ts';
import { whyRefused } from '../../machine/sql/statement-rules.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import { text } from '../../protocol/text/text.ts';
import type { NamedDatabases, Caller } from '../../contract/ops/caller.ts';
import type { OpImplementations } from '../../contract/ops/op-implementation.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { locateFile } from '../files/not-found.ts';
import type { DataDeps } from './data-deps.ts';
import type { FileDeps } from '../files/file-deps.ts';

type SqlDeps = Pick<FileDeps, 'paths'> & Pick<DataDeps, 'sql' | 'databases'>;

export function sqlOps(deps: SqlDeps): Pick<OpImplementations, 'sql.query' | 'sql.execute'> {
	const { paths, sql: runner } = deps;
	return {
		'sql.query': {
			async prepare({ sql, params, limit, ...which }, { caller, signal }) {
				const located = await locateDatabase(deps, which, caller, signal);
				refuseStatement('query', sql);
				return {
					targets: [databaseTarget(located, 'read')],
					detail: { kind: 'text', text: [`Query ${located.path}`, ...shownStatement(sql, params)].join('\n') },
					async run(context) {
						const { realPath } = await requireSameDatabase(paths, located);
						const job = { realPath, mode: 'query', statements: [{ sql, params }], limit } as const;
						const answer = await runner.run(job, located.path, context.signal);
						return answer.kind === 'rows' ? answer.rows : { columns: [], rows: [], truncated: false };
					},
				};
			},
		},
		'sql.execute': {
			async prepare({ statements, ...which }, { caller, signal }) {
				const located = await locateDatabase(deps, which, caller, signal);
				for (const { sql } of statements) {
					refuseStatement('execute', sql);
				}
				const lines = statements.flatMap(({ sql, params }) => ['', ...shownStatement(sql, params)]);
				return {
					targets: [databaseTarget(located, 'write')],
					detail: { kind: 'text', text: [`Change ${located.path}; undo does not bring it back`, ...lines].join('\n') },
					async run(context) {
						const { realPath } = await requireSameDatabase(paths, located);
						const job = { realPath, mode: 'execute', statements, limit: 0 } as const;
						const answer = await runner.run(job, located.path, context.signal);
						return { changes: answer.kind === 'changes' ? answer.changes : 0 };
					},
				};
			},
		},
	};
}

function refuseStatement(mode: 'query' | 'execute', sql: string): void {
	const why = whyRefused(sql, mode);
	if (why !== undefined) {
		throw new ProwessError('SQL_ERROR', `sql.${mode}: ${why}`, {});
	}
}

type Which = Pick<OpParams<'sql.query'>, 'path' | 'database'>;

async function locateDatabase(deps: SqlDeps, which: Which, caller: Caller, signal: AbortSignal): Promise<Located> {
	const { paths } = deps;
	const own = caller.kind === 'execution' ? caller.databases : undefined;
	const path = which.path ?? requireDatabasePath(which.database ?? '', own ?? deps.databases());
	refuseUnlessNamed(paths, path, own);
	return await locateFile(paths, path, signal);
}

function requireDatabasePath(name: string, named: NamedDatabases): string {
	const path = Object.hasOwn(named, name) ? named[name] : undefined;
	if (path === undefined) {
		const names = Object.keys(named).sort().join(', ') || '–';
		throw new ProwessError('NOT_FOUND', `no database is named "${name}"; the names are: ${names}`, {
			name,
			said: text('There is no database "{name}". There are: {names}', { name, names }),
		});
	}
	return path;
}

/** A capability that names its databases may use no other. */
function refuseUnlessNamed(paths: FileDeps['paths'], path: string, own: NamedDatabases | undefined): void {
	const { absolutePath } = paths.resolve(path);
	if (own === undefined || Object.values(own).some((each) => paths.resolve(each).absolutePath === absolutePath)) {
		return;
	}
	const names = Object.keys(own).sort().join(', ') || 'none';
	const message = `"${path}" is not among the databases that the manifest of this capability names: ${names}`;
	throw new ProwessError('DENIED_BY_RULE', message, {
		path,
		reason: text('"{path}" is not among the databases that the manifest of this capability names.', { path }),
	});
}

async function requireSameDatabase(paths: FileDeps['paths'], located: Located): Promise<Located> {
	const now = await paths.locate(paths.resolve(located.absolutePath));
	if (now.realPath !== located.realPath || now.kind !== 'file') {
		throw new ProwessError('FILE_CHANGED', `${located.path} was replaced since it was looked at`, {
			path: located.path,
		});
	}
	return now;
}

function databaseTarget({ path, absolutePath, isSecret, isProtected }: Located, access: 'read' | 'write'): OpTarget {
	return { kind: 'database', access, path, absolutePath, isSecret, isProtected };
}

function shownStatement(sql: string, params: Readonly<Record<string, SqlValue>>): string[] {
	const values = Object.entries(params).map(([name, value]) => `  ${name} = ${JSON.stringify(value)}`);
	return [sql.trim(), ...values];
}
