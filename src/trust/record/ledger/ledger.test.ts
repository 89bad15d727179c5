import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cutOffWrite } from '../../../../test/support/cut-off-write.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { TimeoutError } from '../../../base/time/derived-signal.ts';
import { isProwessError } from '../../../protocol/errors/errors.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import { Redactor } from '../redaction/redactor.ts';
import { exportRows } from './export.ts';
import { ledgerHealth } from './ledger-health.ts';
import { HostLedger, type NewEntry } from './ledger.ts';
import { AnchorFile, ANCHORS_NAME } from '../store/chain/anchors.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../store/ledger-store.ts';
import { ANSWERS_PER_TURN } from '../../../machine/threads/thread-calls.ts';
import { ANCHOR_EVERY_ROWS, MAX_ROW_ERROR_CHARS, MAX_SUMMARY_CHARS } from '../store/limits.ts';
import { openHostDatabase } from '../store/open-database.ts';
import { HostStore, type OpenStoreThread, storeWorker } from '../store/thread/host-store.ts';
import { hostThread } from '../store/thread/host-thread.ts';
import { inEnglish, text } from '../../../protocol/text/text.ts';

const script = new URL('../store/thread/worker.ts', import.meta.url);
const never = new AbortController().signal;

function entry(over: Partial<NewEntry> = {}): NewEntry {
	return {
		kind: 'note',
		opId: null,
		op: 'fs.read',
		trigger: 'user',
		threadId: null,
		risk: 'MONITORED',
		assessed: null,
		decision: 'allow',
		paramsHash: null,
		input: 'Read a.txt',
		output: null,
		status: null,
		durationMs: null,
		...over,
	};
}

const ledgerSpecs = (openThread: OpenStoreThread) => () => {
	let home: string;
	let open: HostStore[];
	let movedAside: string[];
	let anchored: string[];

	beforeEach(() => {
		home = tempDir('ledger');
		open = [];
		movedAside = [];
		anchored = [];
	});
	afterEach(async () => {
		await Promise.all(open.map((store) => store.close()));
	});

	function ledgerOf(writer: string, redactor = new Redactor()): HostLedger {
		const store = new HostStore(
			openThread,
			{ home, writer },
			{
				onMovedAside: (path) => void movedAside.push(path),
				onAnchored: (text) => void anchored.push(text),
				onNotAnchored: (why) => assert.fail(why),
			},
		);
		open.push(store);
		return new HostLedger(store, redactor);
	}
	/** Begins the anchor file like the first host, before the database is created. */
	const beginAnchors = () => new AnchorFile(join(home, ANCHORS_NAME)).begin();
	const database = () => new DatabaseSync(join(home, 'ledger.db'));

	/** Changes rows like an attacker: past the triggers. */
	function tamper(sql: string): void {
		const db = database();
		db.exec('PRAGMA writable_schema = ON; DROP TRIGGER ledger_no_update; DROP TRIGGER ledger_no_delete');
		db.exec(sql);
		db.close();
	}

	async function rejectsUnwritable(promise: Promise<unknown>): Promise<void> {
		await assert.rejects(promise, (error) => isProwessError(error) && error.code === 'LEDGER_UNWRITABLE');
	}

	it('keeps more of why an op failed than of what one gave', async () => {
		const ledger = ledgerOf('a');
		const output = 'x'.repeat(2 * MAX_ROW_ERROR_CHARS);
		for (const status of ['failed', 'done'] as const) {
			await ledger.append(entry({ kind: 'outcome', opId: newId('op'), status, output }), false);
		}
		const rows = await ledger.query({});
		assert.deepEqual(Object.fromEntries(rows.map((row) => [row.status, row.output?.length])), {
			failed: MAX_ROW_ERROR_CHARS,
			done: MAX_SUMMARY_CHARS,
		});
		assert.ok(MAX_ROW_ERROR_CHARS > MAX_SUMMARY_CHARS);
	});

	it('refuses to change or remove a row, whoever asks', async () => {
		await ledgerOf('a').append(entry(), true);
		const db = database();
		assert.throws(() => db.exec("UPDATE ledger SET decision = 'x'"), /append-only/);
		assert.throws(() => db.exec('DELETE FROM ledger'), /append-only/);
		db.close();
	});

	const changes = [
		["UPDATE ledger SET decision = 'deny' WHERE writer = 'a' AND seq = 2", 2, /content does not match/],
		["DELETE FROM ledger WHERE writer = 'a' AND seq = 2", 3, /row 2 is missing/],
		["DELETE FROM ledger WHERE writer = 'a' AND seq = 1", 2, /row 1 is missing/],
		["UPDATE ledger SET seq = 9 WHERE writer = 'a' AND seq = 3", 9, /row 3 is missing/],
		["UPDATE ledger SET output = NULL WHERE writer = 'a' AND seq = 3", 3, /content/],
	] as const;
	for (const [sql, seq, problem] of changes) {
		it(`finds the first broken row after: ${sql.slice(0, 44)}…`, async () => {
			const [a, b] = [ledgerOf('a'), ledgerOf('b')];
			for (let n = 0; n < 3; n++) {
				await a.append(entry({ output: 'x' }), false);
				await b.append(entry({ output: 'y' }), false);
			}
			tamper(sql);
			const result = await a.verify(never);
			assert.equal(result.problems.length, 1);
			assert.deepEqual([result.problems[0]?.writer, result.problems[0]?.seq], ['a', seq]);
			assert.match(result.problems[0]?.problem ?? '', problem);
		});
	}

	it('verifies what many appends at once have written, over several pages', async () => {
		const ledger = ledgerOf('a');
		await Promise.all(
			Array.from({ length: 5_000 }, (_, n) => ledger.append(entry({ input: `n ${n}` }), n % 100 === 0)),
		);
		assert.deepEqual(await ledger.verify(never), {
			ok: true,
			rows: 5_000,
			writers: 1,
			removed: 0,
			problems: [],
			faults: [],
		});
	});

	it('acknowledges what came in one moment in its order, and lets the loop come round in between', async () => {
		const ledger = ledgerOf('a');
		const order: number[] = [];
		let sinceTurn = 0;
		let mostInATurn = 0;
		const turn = () => {
			mostInATurn = Math.max(mostInATurn, sinceTurn);
			sinceTurn = 0;
			if (order.length < 300) setImmediate(turn);
		};
		setImmediate(turn);
		await Promise.all(
			Array.from({ length: 300 }, async () => {
				order.push((await ledger.append(entry(), false)).seq);
				sinceTurn += 1;
			}),
		);
		assert.deepEqual(
			order,
			Array.from({ length: 300 }, (_, n) => n + 1),
		);
		assert.ok(mostInATurn <= 2 * ANSWERS_PER_TURN, `${mostInATurn} in one turn of the loop`);
	});

	it('keeps both chains of two hosts where there is no write-ahead log', () => {
		const [one, two] = [database(), database()];
		for (const db of [one, two])
			db.exec(`PRAGMA journal_mode = TRUNCATE; PRAGMA busy_timeout = 1000; ${LEDGER_SCHEMA}`);
		const stores = [new LedgerStore(one, 'a'), new LedgerStore(two, 'b')];
		for (let n = 0; n < 20; n++) {
			const append = { entry: { ...entry(), at: new Date().toISOString() }, durable: n % 2 === 0 };
			for (const store of stores) store.append(n % 3 === 0 ? [append, append] : [append]);
		}
		const { rows, writers, problems } = stores[0]?.walk(undefined, 1_000) ?? {};
		assert.deepEqual([rows, writers, problems], [54, 2, []]);
		assert.equal(two.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'truncate');
		for (const db of [one, two]) db.close();
	});

	it('goes on where a host was killed in the middle of writing without a write-ahead log', async () => {
		await ledgerOf('a').append(entry(), true);
		await open[0]?.close();
		cutOffWrite(join(home, 'ledger.db'));
		const next = ledgerOf('a');
		assert.equal((await next.append(entry(), true)).seq, 2);
		const { ok, rows, faults } = await next.verify(never);
		assert.deepEqual([ok, rows, faults, movedAside], [true, 2, [], []]);
	});

	it('continues its chain after its worker was ended', async () => {
		const ledger = ledgerOf('a');
		await ledger.append(entry(), true);
		await open[0]?.close();
		const next = ledgerOf('a');
		assert.equal((await next.append(entry(), true)).seq, 2);
		assert.equal((await next.verify(never)).ok, true);
	});

	it('keeps a second intent of one op out and everything else of the same moment in', async () => {
		const ledger = ledgerOf('a');
		const opId = newId('op');
		const [first, second, other] = await Promise.allSettled([
			ledger.append(entry({ kind: 'intent', opId }), true),
			ledger.append(entry({ kind: 'intent', opId }), true),
			ledger.append(entry(), true),
		]);
		assert.deepEqual([first?.status, second?.status, other?.status], ['fulfilled', 'rejected', 'fulfilled']);
		assert.equal(
			second?.status === 'rejected' && isProwessError(second.reason) && second.reason.code,
			'OUTCOME_IN_DOUBT',
		);
		assert.deepEqual(await ledger.verify(never), {
			ok: true,
			rows: 2,
			writers: 1,
			removed: 0,
			problems: [],
			faults: [],
		});
	});

	describe('that keeps rows for a time', () => {
		const day = 86_400_000;

		/** Rows of several days, as hosts of those days would have written them. */
		function write(writer: string, ...daysAgo: number[]): void {
			beginAnchors();
			const db = openHostDatabase(join(home, 'ledger.db'), LEDGER_SCHEMA, false).db;
			const at = (days: number) => new Date(Date.now() - days * day).toISOString();
			const store = new LedgerStore(db, writer);
			store.append(daysAgo.map((days) => ({ entry: { ...entry(), at: at(days) }, durable: false })));
			db.close();
		}
		const prune = (ledger: HostLedger, days: number) => ledger.prune(Date.now() - days * day, never);

		it('removes what is older, records that, and still verifies', async () => {
			write('a', 40, 35, 3);
			write('b', 50);
			const ledger = ledgerOf('c');
			assert.equal(await prune(ledger, 30), 3);
			assert.deepEqual(await ledger.verify(never), {
				ok: true,
				rows: 2,
				writers: 2,
				removed: 3,
				problems: [],
				faults: [],
			});
			const [row] = await ledger.query({ op: 'ledger.prune' });
			assert.match(row?.input ?? '', /^Remove rows before \d{4}-/);
			assert.equal(await prune(ledger, 30), 0);
			assert.equal((await ledger.query({ op: 'ledger.prune' })).length, 1);
		});

		it('removes many in steps, of all chains, and never what it writes itself', async () => {
			write('a', ...Array<number>(12_000).fill(40), 9);
			const ledger = ledgerOf('b');
			assert.equal(await prune(ledger, 30), 12_000);
			write('c', 20);
			assert.equal(await prune(ledger, 8), 2);
			assert.deepEqual(await ledger.verify(never), {
				ok: true,
				rows: 4,
				writers: 1,
				removed: 12_002,
				problems: [],
				faults: [],
			});
			assert.equal(await ledger.prune(Date.now() + day, never), 4);
			const { ok, rows, removed } = await ledger.verify(never);
			assert.deepEqual([ok, rows, removed], [true, 1, 12_006]);
		});

		it('goes on with a chain of which every row was removed', async () => {
			write('a', 40);
			await prune(ledgerOf('b'), 30);
			await ledgerOf('a').append(entry(), true);
			const { ok, problems } = await ledgerOf('d').verify(never);
			assert.ok(ok, JSON.stringify(problems));
		});

		it('keeps what lies behind a newer row, whatever the clock said then', async () => {
			write('a', 40, 3, 40);
			assert.equal(await prune(ledgerOf('b'), 30), 1);
		});

		it('still refuses to remove a row that it did not say it removes', async () => {
			write('a', 40, 3);
			await prune(ledgerOf('b'), 30);
			const db = database();
			assert.throws(() => db.exec("DELETE FROM ledger WHERE writer = 'a'"), /append-only/);
			assert.throws(() => db.exec('DELETE FROM ledger_starts'), /stays/);
			assert.throws(() => db.exec('UPDATE ledger_starts SET seq = 0'), /goes on/);
			db.close();
		});

		for (const [what, sql] of [
			[
				'more was removed than it says',
				"INSERT INTO ledger_starts VALUES ('b', 1, 'x'); DELETE FROM ledger WHERE writer = 'a'",
			],
			['a removal is claimed further back', "INSERT INTO ledger_starts VALUES ('x', 9, 'y')"],
			['the next row after a removal is another one', "UPDATE ledger SET input = 'x' WHERE writer = 'a'"],
		] as const) {
			it(`finds that ${what}`, async () => {
				write('a', 40, 3);
				const ledger = ledgerOf('b');
				await prune(ledger, 30);
				tamper(sql);
				assert.equal((await ledger.verify(never)).ok, false);
			});
		}
	});

	it('redacts first and cuts second', async () => {
		const redactor = new Redactor();
		const secret = 'canary-0123456789-canary';
		redactor.addSecret(secret);
		const ledger = ledgerOf('a', redactor);
		await ledger.append(
			entry({
				input: `${'x'.repeat(190)}${secret}`,
				output: `${secret}😀`.repeat(100),
				status: 'failed',
				decision: secret,
			}),
			true,
		);
		const [row] = await ledger.query({});
		assert.ok(row !== undefined && !JSON.stringify(row).includes('canary'));
		assert.ok(row.input.length <= 200 && (row.output?.length ?? 0) <= 300);
		assert.ok(row.output?.isWellFormed());
	});

	it('moves a file that is no database aside and begins a new one', async () => {
		writeFileSync(join(home, 'ledger.db'), 'this was something else once'.repeat(100));
		const ledger = ledgerOf('a');
		await ledger.append(entry(), true);
		assert.equal(movedAside.length, 1);
		assert.match(readFileSync(movedAside[0] ?? '', 'utf8'), /^this was something/);
		const { ok, rows } = await ledger.verify(never);
		assert.deepEqual([ok, rows], [false, 2], 'the row, and that it was moved aside');
	});

	it('moves a database with overwritten pages aside', async () => {
		const first = ledgerOf('a');
		await Promise.all(Array.from({ length: 500 }, () => first.append(entry({ input: 'y'.repeat(200) }), true)));
		await open[0]?.close();
		const path = join(home, 'ledger.db');
		const bytes = readFileSync(path);
		bytes.fill(0x5a, 4096, bytes.length - 4096);
		writeFileSync(path, bytes);
		await ledgerOf('b').append(entry(), true);
		assert.equal(readdirSync(home).filter((name) => /^ledger\.db\.damaged-.*Z$/.test(name)).length, 1);
	});

	describe('into which somebody put more than rows', () => {
		const plants = [
			[
				'a trigger that keeps rows out',
				'CREATE TRIGGER quiet BEFORE INSERT ON ledger BEGIN SELECT RAISE(IGNORE); END',
				/the trigger "quiet"/,
			],
			[
				'a view in the place of the table',
				'PRAGMA writable_schema = ON; DROP TABLE ledger; CREATE VIEW ledger AS SELECT 1 AS id',
				/moved aside/,
			],
			['an index that lets one row in', 'CREATE UNIQUE INDEX one ON ledger (kind)', /the index "one"/],
		] as const;

		for (const [what, sql] of plants) {
			it(`takes nothing for recorded while it has ${what}, and says so afterwards`, async () => {
				const ledger = ledgerOf('a');
				await ledger.append(entry(), true);
				const db = database();
				db.exec(sql);
				db.close();
				await rejectsUnwritable(ledger.append(entry(), true));
				await ledger.append(entry({ input: 'after' }), true);
				const { ok, faults } = await ledger.verify(never);
				assert.deepEqual([ok, faults.length, movedAside.length], [false, 1, 1]);
				assert.match(faults[0] ?? '', /was damaged and moved aside to ledger\.db\.damaged-/);
				assert.equal((await ledger.query({ text: 'after' })).length, 1);
			});

			it(`is moved aside when it is opened with ${what}`, async () => {
				await ledgerOf('a').append(entry(), true);
				await open[0]?.close();
				const db = database();
				db.exec(sql);
				db.close();
				const { ok, rows, problems } = await ledgerOf('b').verify(never);
				assert.deepEqual([ok, movedAside.length, problems], [false, 1, []]);
				assert.ok(rows >= 1);
			});
		}
	});

	describe('that was damaged', () => {
		const damagedNames = () => readdirSync(home).filter((name) => /^ledger\.db\.damaged-.*Z$/.test(name));

		async function damage(spoil: (bytes: Buffer) => void): Promise<void> {
			const [a, b] = [ledgerOf('a'), ledgerOf('b')];
			for (let n = 0; n < 200; n++) {
				await a.append(
					entry({ input: `a ${n} ${'y'.repeat(100)}`, decision: n === 7 ? 'long '.repeat(380) : 'x' }),
					true,
				);
				await b.append(entry({ input: `b ${n}` }), true);
			}
			await Promise.all(open.map((store) => store.close()));
			const db = database();
			db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
			db.close();
			const path = join(home, 'ledger.db');
			const bytes = readFileSync(path);
			spoil(bytes);
			writeFileSync(path, bytes);
		}

		it('gives back every row when only its header is overwritten, and verifies them', async () => {
			await damage((bytes) => bytes.fill(0, 0, 100));
			const ledger = ledgerOf('c');
			const { ok, rows, problems, faults } = await ledger.verify(never);
			assert.deepEqual([ok, rows, problems], [false, 401, []]);
			assert.match(
				faults[0] ?? '',
				/: 0 rows cannot be read, 400 were saved in .*\.rows\.jsonl, and 400 of them copied/,
			);
			assert.equal((await ledger.query({ text: 'a 199 ' })).length, 1);
		});

		it('says how many rows cannot be read, and keeps the readable ones in a file beside it', async () => {
			await damage((bytes) => bytes.fill(0x5a, 4096 * 10, 4096 * 12));
			const { ok, faults } = await ledgerOf('c').verify(never);
			assert.equal(ok, false);
			const [, lost, saved] = / (\d+) rows cannot be read, (\d+) were saved/.exec(faults[0] ?? '') ?? [];
			assert.equal(Number(lost) + Number(saved), 400, faults[0]);
			const [name = ''] = damagedNames();
			const lines = readFileSync(join(home, `${name}.rows.jsonl`), 'utf8')
				.trimEnd()
				.split('\n');
			assert.equal(lines.length, Number(saved));
			assert.equal(typeof JSON.parse(lines[0] ?? '').hash, 'string');
			assert.equal(statSync(join(home, `${name}.rows.jsonl`)).mode & 0o777, 0o600);
		});

		it('is named by every later check until the user acknowledges it', async () => {
			await damage((bytes) => bytes.fill(0, 0, 100));
			for (const writer of ['c', 'd']) {
				assert.equal((await ledgerOf(writer).verify(never)).ok, false);
			}
			const ledger = ledgerOf('e');
			assert.match(inEnglish((await ledgerHealth(ledger, never)).detail), /moved aside.*ledger acknowledge/);
			assert.equal((await ledger.acknowledge([])).length, 1);
			assert.deepEqual(await ledger.acknowledge([]), []);
			assert.equal((await ledgerOf('f').verify(never)).ok, true);
			assert.equal(damagedNames().length, 1);
			const [row] = await ledger.query({ op: 'ledger.acknowledge' });
			assert.equal(row?.trigger, 'user');
		});

		it('is saved by the next host when the one that moved it aside was killed', async () => {
			await damage((bytes) => bytes.fill(0, 0, 100));
			renameSync(join(home, 'ledger.db'), join(home, 'ledger.db.damaged-2026-01-01T00-00-00-000Z'));
			const { rows, faults } = await ledgerOf('c').verify(never);
			assert.deepEqual([rows, faults.length], [401, 1]);
		});

		it('does not bring back rows that were removed because of their age', async () => {
			const ledger = ledgerOf('a');
			await Promise.all(Array.from({ length: 300 }, () => ledger.append(entry(), false)));
			await ledger.prune(Date.now() + 1, never);
			await open[0]?.close();
			const bytes = readFileSync(join(home, 'ledger.db'));
			bytes.fill(0, 0, 100);
			writeFileSync(join(home, 'ledger.db'), bytes);
			const { rows, removed, problems } = await ledgerOf('b').verify(never);
			assert.deepEqual([rows, removed, problems], [2, 300, []]);
		});
	});

	describe('with anchors', () => {
		const anchors = () => join(home, 'ledger-anchors.jsonl');

		/** A host from its start to its end. */
		async function host(writer: string, rows: number, input = 'Read a.txt'): Promise<void> {
			const ledger = ledgerOf(writer);
			await Promise.all(Array.from({ length: rows }, () => ledger.append(entry({ input }), false)));
			await open.at(-1)?.close();
		}
		const faults = async () => (await ledgerOf('reader').verify(never)).faults;

		it('is found to have lost its last rows, a whole chain, or all of itself', async () => {
			await host('a', 40);
			await host('b', 12);
			assert.deepEqual(await faults(), []);
			tamper("DELETE FROM ledger WHERE writer = 'a' AND seq > 10");
			assert.match(
				(await faults()).join(),
				/^chain a has 30 rows fewer than in the anchor of 20.* UTC in ledger-anchors/,
			);
			tamper("DELETE FROM ledger WHERE writer = 'a'");
			assert.match((await faults()).join(), /^chain a is gone: it had 40 rows in the anchor of/);
			rmSync(join(home, 'ledger.db'));
			assert.match((await faults()).join(), /chain a is gone.*chain b is gone: it had 12 rows/);
		});

		it('is found to be calculated anew, though every hash is right', async () => {
			await host('a', 10);
			const forged = new DatabaseSync(':memory:');
			forged.exec(LEDGER_SCHEMA);
			const store = new LedgerStore(forged, 'a');
			store.append(
				Array.from({ length: 10 }, () => ({
					entry: { ...entry({ input: 'x' }), at: '2026-01-01T00:00:00.000Z' },
					durable: false,
				})),
			);
			const rows = store.page({}, 0, 100).rows;
			forged.close();
			tamper(
				rows
					.map(
						(row) =>
							`UPDATE ledger SET input = 'x', at = '${row.at}', prev = '${row.prev}', hash = '${row.hash}' WHERE seq = ${row.seq}`,
					)
					.join(';'),
			);
			const { problems, faults: found } = await ledgerOf('reader').verify(never);
			assert.deepEqual(problems, []);
			assert.match(found.join(), /^chain a was rewritten: row 10 is another one/);
			// Not even a further host makes it right.
			await host('b', 3);
			assert.equal((await faults()).length, 1);
		});

		it('still verifies after old rows were removed, and not when somebody else removed some the same way', async () => {
			await host('a', 10);
			await ledgerOf('b').prune(Date.now() + 1, never);
			await open.at(-1)?.close();
			await host('c', 2);
			assert.deepEqual(await faults(), []);
			const copy = new LedgerStore(database(), 'd');
			copy.prune({ ...entry(), op: 'ledger.prune', at: '2026-01-01T00:00:00.000Z' }, '2999-01-01', 100);
			assert.match(
				(await faults()).join(),
				/^rows were removed that were not old, as far as ledger-anchors\.jsonl says/,
			);
		});

		it('has one of a host that was killed before it could write it, as soon as another host ends', async () => {
			await host('first', 1);
			const { db } = openHostDatabase(join(home, 'ledger.db'), LEDGER_SCHEMA, false);
			const append = { entry: { ...entry(), at: '2026-01-01T00:00:00.000Z' }, durable: false };
			new LedgerStore(db, 'killed').append([append, append]);
			db.close();
			await host('next', 1);
			tamper("DELETE FROM ledger WHERE writer = 'killed'");
			assert.match((await faults()).join(), /^chain killed is gone: it had 2 rows/);
		});

		it('writes one after many rows, at its end, and none when it has recorded nothing', async () => {
			await host('a', ANCHOR_EVERY_ROWS);
			const heads = () => anchored.filter((text) => text.includes('"writer"'));
			assert.equal(heads().length, 1);
			await host('b', 0);
			await host('c', 1);
			assert.equal(heads().length, 2);
			assert.match(heads()[1] ?? '', /^\{"removed":.*\n\{"writer":"c","seq":1,"hash":"[0-9a-f]{64}","at":"20.*"\}\n$/);
			assert.equal(statSync(anchors()).mode & 0o777, 0o600);
		});

		it('says that its anchors were removed or cannot be read, until the user acknowledges it', async () => {
			await host('a', 3);
			rmSync(anchors());
			assert.match((await faults()).join(), /^ledger-anchors\.jsonl was missing: rows that were cut off before/);
			assert.equal((await faults()).length, 1);
			await host('b', 3);
			writeFileSync(anchors(), `${readFileSync(anchors(), 'utf8')}{"writer":"b","seq`);
			assert.equal((await faults()).length, 2);
			const ledger = ledgerOf('c');
			assert.equal((await ledger.acknowledge([])).length, 2);
			assert.deepEqual(await faults(), []);
			tamper("DELETE FROM ledger WHERE writer = 'b' AND seq = 3");
			assert.match((await faults()).join(), /chain b has 1 row fewer/);
		});

		it('is compared with what was kept elsewhere, also when the home was put back as a whole', async () => {
			await host('a', 3);
			const [before, beforeAnchors] = [readFileSync(join(home, 'ledger.db')), readFileSync(anchors())];
			await host('b', 3);
			writeFileSync(join(home, 'ledger.db'), before);
			writeFileSync(anchors(), beforeAnchors);
			assert.deepEqual(await faults(), []);
			const differences = await ledgerOf('reader').compareAnchors(anchored.join(''), 'my log');
			assert.match(differences.join(), /^chain b is gone: it had 3 rows in the anchor of .* UTC in my log$/);
		});

		it('is left alone when a later version wrote its anchors', async () => {
			writeFileSync(anchors(), '{"format":"prowess-ledger-anchors","version":2}\n');
			await assert.rejects(ledgerOf('a').append(entry(), true), /was written by a later version \(2, known 1\)/);
		});
	});

	it('says LEDGER_UNWRITABLE when it cannot be opened, and works again when it can', async function () {
		if (process.getuid?.() === 0) {
			// Root writes anywhere; a folder in its place fails for everyone.
			mkdirSync(join(home, 'ledger.db'));
			await rejectsUnwritable(ledgerOf('a').append(entry(), true));
			return;
		}
		chmodSync(home, 0o500);
		const ledger = ledgerOf('a');
		await rejectsUnwritable(ledger.append(entry(), true));
		chmodSync(home, 0o700);
		assert.equal((await ledger.append(entry(), true)).seq, 1);
	});

	it('says LEDGER_UNWRITABLE after it was closed', async () => {
		const ledger = ledgerOf('a');
		await ledger.append(entry(), true);
		await open[0]?.close();
		await rejectsUnwritable(ledger.append(entry(), true));
	});

	it('is well when a look at it ends before every row was checked, and not when a row was changed', async () => {
		const ledger = ledgerOf('a');
		await ledger.append(entry(), true);
		const late = new AbortController();
		late.abort(new TimeoutError('a look at the ledger', 5));
		assert.deepEqual(await ledgerHealth(ledger, late.signal), {
			ok: true,
			detail: text('It answers. Checking all of its rows takes longer than this look.'),
		});
		assert.deepEqual(await ledgerHealth(ledger, never), { ok: true, detail: text('1 row, intact') });
		await assert.rejects(ledgerHealth(ledger, AbortSignal.abort(new Error('stopped'))), /stopped/);
		tamper("UPDATE ledger SET input = 'x' WHERE seq = 1");
		assert.match(inEnglish((await ledgerHealth(ledger, never)).detail), /^chain a, row 1: its content/);
	});

	it('is readable by its user only', async () => {
		await ledgerOf('a').append(entry(), true);
		const modes = readdirSync(home).map((name) => statSync(join(home, name)).mode & 0o777);
		assert.deepEqual(new Set(modes), new Set([0o600]));
	});

	it('answers queries newest first, by thread, op, kind, text and position', async () => {
		const ledger = ledgerOf('a');
		const threadId = newId('thr');
		for (const [op, input] of [
			['fs.read', 'Read 100%'],
			['fs.write', 'Write b'],
			['fs.read', 'Read c_d'],
		] as const) {
			await ledger.append(entry({ op, input, threadId }), false);
		}
		const inputs = async (query: Parameters<HostLedger['query']>[0]) =>
			(await ledger.query(query)).map((row) => row.input);
		assert.deepEqual(await inputs({}), ['Read c_d', 'Write b', 'Read 100%']);
		assert.deepEqual(await inputs({ op: 'fs.read', limit: 1 }), ['Read c_d']);
		assert.deepEqual(await inputs({ text: '0%' }), ['Read 100%']);
		assert.deepEqual(await inputs({ text: 'c_d', threadId }), ['Read c_d']);
		assert.deepEqual(await inputs({ before: { writer: 'a', seq: 2 } }), ['Read 100%']);
		assert.deepEqual(await inputs({ kind: 'intent' }), []);
		assert.deepEqual(await inputs({ row: { writer: 'a', seq: 2 } }), ['Write b']);
		assert.deepEqual(await inputs({ row: { writer: 'b', seq: 2 } }), []);
	});

	it('takes the first moment of a time into it and the last out of it', async () => {
		const ledger = ledgerOf('a');
		await ledger.append(entry(), false);
		const [{ at } = { at: '' }] = await ledger.query({});
		const later = new Date(Date.parse(at) + 1).toISOString();
		const found = async (query: Parameters<HostLedger['query']>[0]) => (await ledger.query(query)).length;
		assert.deepEqual([await found({ since: at }), await found({ since: later })], [1, 0]);
		assert.deepEqual([await found({ until: at }), await found({ until: later })], [0, 1]);
		assert.equal(await found({ since: `${at.slice(0, 19)}Z` }), 1, 'a time without its thousandths means the same');
	});

	it('gives the rows that are meant in the order in which they were written, over several pages', async () => {
		const ledger = ledgerOf('a');
		await Promise.all(
			Array.from({ length: 4_500 }, (_, n) => ledger.append(entry({ op: n % 2 === 0 ? 'fs.read' : 'fs.list' }), false)),
		);
		const pages = await Array.fromAsync(ledger.pages({ op: 'fs.list' }, never));
		const rows = pages.flat();
		assert.deepEqual([pages.length, rows.length], [2, 2_250]);
		assert.ok(rows.every(({ op, seq }, n) => op === 'fs.list' && seq === n * 2 + 2));
	});

	it('exports every row as JSON lines and as CSV that holds no formulas', async () => {
		const ledger = ledgerOf('a');
		await ledger.append(entry({ input: '=cmd|"x"!A1', decision: 'a,b\n"c"' }), false);
		const text = async (format: 'jsonl' | 'csv') =>
			(await Array.fromAsync(exportRows(ledger.pages({}, never), format))).join('');
		assert.equal(JSON.parse(await text('jsonl')).input, '=cmd|"x"!A1');
		const csv = await text('csv');
		assert.ok(/^writer,seq,id,at,kind,opId,op,trigger,threadId,.*,durationMs,prev,hash\r\n/.test(csv), csv);
		assert.ok(csv.includes(`"'=cmd|""x""!A1"`) && csv.includes('"a,b\n""c"""'), csv);
	});
};

describe('Ledger with its databases in a worker', ledgerSpecs(storeWorker(script)));
describe('Ledger with its databases in the thread of the host', ledgerSpecs(hostThread));
