import assert from 'node:assert/strict';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { sha256 } from './canonical-json.ts';
import { createGenesis, HASHED_COLUMNS, type LedgerEntry } from './chain.ts';
import type { WalkPosition } from './chain-walk.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../ledger-store.ts';

function entry(over: Partial<LedgerEntry> = {}): LedgerEntry {
	return {
		at: '2026-01-01T00:00:00.000Z',
		kind: 'note',
		opId: null,
		op: 'fs.read',
		trigger: 'user',
		threadId: null,
		risk: null,
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

describe('ChainWalk', () => {
	let db: DatabaseSync;

	beforeEach(() => {
		db = new DatabaseSync(':memory:');
	});
	afterEach(() => db.close());

	function write(...writers: { readonly writer: string; readonly entries: readonly LedgerEntry[] }[]): void {
		db.exec(LEDGER_SCHEMA);
		for (const { writer, entries } of writers) {
			new LedgerStore(db, writer).append(entries.map((each) => ({ entry: each, durable: false })));
		}
		db.exec('DROP TRIGGER ledger_no_update; DROP TRIGGER ledger_no_delete');
	}

	/** In steps of three rows. */
	function walk(): { rows: number; writers: number; problems: string[] } {
		const store = new LedgerStore(db, 'reader');
		const total = { rows: 0, writers: 0, problems: [] as string[] };
		let position: WalkPosition | undefined;
		do {
			const step = store.walk(position, 3);
			total.rows += step.rows;
			total.writers += step.writers;
			total.problems.push(...step.problems.map(({ writer, seq, problem }) => `${writer} ${seq}: ${problem}`));
			position = step.next;
		} while (position !== undefined);
		return total;
	}

	for (const column of HASHED_COLUMNS) {
		it(`finds a row of which ${column} was changed`, () => {
			write({ writer: 'a', entries: Array.from({ length: 8 }, () => entry({ output: 'x', durationMs: 1.25 })) });
			const other =
				column === 'seq'
					? 55
					: column === 'id'
						? 77
						: column === 'durationMs'
							? 1.5
							: column === 'writer'
								? 'aa'
								: 'other';
			db.prepare(`UPDATE ledger SET ${column} = ? WHERE writer = 'a' AND seq = 5`).run(other);
			assert.ok(walk().problems.length > 0);
			assert.match(walk().problems[0] ?? '', column === 'writer' || column === 'seq' ? /^a 6: row 5 is/ : /^a 5: /);
		});
	}

	it('finds a row that was made to follow another one, though its own hash is right', () => {
		const same = Array.from({ length: 4 }, () => entry());
		write({ writer: 'a', entries: same }, { writer: 'b', entries: [...same, ...same] });
		db.exec("DELETE FROM ledger WHERE writer = 'a' AND seq > 2");
		db.exec("UPDATE ledger SET writer = 'a' WHERE writer = 'b' AND seq > 2");
		assert.deepEqual(walk().problems, ['a 3: it does not follow the row before it']);
	});

	it('takes every text and number for what it was when it was hashed', () => {
		const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');
		const texts = [
			controls,
			'"\\/ \u007f\u0080\u2028\u2029',
			'ä € 😀 \uffff',
			'',
			'null',
			'{"a":[1]}',
			`']"', `,
			'\u0000',
		];
		const numbers = [null, 0, 1, 1.5, 0.1 + 0.2, 11.165940000000774, 1e21, 1e-7, 123_456_789.012_345_67, 5e-324];
		const entries = texts.flatMap((text) =>
			numbers.map((durationMs) => entry({ input: text, output: text, durationMs })),
		);
		write({ writer: 'a', entries }, { writer: 'strange "writer" \\ ä', entries });
		assert.deepEqual(walk(), { rows: 2 * entries.length, writers: 2, problems: [] });
	});

	it('tells of each broken chain once and goes on with the next', () => {
		const six = Array.from({ length: 6 }, () => entry());
		write({ writer: 'a', entries: six }, { writer: 'b', entries: six }, { writer: 'c', entries: six });
		db.exec("UPDATE ledger SET decision = 'x' WHERE writer = 'a' AND seq IN (2, 4, 5)");
		db.exec("DELETE FROM ledger WHERE writer = 'b' AND seq = 1");
		assert.deepEqual(walk(), {
			rows: 17,
			writers: 3,
			problems: ['a 2: its content does not match its hash', 'b 2: row 1 is missing: the next one is 2'],
		});
	});

	it('finds that a duration is no number any more, which JSON writes as it writes none', () => {
		write({ writer: 'a', entries: Array.from({ length: 3 }, () => entry()) });
		for (const [seq, infinity] of [
			[1, Infinity],
			[3, -Infinity],
		] as const) {
			db.prepare('UPDATE ledger SET durationMs = ? WHERE seq = ?').run(infinity, seq);
			assert.deepEqual(walk().problems, [`a ${seq}: its content does not match its hash`]);
			db.prepare('UPDATE ledger SET durationMs = NULL').run();
		}
	});

	it('finds that the order of two writers was changed', () => {
		write({ writer: 'a', entries: [entry()] }, { writer: 'b', entries: [entry()] });
		db.exec('UPDATE ledger SET id = id + 10; UPDATE ledger SET id = 13 - id');
		assert.deepEqual(walk().problems, [
			'a 1: its content does not match its hash',
			'b 1: its content does not match its hash',
		]);
	});

	it('still takes rows that were written before their place was hashed', () => {
		write({ writer: 'a', entries: [entry({ durationMs: 2 })] });
		const prev = createGenesis('old').hash;
		const values = ['old', 1, prev, entry().at, 'note', null, 'fs.read', 'user', null, null, null, 'allow', null];
		const all = [...values, 'Read a.txt', null, null, 1.5];
		const names = HASHED_COLUMNS.filter((column) => column !== 'id');
		db.prepare(`INSERT INTO ledger (${names.join(', ')}, hash) VALUES (${names.map(() => '?').join(', ')}, ?)`).run(
			...(all as SQLInputValue[]),
			sha256(JSON.stringify(['prowess-ledger-1', ...all])),
		);
		assert.deepEqual(walk(), { rows: 2, writers: 2, problems: [] });
		db.exec("UPDATE ledger SET input = 'x' WHERE writer = 'old'");
		assert.deepEqual(walk().problems, ['old 1: its content does not match its hash']);
	});

	it('finds bytes where a text was, which a table made otherwise would hold', () => {
		write({ writer: 'a', entries: Array.from({ length: 5 }, () => entry()) });
		db.exec('CREATE TABLE rows AS SELECT * FROM ledger; DROP TABLE ledger');
		db.exec(LEDGER_SCHEMA.replaceAll(') STRICT', ')'));
		db.exec('INSERT INTO ledger SELECT * FROM rows; DROP TRIGGER ledger_no_update');
		db.exec('UPDATE ledger SET input = CAST(input AS BLOB) WHERE seq = 4');
		assert.deepEqual(walk(), { rows: 5, writers: 1, problems: ['a 4: its content does not match its hash'] });
	});
});
