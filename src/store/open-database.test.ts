import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutOffWrite } from '../../test/support/cut-off-write.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { openMigratedDatabase } from './open-database.ts';

const migrations = ['CREATE TABLE notes (text TEXT)', 'ALTER TABLE notes ADD COLUMN at TEXT'];

describe('openDatabase', () => {
	it('refuses a file of a later version and leaves it as it is', () => {
		const path = join(tempDir(), 'a.db');
		openMigratedDatabase(path, migrations).db.dispose();
		const before = readFileSync(path);
		assert.throws(() => openMigratedDatabase(path, migrations.slice(0, 1)), {
			code: 'newer',
			facts: { path, schema: 2, known: 1 },
		});
		assert.deepEqual(readFileSync(path), before);
	});

	for (const [damage, bytes] of [
		['that is none of SQLite', Buffer.from('not a database at all '.repeat(100))],
		['with a page torn', undefined],
	] as const) {
		it(`puts a file aside ${damage}, whole, and begins a new one`, () => {
			const path = join(tempDir(), 'a.db');
			openMigratedDatabase(path, migrations).db.dispose();
			writeFileSync(path, bytes ?? readFileSync(path).fill(0xaa, 200));
			const before = readFileSync(path);
			const { db, putAside = '' } = openMigratedDatabase(path, migrations);
			assert.deepEqual(db.all('SELECT * FROM notes'), []);
			assert.deepEqual(readFileSync(putAside), before);
			db.dispose();
		});
	}

	for (const [damage, sql] of [
		['whose version no file can have', 'PRAGMA user_version = -3'],
		['that lacks what its version promises', 'PRAGMA user_version = 1; ALTER TABLE notes RENAME TO nodes'],
	] as const) {
		it(`puts a file aside ${damage}`, () => {
			const path = join(tempDir(), 'a.db');
			const old = openMigratedDatabase(path, migrations).db;
			old.exec(sql);
			old.dispose();
			const { db, putAside } = openMigratedDatabase(path, migrations);
			assert.deepEqual([putAside !== undefined, db.all('SELECT * FROM notes')], [true, []]);
			db.dispose();
		});
	}

	it('flushes the disk for what is to survive a power cut, and for nothing after it', () => {
		const { db } = openMigratedDatabase(join(tempDir(), 'a.db'), migrations);
		const flushes = () => db.get<{ readonly synchronous: number }>('PRAGMA synchronous')?.synchronous === 2;
		const after = () => [flushes(), db.transaction('process', flushes)];
		assert.deepEqual([flushes(), db.transaction('power', flushes), ...after()], [false, true, false, false]);
		assert.throws(() => db.transaction('power', () => assert.fail('no')), /no/);
		assert.deepEqual(after(), [false, false]);
		db.dispose();
	});

	it('does not copy the log of another file into one that it then puts aside', () => {
		const [mine, other] = [join(tempDir(), 'a.db'), join(tempDir(), 'b.db')];
		openMigratedDatabase(mine, migrations).db.dispose();
		const open = openMigratedDatabase(other, ['CREATE TABLE elsewhere (a); CREATE TABLE everywhere (b)']).db;
		writeFileSync(`${mine}-wal`, readFileSync(`${other}-wal`));
		open.dispose();
		const before = readFileSync(mine);
		const { db, putAside = '' } = openMigratedDatabase(mine, migrations);
		assert.deepEqual(readFileSync(putAside), before);
		db.dispose();
	});

	it('takes back what a killed writer has begun, and keeps the rest', () => {
		const path = join(tempDir(), 'a.db');
		const old = openMigratedDatabase(path, migrations).db;
		old.run("INSERT INTO notes VALUES ('kept', NULL)");
		old.dispose();
		cutOffWrite(path);
		const { db, putAside } = openMigratedDatabase(path, migrations);
		assert.equal(putAside, undefined);
		assert.deepEqual([db.all('SELECT text FROM notes').length, db.all('PRAGMA table_info(cut_off)')], [1, []]);
		db.dispose();
	});

	it('applies all of a step or nothing', () => {
		const path = join(tempDir(), 'a.db');
		assert.throws(() => openMigratedDatabase(path, [...migrations, 'CREATE TABLE more (a); CREATE TABLE notes (b)']));
		const { db } = openMigratedDatabase(path, migrations);
		assert.deepEqual(db.all("SELECT name FROM sqlite_master WHERE name = 'more'"), []);
		db.dispose();
	});

	it('keeps the file and its folder to their owner', () => {
		const folder = join(tempDir(), 'state');
		const { db } = openMigratedDatabase(join(folder, 'a.db'), migrations);
		const modes = [folder, join(folder, 'a.db'), join(folder, 'a.db-wal')].map((path) => statSync(path).mode & 0o777);
		assert.deepEqual(modes, [0o700, 0o600, 0o600]);
		db.dispose();
	});

	it('keeps what was there and adds what is new', () => {
		const path = join(tempDir(), 'a.db');
		const old = openMigratedDatabase(path, migrations.slice(0, 1)).db;
		old.run("INSERT INTO notes VALUES ('kept')");
		old.dispose();
		const { db } = openMigratedDatabase(path, migrations);
		assert.deepEqual(
			db.all('SELECT text, at FROM notes').map((row) => ({ ...(row as object) })),
			[{ text: 'kept', at: null }],
		);
		db.dispose();
	});
});
