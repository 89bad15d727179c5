/**
 * Statements that are allowed, by their first word: the only place where SQLite says whether another file is opened or
 * a setting changed. The engine itself is the second wall: it opens read-only for queries, and asks the authorizer
 * where one exists.
 */
export type SqlMode = 'query' | 'execute';

const allowedFirstWords: Readonly<Record<SqlMode, ReadonlySet<string>>> = {
	query: new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN', 'PRAGMA']),
	execute: new Set([
		...['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'WITH'],
		...['CREATE', 'ALTER', 'DROP', 'REINDEX', 'ANALYZE'],
	]),
};

/** They tell and change nothing. */
export const readingPragmas: ReadonlySet<string> = new Set([
	...['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'index_xinfo', 'foreign_key_list'],
	...['user_version', 'schema_version', 'application_id', 'encoding', 'page_count', 'page_size', 'freelist_count'],
	...['foreign_key_check', 'integrity_check', 'quick_check', 'collation_list', 'compile_options'],
]);

/** Functions that hand out or take pointers, or load code. */
export const forbiddenFunctions: ReadonlySet<string> = new Set(['load_extension', 'fts3_tokenizer']);

/** Undefined when it may be run. */
export function whyRefused(sql: string, mode: SqlMode): string | undefined {
	if (sql.includes('\0')) {
		return 'it holds a NUL character';
	}
	const rest = withoutLeadingComments(sql);
	const word = /^[A-Za-z]+/.exec(rest)?.[0].toUpperCase();
	if (word === undefined || !allowedFirstWords[mode].has(word)) {
		const may = [...allowedFirstWords[mode]].join(', ');
		return `a statement of sql.${mode} begins with one of ${may}, not with ${word ?? JSON.stringify(rest.slice(0, 20))}`;
	}
	if (word === 'PRAGMA') {
		const name = /^PRAGMA\s+([a-z_]+)\s*(?:\(\s*['"]?[\w $.-]*['"]?\s*\))?\s*;?\s*$/i.exec(rest)?.[1]?.toLowerCase();
		return name !== undefined && readingPragmas.has(name) ? undefined : 'this PRAGMA is not among those that only read';
	}
	if (/\bfts3_tokenizer\b/i.test(sql)) {
		return 'fts3_tokenizer is not available';
	}
	return undefined;
}

/** True when only comments and blanks are left, which SQLite would pass over in silence. */
export function isBlankSql(sql: string): boolean {
	return withoutLeadingComments(sql) === '';
}

/** Removes leading comments and blanks as SQLite's own scanner does. */
function withoutLeadingComments(sql: string): string {
	let rest = sql;
	for (;;) {
		const next = rest.replace(/^(?:[ \t\n\f\r]+|--[^\n]*(?:\n|$)|\/\*[^]*?(?:\*\/|$))/, '');
		if (next === rest) {
			return rest;
		}
		rest = next;
	}
}
