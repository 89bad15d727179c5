import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deriveSignal } from '../../base/time/derived-signal.ts';
import { processTree } from '../../../test/support/processes.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { ops } from '../../protocol/op-table/ops.ts';
import type { SqlValue } from '../../protocol/ops/definitions/data/sql.ts';

describe('SQL on a file of the workspace', () => {
	let disk: WorkspaceOnDisk;

	beforeEach(async () => {
		disk = await workspaceOnDisk();
		create(join(disk.root, 'app.db'), 'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, photo BLOB)');
	});
	afterEach(() => disk.close());

	function create(path: string, ...statements: string[]): void {
		const database = new DatabaseSync(path);
		for (const sql of [...statements, "INSERT INTO people VALUES (1, 'Ada', x'00ff'), (2, 'Grace', NULL)"]) {
			database.exec(sql);
		}
		database.close();
	}

	const query = (sql: string, params: Record<string, SqlValue> = {}, limit = 500, path = 'app.db') =>
		disk.perform('sql.query', { path, sql, params, limit });
	const execute = (...statements: (string | { sql: string; params: Record<string, SqlValue> })[]) =>
		disk.perform('sql.execute', {
			path: 'app.db',
			statements: statements.map((each) => (typeof each === 'string' ? { sql: each, params: {} } : each)),
		});
	const names = async () => (await query('SELECT name FROM people ORDER BY id')).rows.flat();

	describe('a query', () => {
		for (const sql of [
			"INSERT INTO people VALUES (3, 'x', NULL)",
			'DELETE FROM people',
			'DROP TABLE people',
			'CREATE TABLE x (a)',
			'CREATE TEMP TABLE x (a)',
			"WITH x AS (SELECT 9) INSERT INTO people SELECT 9, 'x', NULL",
			'WITH x AS (SELECT 1) DELETE FROM people WHERE id IN (SELECT * FROM x)',
			'WITH x AS (SELECT 1) UPDATE people SET name = 1',
			"ATTACH '/etc/passwd' AS x",
			"/* a */ -- b\n ATTACH 'other.db' AS x",
			"--\n;ATTACH 'other.db' AS x",
			";ATTACH 'other.db' AS x",
			"\uFEFFATTACH 'other.db' AS x",
			"\u00a0ATTACH 'other.db' AS x",
			'DETACH main',
			'VACUUM',
			"VACUUM INTO 'copy.db'",
			'BEGIN',
			'COMMIT',
			'SAVEPOINT a',
			'PRAGMA query_only = OFF',
			'PRAGMA query_only(0)',
			'PRAGMA writable_schema = ON',
			'PRAGMA journal_mode = DELETE',
			'PRAGMA journal_mode',
			'PRAGMA main.journal_mode(WAL)',
			'PRAGMA user_version = 7',
			'PRAGMA temp_store_directory = "/tmp"',
			'PRAGMA table_info(people); DELETE FROM people',
			'SELECT 1; DROP TABLE people',
			"SELECT 1; ATTACH 'other.db' AS x",
			"SELECT load_extension('x')",
			"SELECT fts3_tokenizer('simple')",
			"SELECT writefile('x', 'y')",
			'SELECT 1\u0000; DROP TABLE people',
			'',
			'-- nothing',
			'SELECT FROM',
			'SELECT * FROM nowhere',
		]) {
			it(`refuses ${JSON.stringify(sql)}`, async () => {
				await assert.rejects(query(sql), { code: 'SQL_ERROR' });
				assert.deepEqual(await names(), ['Ada', 'Grace']);
				assert.deepEqual(readdirSync(disk.root), ['app.db']);
			});
		}

		it('reads by named parameters, and takes none for SQL', async () => {
			const sql = 'SELECT id, name, photo FROM people WHERE name = :name';
			assert.deepEqual(await query(sql, { name: 'Ada' }), {
				columns: ['id', 'name', 'photo'],
				rows: [[1, 'Ada', { base64: 'AP8=' }]],
				truncated: false,
			});
			assert.deepEqual((await query(sql, { name: "x' OR 1=1 --" })).rows, []);
			await assert.rejects(query(sql, { other: 1 }), { code: 'SQL_ERROR' });
		});

		it('keeps columns of the same name, whole numbers of any size, and what no JSON knows', async () => {
			const answer = await query("SELECT 1 AS a, 'x' AS a, 9007199254740993, 9e999, NULL, :bytes", {
				bytes: { base64: 'AQI=' },
			});
			assert.deepEqual(answer.columns.slice(0, 2), ['a', 'a']);
			assert.deepEqual(answer.rows, [[1, 'x', '9007199254740993', 'Infinity', null, { base64: 'AQI=' }]]);
		});

		it('gives no more rows than asked, and no more text than there is room', async () => {
			const count = (n: number) => `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${n})`;
			const few = await query(`${count(1000)} SELECT x FROM c`, {}, 10);
			assert.deepEqual([few.rows.length, few.truncated], [10, true]);
			const large = await query(`${count(9000)} SELECT hex(zeroblob(2000)) FROM c`, {}, 10_000);
			assert.equal(large.truncated, true);
			assert.ok(JSON.stringify(large.rows).length < 5_000_000);
		});

		it('runs where no signal of a capability opens a debugger', async function () {
			if (process.platform !== 'linux') {
				this.skip();
			}
			const stop = new AbortController();
			const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
			const prepared = await disk.ops['sql.query'].prepare(
				{ path: 'app.db', sql, params: {}, limit: 1 },
				disk.context(),
			);
			const runs = prepared.run(disk.context({ signal: stop.signal })).catch(() => 'stopped');
			try {
				await waitFor('a process that takes no SIGUSR1', () =>
					processTree(process.pid).some(({ pid, commandLine }) => {
						const blocked = /^SigBlk:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
						return commandLine.includes('sql-process') && (BigInt(`0x${blocked}`) & (1n << 9n)) !== 0n;
					}),
				);
			} finally {
				stop.abort();
			}
			assert.equal(await runs, 'stopped');
		});

		it('without end is ended with its op, and leaves no process', async () => {
			const limit = deriveSignal(new AbortController().signal, { what: 'sql.query', timeoutMs: 700 });
			const sql = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
			const prepared = await disk.ops['sql.query'].prepare(
				{ path: 'app.db', sql, params: {}, limit: 1 },
				disk.context(),
			);
			await assert.rejects(prepared.run(disk.context({ signal: limit.signal })), { code: 'TIMEOUT' });
			limit.dispose();
		});

		it('tells what is in the file', async () => {
			assert.deepEqual((await query('PRAGMA table_info(people)')).rows.length, 3);
			assert.deepEqual((await query("SELECT name FROM pragma_table_info('people')")).rows.length, 3);
			assert.equal((await query('EXPLAIN QUERY PLAN SELECT * FROM people')).rows.length, 1);
			assert.deepEqual((await query("/* hi */ VALUES (1), ('a;b'); -- end\n")).rows, [[1], ['a;b']]);
		});
	});

	describe('the file', () => {
		it('can be asked for by the name that the settings give it, and by no other', async () => {
			disk = await workspaceOnDisk({}, { databases: () => ({ people: 'data/app.db', gone: 'gone.db' }) });
			await mkdir(join(disk.root, 'data'));
			create(join(disk.root, 'data/app.db'), 'CREATE TABLE people (id INTEGER, name TEXT, photo BLOB)');
			const named = (database: string) =>
				disk.perform('sql.query', { database, sql: 'SELECT name FROM people', params: {}, limit: 9 });
			assert.deepEqual((await named('people')).rows, [['Ada'], ['Grace']]);
			await assert.rejects(named('toString'), { code: 'NOT_FOUND', message: /the names are: gone, people$/ });
			await assert.rejects(named('gone'), { code: 'NOT_FOUND', message: /gone\.db/ });
			const { error } = ops['sql.query'].params.safeParse({ path: 'a.db', database: 'people', sql: 'SELECT 1' });
			assert.equal(error?.issues[0]?.message, 'give either the path of a database or the name of one');
			assert.equal(ops['sql.execute'].params.safeParse({ statements: [{ sql: 'SELECT 1' }] }).success, false);
		});

		it('is one of those that the manifest of a capability names, when it names some', async () => {
			create(join(disk.root, 'other.db'), 'CREATE TABLE people (id INTEGER, name TEXT, photo BLOB)');
			const caller = {
				...({ kind: 'execution', threadId: null, executionId: 'e1', capability: 'skill/test' } as const),
				permissions: new Set<never>(),
				level: 'SAFE' as const,
				databases: { people: './app.db' },
			} as const;
			const as = (which: { path: string } | { database: string }) =>
				disk.perform('sql.query', { ...which, sql: 'SELECT 1', params: {}, limit: 1 }, { caller });
			assert.equal((await as({ database: 'people' })).rows.length, 1);
			assert.equal((await as({ path: 'app.db' })).rows.length, 1);
			await assert.rejects(as({ path: 'other.db' }), { code: 'DENIED_BY_RULE', message: /names: people$/ });
			await assert.rejects(as({ database: 'other' }), { code: 'NOT_FOUND' });
		});

		it('lies in the workspace, is there, and is a database', async () => {
			await writeFile(join(disk.root, 'text.db'), 'not a database, but long enough to look at its first page');
			create(join(disk.outside, 'out.db'), 'CREATE TABLE people (a, b, c)');
			await symlink(join(disk.outside, 'out.db'), join(disk.root, 'link.db'));
			const at = (path: string) => query('SELECT * FROM people', {}, 1, path);
			await assert.rejects(at('../outside/out.db'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(at('link.db'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(at('file:app.db?mode=rwc'), { code: 'NOT_FOUND' });
			await assert.rejects(at(':memory:'), { code: 'NOT_FOUND' });
			await assert.rejects(at('gone.db'), { code: 'NOT_FOUND' });
			await assert.rejects(at('.'), { code: 'NOT_A_FILE' });
			await assert.rejects(at('text.db'), { code: 'SQL_ERROR' });
			assert.equal(existsSync(join(disk.root, 'gone.db')), false);
		});

		it('is refused when it or its folder became a link after it was prepared', async () => {
			await mkdir(join(disk.root, 'data'));
			create(join(disk.root, 'data/in.db'), 'CREATE TABLE people (a, b, c)');
			create(join(disk.outside, 'in.db'), 'CREATE TABLE people (a, b, c)');
			const params = { path: 'data/in.db', sql: 'SELECT * FROM people', params: {}, limit: 1 };
			const prepared = await disk.ops['sql.query'].prepare(params, disk.context());
			await rename(join(disk.root, 'data'), join(disk.root, 'away'));
			await symlink(disk.outside, join(disk.root, 'data'));
			await assert.rejects(prepared.run(disk.context()), { code: 'PATH_OUTSIDE_WORKSPACE' });
		});

		it('is refused when SQLite would open another file than the one that was judged', async () => {
			create(join(disk.outside, 'in.db'), 'CREATE TABLE people (a, b, c)');
			await symlink(join(disk.outside, 'in.db'), join(disk.root, 'swapped.db'));
			const statements = [{ sql: 'SELECT * FROM people', params: {} }];
			const job = { realPath: join(disk.root, 'swapped.db'), mode: 'query', limit: 1, statements } as const;
			await assert.rejects(disk.deps.sql.run(job, 'swapped.db', disk.context().signal), { code: 'FILE_CHANGED' });
		});

		it('is refused with a link beside it', async () => {
			await symlink(join(disk.outside, 'x'), join(disk.root, 'app.db-journal'));
			await assert.rejects(execute('DELETE FROM people'), { code: 'FILE_CHANGED' });
		});
	});

	describe('a change', () => {
		for (const sql of [
			"ATTACH 'other.db' AS x",
			"VACUUM INTO 'copy.db'",
			'PRAGMA writable_schema = ON',
			'PRAGMA journal_mode = WAL',
			'BEGIN',
			'COMMIT',
			'ROLLBACK',
			'DETACH main',
			'SELECT 1',
			"INSERT INTO people VALUES (3, 'x', NULL); DROP TABLE people",
			"INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 2, 'x')",
			"INSERT INTO people (name) SELECT load_extension('x')",
		]) {
			it(`refuses ${sql}`, async () => {
				await assert.rejects(execute(sql), { code: 'SQL_ERROR' });
				assert.deepEqual(await names(), ['Ada', 'Grace']);
				assert.deepEqual(readdirSync(disk.root), ['app.db']);
			});
		}

		it('happens wholly or not at all', async () => {
			await assert.rejects(execute("INSERT INTO people (name) VALUES ('Lin')", 'INSERT INTO nowhere VALUES (1)'), {
				code: 'SQL_ERROR',
			});
			assert.deepEqual(await names(), ['Ada', 'Grace']);
		});

		it('writes what it was given by name, and says how much', async () => {
			const { changes } = await execute(
				{ sql: 'INSERT INTO people (name) VALUES (:name)', params: { name: "Robert'); DROP TABLE people;--" } },
				"UPDATE people SET name = 'x' WHERE id = 1",
				'CREATE TABLE log (a)',
				'CREATE TRIGGER t AFTER INSERT ON people BEGIN INSERT INTO log VALUES (1); SELECT 1; END',
			);
			assert.equal(changes, 2);
			assert.deepEqual(await names(), ['x', 'Grace', "Robert'); DROP TABLE people;--"]);
		});

		it('shows the person each statement with its values', async () => {
			const statements = [{ sql: 'DELETE FROM people WHERE id = :id', params: { id: 1 } }];
			const { targets, detail } = await disk.ops['sql.execute'].prepare({ path: 'app.db', statements }, disk.context());
			assert.deepEqual(detail, {
				kind: 'text',
				text: 'Change app.db; undo does not bring it back\n\nDELETE FROM people WHERE id = :id\n  id = 1',
			});
			assert.deepEqual(
				targets.map((target) => target.kind === 'database' && [target.access, target.path]),
				[['write', 'app.db']],
			);
		});
	});
});
