/** The databases of a home, opened, filled and used with the code that the product opens, fills and uses them with. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKPOINT_SCHEMA, CheckpointStore } from '../../../src/trust/record/store/checkpoint-store.ts';
import type { LedgerEntry } from '../../../src/trust/record/store/chain/chain.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../../../src/trust/record/store/ledger-store.ts';
import { openHostDatabase } from '../../../src/trust/record/store/open-database.ts';
import { type Salvage, unsavedBeside } from '../../../src/trust/record/store/chain/salvage.ts';
import { openMigratedDatabase } from '../../../src/store/open-database.ts';
import { threadMigrations } from '../../../src/store/threads/thread-migrations.ts';
import { ThreadStore } from '../../../src/store/threads/thread-store.ts';

const entry: LedgerEntry = {
	...{ at: '2026-01-01T00:00:00.000Z', kind: 'note', opId: null, op: 'fs.read', trigger: 'user', threadId: 'thr_1' },
	...{ risk: 'MONITORED', assessed: null, decision: 'allow', paramsHash: null, input: 'y'.repeat(150) },
	...{ output: null, status: null, durationMs: null },
};

/** A database of the product: how it is opened, filled and looked at. */
export interface Kept {
	readonly name: string;
	/** Where a damaged one went. `use` reads all of it and writes; throws when that is not possible. */
	open(path: string, isThorough: boolean): { readonly aside: string | undefined; use(): void; close(): void };
	fill(path: string): () => void;
}

export const threads: Kept = {
	name: 'threads.db',
	open(path) {
		const { db, putAside } = openMigratedDatabase(path, threadMigrations);
		const store = new ThreadStore(db, { owner: 'test', isAlive: () => false, now: () => 1 });
		return {
			aside: putAside,
			use() {
				for (const { id } of store.list(undefined, 1_000)) {
					store.lastItems(id, 100);
					store.wholeItems(id);
					store.messages(id);
					store.turns(id);
				}
				store.list('word', 10);
				addThread(store, 'thr_new');
				assert.equal(store.lastItems('thr_new', 100).items.length, 10);
			},
			close: () => db.dispose(),
		};
	},
	fill(path) {
		const { db } = openMigratedDatabase(path, threadMigrations);
		const store = new ThreadStore(db, { owner: 'test', isAlive: () => false, now: () => 1 });
		for (let n = 0; n < 20; n += 1) {
			addThread(store, `thr_${n}`);
		}
		return () => db.dispose();
	},
};

function addThread(store: ThreadStore, id: string): void {
	store.create({ id, title: `Title ${id}`, model_id: null, mode: 'agent', workspace: '/w', created_at: '2026-01-01' });
	const writer = store.lease(id);
	writer.startTurn({ id: `trn_${id}`, modelId: 'm', startedAt: '2026-01-01' });
	for (let n = 0; n < 10; n += 1) {
		const body = JSON.stringify({ text: `word ${n} `.repeat(40) });
		const item = { id: `itm_${id}_${n}`, turn_id: `trn_${id}`, kind: 'text', op_id: null, call_id: null, body };
		writer.addItem(item, `word ${n}`);
		writer.addMessage(`trn_${id}`, body);
	}
	writer.release();
}

/**
 * Asserts that the report counts the rows that cannot be read, that the readable rows are in the file beside the
 * ledger, and that rows which still make a chain are in the new ledger.
 */
function assertSaved(store: LedgerStore, movedAside: string, [saved]: readonly Salvage[]): void {
	assert.ok(saved !== undefined && saved.copied <= saved.readable && saved.readable + saved.unreadable <= LEDGER_ROWS);
	const lines = readFileSync(`${movedAside}.rows.jsonl`, 'utf8').split('\n').slice(0, -1);
	assert.equal(lines.length, saved.readable);
	assert.match(store.faults()[0] ?? '', new RegExp(` ${saved.unreadable} rows? cannot be read`));
	const { rows, problems } = store.walk(undefined, 10_000);
	assert.deepEqual([rows, problems], [saved.copied + 1, []]);
	ledgerSalvage.files += 1;
	ledgerSalvage.rows += saved.readable;
}

const LEDGER_ROWS = 400;

/** Totals of files and readable rows saved from all damaged ledgers that were opened. */
export const ledgerSalvage = { files: 0, rows: 0 };

export const ledger: Kept = {
	name: 'ledger.db',
	open(path, isThorough) {
		const { db, movedAside } = openHostDatabase(path, LEDGER_SCHEMA, isThorough);
		const store = new LedgerStore(db, 'host_new');
		const saved = unsavedBeside(path).map((file) => store.recover(join(dirname(path), file), new Map()));
		return {
			aside: movedAside,
			use() {
				if (movedAside !== undefined) {
					assertSaved(store, movedAside, saved);
				}
				store.walk(undefined, 10_000);
				store.query({ limit: 100 });
				store.append([{ entry, durable: true }]);
				assert.equal(store.query({ limit: 1 })[0]?.writer, 'host_new');
			},
			close: () => db.close(),
		};
	},
	fill(path) {
		const { db } = openHostDatabase(path, LEDGER_SCHEMA, false);
		new LedgerStore(db, 'host_old').append(Array.from({ length: LEDGER_ROWS }, () => ({ entry, durable: false })));
		return () => db.close();
	},
};

export const checkpoints: Kept = {
	name: 'checkpoints.db',
	open(path, isThorough) {
		const { db, movedAside } = openHostDatabase(path, CHECKPOINT_SCHEMA, isThorough);
		const store = new CheckpointStore(db);
		return {
			aside: movedAside,
			use() {
				store.changedFiles('thr_1');
				const file = { owner: 'thr_new', path: 'a', absolutePath: '/w/a', before: 'text' };
				store.keepBefore(file);
				assert.equal(store.changedFiles('thr_new')[0]?.before, 'text');
			},
			close: () => db.close(),
		};
	},
	fill(path) {
		const { db } = openHostDatabase(path, CHECKPOINT_SCHEMA, false);
		const store = new CheckpointStore(db);
		for (let n = 0; n < 60; n += 1) {
			store.keepBefore({ owner: 'thr_1', path: `${n}`, absolutePath: `/w/${n}`, before: `text ${n} `.repeat(200) });
		}
		return () => db.close();
	},
};
