/** Homes as released versions wrote them (`scripts/keep-home.ts`), opened by this version. */
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { goalMigrations } from '../../../src/features/goal/goal-migrations.ts';
import { memoryMigrations } from '../../../src/features/memory/memory-migrations.ts';
import { usageMigrations } from '../../../src/features/quota/usage-migrations.ts';
import { scheduleMigrations } from '../../../src/features/schedule/schedule-migrations.ts';
import { scriptMigrations } from '../../../src/features/script/script-store.ts';
import type { Migrations } from '../../../src/store/migrate.ts';
import { openMigratedDatabase } from '../../../src/store/open-database.ts';
import { threadMigrations } from '../../../src/store/threads/thread-migrations.ts';
import { startModelServer } from '../../support/model-server.ts';
import { commandLimitMs, User } from './cli-process.ts';

type Row = Readonly<Record<string, unknown>>;

const root = join(import.meta.dirname, '../../..');
const homes = join(root, 'test/fixtures/homes');
const migrated: Readonly<Record<string, Migrations>> = {
	'threads.db': threadMigrations,
	'memory.db': memoryMigrations,
	'schedules.db': scheduleMigrations,
	'goals.db': goalMigrations,
	'scripts.db': scriptMigrations,
	'usage.db': usageMigrations,
};
const databases = [...Object.keys(migrated), 'ledger.db', 'checkpoints.db'];

describe('The homes of released versions', () => {
	it('include one of this version', () => {
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
		assert.ok(existsSync(join(homes, version)), 'run `node scripts/run.mjs scripts/keep-home.ts`');
	});
});

for (const version of readdirSync(homes)) {
	describe(`A home that version ${version} wrote`, function () {
		this.timeout(2 * commandLimitMs);
		let user: User;
		let before: Map<string, Map<string, readonly Row[]>>;
		beforeEach(() => {
			user = new User();
			unpackHome(join(homes, version), user.home);
			user.sets();
			before = new Map(databases.map((file) => [file, readRows(join(user.home, file))]));
		});

		const runs = async (...words: string[]) => {
			const { code, stdout, stderr } = await user.runs(words);
			assert.equal(code, 0, stderr);
			return stdout;
		};

		it('is shown whole: its threads, record, memories, schedules, goals and usage', async () => {
			const [thread] = JSON.parse(await runs('thread', 'list', '--json')) as [{ id: string; shelf: string }];
			assert.equal(thread.shelf, 'pinned');
			assert.match(await runs('thread', 'show', thread.id), /The notes say beta now\.[\s\S]*It says beta\./);
			assert.match(await runs('ledger', 'list', '--op', 'fs.write'), /notes\.txt/);
			await runs('ledger', 'verify');
			assert.match(await runs('memory', 'list'), /Answer in whole sentences/);
			assert.match(await runs('schedule', 'list'), /Stretch your legs/);
			assert.match(await runs('goal', 'list'), /Ship it[\s\S]*Write the notes[\s\S]*Read them again/);
			assert.match(await runs('usage'), /this month|requests/);
		});

		it('keeps every row when its databases are brought up to date, and none is put aside', async () => {
			for (const [file, migrations] of Object.entries(migrated)) {
				const { db, putAside } = openMigratedDatabase(join(user.home, file), migrations);
				db.dispose();
				assert.equal(putAside, undefined, file);
			}
			await runs('ledger', 'verify');
			await runs('change', 'list', '--trust');
			for (const file of databases) assertKept(file, before.get(file), readRows(join(user.home, file)));
			const expected = [...databases, 'marketplace/enabled.db'];
			assert.deepEqual(globSync('**/*.db*', { cwd: user.home }).filter(isBesideDatabase(expected)), []);
		});

		it('goes on where it ended: the model reads what was said, and the record has one chain more', async () => {
			const server = await startModelServer([{ text: 'Still beta.' }]);
			try {
				const [{ id }] = JSON.parse(await runs('thread', 'list', '--json')) as [{ id: string }];
				const { code, stderr } = await user.prompts(server.baseUrl, 'And now?', ['--json', '--thread', id]).ended;
				assert.equal(code, 0, stderr);
				assert.match(server.requests[0]?.text ?? '', /The notes say beta now\.[\s\S]*It says beta\.[\s\S]*And now\?/);
				await runs('ledger', 'verify');
				assert.match(await runs('thread', 'show', id), /It says beta\.[\s\S]*Still beta\./);
			} finally {
				await server.close();
			}
		});
	});
}

function unpackHome(kept: string, home: string): void {
	for (const file of globSync('**/*.*', { cwd: kept })) {
		const bytes = readFileSync(join(kept, file));
		const to = join(home, file.replace(/\.gz$/, ''));
		mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
		writeFileSync(to, file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { mode: 0o600 });
	}
}

/** Rows by table. Tables that SQLite keeps for a full-text search are left out: they hold pages, not rows. */
function readRows(path: string): Map<string, readonly Row[]> {
	const db = new DatabaseSync(path, { readOnly: true });
	try {
		const tables = db.prepare(
			"SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual') AND schema = 'main'",
		);
		const names = tables.all().map(({ name }) => String(name));
		const ours = names.filter((name) => !name.startsWith('sqlite_'));
		return new Map(ours.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
	} finally {
		db.close();
	}
}

/** Fails unless each row is there still, with what its columns held; more rows and columns may have come. */
function assertKept(
	file: string,
	before: Map<string, readonly Row[]> | undefined,
	now: Map<string, readonly Row[]>,
): void {
	assert.ok(before !== undefined && [...before.values()].some((rows) => rows.length > 0), `${file} holds no row`);
	for (const [table, rows] of before) {
		for (const row of rows) {
			const columns = Object.keys(row);
			const found = (now.get(table) ?? []).map((each) => Object.fromEntries(columns.map((name) => [name, each[name]])));
			assert.ok(
				found.some((each) => isDeepStrictEqual(each, { ...row })),
				`${file}, ${table}: ${JSON.stringify(row)} is gone`,
			);
		}
	}
}

/** A database in the home that was not in it: one that was put aside, not the log of one that is there. */
function isBesideDatabase(expected: readonly string[]): (file: string) => boolean {
	return (file) => !expected.some((name) => [name, `${name}-wal`, `${name}-shm`].includes(file));
}
