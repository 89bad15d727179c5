/**
 * Damages the databases of a home in every way a disk does, and opens them with the code that the product opens them with.
 * Whatever it was: no crash, a file that can be used, and the damaged one kept as it was found. A seed names the damages.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINT_SCHEMA, CheckpointStore } from '../../src/capability-host/checkpoints/checkpoint-store.ts';
import type { LedgerEntry } from '../../src/capability-host/ledger/chain.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../../src/capability-host/ledger/ledger-store.ts';
import { openDatabase as openHostDatabase } from '../../src/capability-host/ledger/open-database.ts';
import { isDamage } from '../../src/store/damage.ts';
import { openDatabase } from '../../src/store/open-database.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { ThreadStore } from '../../src/store/threads/thread-store.ts';
import { below, pick, seeded } from '../support/seeded.ts';
import { tempDir } from '../support/temp-dir.ts';

const PAGE_BYTES = 4_096;
const entry: LedgerEntry = {
	...{ at: '2026-01-01T00:00:00.000Z', kind: 'note', opId: null, op: 'fs.read', trigger: 'user', threadId: 'thr_1' },
	...{ risk: 'MONITORED', assessed: null, decision: 'allow', paramsHash: null, input: 'y'.repeat(150) },
	...{ output: null, status: null, durationMs: null },
};

/** A database of the product: how it is opened, filled and looked at. */
interface Kept {
	readonly name: string;
	/** Where a damaged one went. `use` reads all of it and writes; throws when that is not possible. */
	open(path: string, isThorough: boolean): { readonly aside: string | undefined; use(): void; close(): void };
	fill(path: string): () => void;
}

const threads: Kept = {
	name: 'threads.db',
	open(path) {
		const { db, putAside } = openDatabase(path, threadMigrations);
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
		const { db } = openDatabase(path, threadMigrations);
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

const ledger: Kept = {
	name: 'ledger.db',
	open(path, isThorough) {
		const { db, movedAside } = openHostDatabase(path, LEDGER_SCHEMA, isThorough);
		const store = new LedgerStore(db, 'host_new');
		return {
			aside: movedAside,
			use() {
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
		new LedgerStore(db, 'host_old').append(Array.from({ length: 400 }, () => ({ entry, durable: false })));
		return () => db.close();
	},
};

const checkpoints: Kept = {
	name: 'checkpoints.db',
	open(path, isThorough) {
		const { db, movedAside } = openHostDatabase(path, CHECKPOINT_SCHEMA, isThorough);
		const store = new CheckpointStore(db);
		return {
			aside: movedAside,
			use() {
				store.changedFiles('thr_1');
				const file = { threadId: 'thr_new', path: 'a', absolutePath: '/w/a', before: 'text' };
				store.keepBefore(file);
				assert.equal(store.beforeOf('thr_new', '/w/a'), 'text');
			},
			close: () => db.close(),
		};
	},
	fill(path) {
		const { db } = openHostDatabase(path, CHECKPOINT_SCHEMA, false);
		const store = new CheckpointStore(db);
		for (let n = 0; n < 60; n += 1) {
			store.keepBefore({ threadId: 'thr_1', path: `${n}`, absolutePath: `/w/${n}`, before: `text ${n} `.repeat(200) });
		}
		return () => db.close();
	},
};

const kinds = [threads, ledger, checkpoints];
const sides = ['', '-wal', '-shm'] as const;
type Files = Partial<Record<(typeof sides)[number], Buffer>>;

/** A file as it lies there while a process has it open: with its log. And as it lies there afterwards. */
interface Sample {
	readonly kind: Kept;
	readonly running: Files;
	readonly closed: Files;
}

function sampleOf(kind: Kept): Sample {
	const path = join(tempDir('sample'), kind.name);
	const close = kind.fill(path);
	const running = filesAt(path);
	close();
	return { kind, running, closed: filesAt(path) };
}

function filesAt(path: string): Files {
	return Object.fromEntries(
		sides.filter((side) => existsSync(path + side)).map((side) => [side, readFileSync(path + side)]),
	);
}

interface Damage {
	readonly what: string;
	apply(path: string, random: () => number, all: readonly Sample[]): void;
}

const damages: readonly Damage[] = [
	{
		what: 'a byte of the header',
		apply: (path, random) => change(path, (bytes) => void (bytes[below(random, 100)] = below(random, 256))),
	},
	{
		what: 'a bit of the first page',
		apply: (path, random) => change(path, (bytes) => flip(bytes, below(random, PAGE_BYTES), random)),
	},
	{
		what: 'some bits anywhere',
		apply: (path, random) =>
			change(path, (bytes) => {
				for (let n = 1 + below(random, 8); n > 0; n -= 1) flip(bytes, below(random, bytes.length), random);
			}),
	},
	{
		what: 'a page overwritten',
		apply: (path, random) =>
			change(path, (bytes) => {
				const at = below(random, bytes.length / PAGE_BYTES) * PAGE_BYTES;
				bytes.fill(below(random, 256), at, at + PAGE_BYTES);
			}),
	},
	{
		what: 'two pages exchanged',
		apply: (path, random) =>
			change(path, (bytes) => {
				const [a, b] = [0, 0].map(() => below(random, bytes.length / PAGE_BYTES) * PAGE_BYTES) as [number, number];
				const page = Buffer.from(bytes.subarray(a, a + PAGE_BYTES));
				bytes.copyWithin(a, b, b + PAGE_BYTES);
				page.copy(bytes, b);
			}),
	},
	{
		what: 'cut short',
		apply: (path, random) => truncateSync(path, below(random, readFileSync(path).length)),
	},
	{ what: 'of no length', apply: (path) => truncateSync(path, 0) },
	{ what: 'text', apply: (path, random) => writeFileSync(path, 'this is no database\n'.repeat(below(random, 1_000))) },
	{ what: 'without its log', apply: (path) => rmSync(`${path}-wal`, { force: true }) },
	{
		what: 'with the log of another',
		apply(path, random, all) {
			const other = pick(
				random,
				all.filter(({ kind }) => !path.endsWith(kind.name)),
			);
			writeFileSync(`${path}-wal`, other.running['-wal'] ?? '');
			rmSync(`${path}-shm`, { force: true });
		},
	},
	{
		what: 'with bits of its log changed',
		apply: (path, random) =>
			change(`${path}-wal`, (bytes) => flip(bytes, below(random, Math.max(1, bytes.length)), random)),
	},
	{
		what: 'with its log cut short',
		apply: (path, random) => change(`${path}-wal`, (bytes) => bytes.subarray(0, below(random, bytes.length + 1))),
	},
	{
		what: 'with the shared memory of another time',
		apply: (path, random) => writeFileSync(`${path}-shm`, Buffer.alloc(32_768, below(random, 256))),
	},
];

function change(path: string, edit: (bytes: Buffer) => Buffer | void): void {
	const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
	writeFileSync(path, edit(bytes) ?? bytes);
}

function flip(bytes: Buffer, at: number, random: () => number): void {
	if (at < bytes.length) {
		bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8));
	}
}

export interface DamageReport {
	readonly files: number;
	readonly putAside: number;
	/** Left where they are, and said to be of a later version. */
	readonly refused: number;
	/** Found to be damaged only when they were read. */
	readonly failedInUse: number;
}

/** Damages and opens that many files. Throws at the first that is not treated as promised. */
export function openDamagedFiles(count: number, seed: number): DamageReport {
	const samples = kinds.map(sampleOf);
	const random = seeded(seed);
	const report = { files: 0, putAside: 0, refused: 0, failedInUse: 0 };
	for (let n = 0; n < count; n += 1) {
		const sample = pick(random, samples);
		const damage = damages[n % damages.length] as Damage;
		const from = random() < 0.5 ? 'running' : 'closed';
		const what = `file ${n} of seed ${seed}: ${sample.kind.name} (${from}), ${damage.what}`;
		const folder = tempDir('damaged');
		const path = join(folder, sample.kind.name);
		for (const [side, bytes] of Object.entries(sample[from])) {
			writeFileSync(path + side, bytes);
		}
		damage.apply(path, random, samples);
		report.files += 1;
		try {
			const end = openOne(sample.kind, path);
			report[end] += end === 'files' ? 0 : 1;
		} catch (error) {
			throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
		}
		rmSync(folder, { recursive: true, force: true });
	}
	return report;
}

function openOne(kind: Kept, path: string): keyof DamageReport {
	const before = filesAt(path);
	let opened: ReturnType<Kept['open']>;
	try {
		opened = kind.open(path, false);
	} catch (error) {
		assert.ok(error instanceof StoreError && error.code === 'newer', String(error));
		assert.deepEqual(readFileSync(path), before['']);
		return 'refused';
	}
	try {
		opened.use();
	} catch (error) {
		assert.ok(isDamage(error) && opened.aside === undefined, (error as Error).stack);
		opened.close();
		if (kind === threads) {
			return 'failedInUse';
		}
		// As the host does it: what has failed is looked at thoroughly.
		const again = kind.open(path, true);
		assert.ok(again.aside !== undefined);
		again.use();
		again.close();
		return 'failedInUse';
	}
	opened.close();
	if (opened.aside === undefined) {
		return 'files';
	}
	// With its log: whoever mends it needs both.
	for (const side of ['', '-wal'] as const) {
		if ((before[side]?.length ?? 0) > 0) {
			assert.deepEqual(readFileSync(opened.aside + side), before[side], side);
		}
	}
	return 'putAside';
}
