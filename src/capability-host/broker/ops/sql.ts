/** sql.query and sql.execute on SQLite files of the workspace. */
import type { SqlValue } from '../../../protocol/ops/sql.ts';
import { ProwessError } from '../../../protocol/errors.ts';
import { refuseUnlessFile } from '../../paths/read-file.ts';
import type { Located } from '../../paths/workspace-paths.ts';
import { whyRefused } from '../../sql/statement-rules.ts';
import type { OpImplementations, Target } from '../op-implementation.ts';
import { notFound } from './not-found.ts';
import type { OpDeps } from './op-deps.ts';

export function sqlOps(deps: OpDeps): Pick<OpImplementations, 'sql.query' | 'sql.execute'> {
	const { paths, sql: runner } = deps;
	return {
		'sql.query': {
			async prepare({ path, sql, params, limit }, { signal }) {
				const located = await locateDatabase(deps, path, signal);
				refuse('query', sql);
				return {
					targets: [databaseTarget(located, 'read')],
					detail: { kind: 'text', text: [`Query ${located.path}`, ...shownStatement(sql, params)].join('\n') },
					async run(context) {
						const { realPath } = await samePlace(paths, located);
						const job = { realPath, mode: 'query', statements: [{ sql, params }], limit } as const;
						const answer = await runner.run(job, located.path, context.signal);
						return answer.kind === 'rows' ? answer.rows : { columns: [], rows: [], truncated: false };
					},
				};
			},
		},
		'sql.execute': {
			async prepare({ path, statements }, { signal }) {
				const located = await locateDatabase(deps, path, signal);
				for (const { sql } of statements) {
					refuse('execute', sql);
				}
				const lines = statements.flatMap(({ sql, params }) => ['', ...shownStatement(sql, params)]);
				return {
					targets: [databaseTarget(located, 'write')],
					detail: { kind: 'text', text: [`Change ${located.path}; undo does not bring it back`, ...lines].join('\n') },
					async run(context) {
						const { realPath } = await samePlace(paths, located);
						const job = { realPath, mode: 'execute', statements, limit: 0 } as const;
						const answer = await runner.run(job, located.path, context.signal);
						return { changes: answer.kind === 'changes' ? answer.changes : 0 };
					},
				};
			},
		},
	};
}

function refuse(mode: 'query' | 'execute', sql: string): void {
	const why = whyRefused(sql, mode);
	if (why !== undefined) {
		throw new ProwessError('SQL_ERROR', `sql.${mode}: ${why}`, {});
	}
}

async function locateDatabase({ paths }: OpDeps, path: string, signal: AbortSignal): Promise<Located> {
	const located = await paths.locate(paths.resolve(path));
	if (located.kind === 'missing') {
		throw await notFound(paths, located, signal);
	}
	refuseUnlessFile(located);
	return located;
}

async function samePlace(paths: OpDeps['paths'], located: Located): Promise<Located> {
	const now = await paths.locate(paths.resolve(located.absolutePath));
	if (now.realPath !== located.realPath || now.kind !== 'file') {
		throw new ProwessError('FILE_CHANGED', `${located.path} was replaced since it was looked at`, {
			path: located.path,
		});
	}
	return now;
}

function databaseTarget({ path, absolutePath, isSecret, isProtected }: Located, access: 'read' | 'write'): Target {
	return { kind: 'database', access, path, absolutePath, isSecret, isProtected };
}

function shownStatement(sql: string, params: Readonly<Record<string, SqlValue>>): string[] {
	const values = Object.entries(params).map(([name, value]) => `  ${name} = ${JSON.stringify(value)}`);
	return [sql.trim(), ...values];
}
