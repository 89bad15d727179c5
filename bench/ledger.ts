/** The broker and its ledger: an op through gate and record, an append, the check of the chain. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../src/trust/record/store/chain/canonical-json.ts';
import type { LedgerEntry } from '../src/trust/record/store/chain/chain.ts';
import type { WalkPosition } from '../src/trust/record/store/chain/chain-walk.ts';
import { LEDGER_SCHEMA, LedgerStore } from '../src/trust/record/store/ledger-store.ts';
import { createTrustedBase } from '../src/host/compose.ts';
import { brokerRequests } from '../src/protocol/turn/broker.ts';
import { newId } from '../src/protocol/rpc/ids.ts';
import { testHost } from '../test/support/host-ports.ts';
import { linkedPeers } from '../test/support/linked-peers.ts';
import { type Figure, ms, paired, ratio } from './measure.ts';

const OPS = 400;
const ROWS = 4_000;
const ROUNDS = 5;
const PAGE = 2_000;

export async function ledgerFigures(): Promise<Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	try {
		return [...(await ops(folder)), await appends(folder), await listing(folder), await verification(folder)];
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** `op/perform` of `fs.read`, both ends in this process: what is measured is the broker, not the channel to it. */
async function ops(folder: string): Promise<Figure[]> {
	const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')];
	mkdirSync(home, { mode: 0o700 });
	mkdirSync(workspace);
	const file = join(workspace, 'note.txt');
	writeFileSync(file, 'x'.repeat(200));
	const base = await createTrustedBase(testHost({ home, workspace, approvalMode: 'never' }).ports);
	const { near, far } = linkedPeers();
	const served = base.serveServer(near);
	const [threadId, turnId] = [newId('thr'), newId('trn')];
	base.beginThread(threadId);
	const { signal } = new AbortController();
	const perform = async () => {
		const request = { opId: newId('op'), op: 'fs.read', params: { path: 'note.txt' }, threadId, turnId };
		const { status } = await far.call(brokerRequests.perform, request, signal);
		if (status !== 'done') {
			throw new Error(`fs.read ended as ${status}`);
		}
	};
	const bare = async () => {
		await readFile(file, 'utf8');
	};
	try {
		const times = await paired(ROUNDS, {
			bare: () => cpuOf(16, bare),
			bareAlone: () => cpuOf(1, bare),
			one: () => cpuOf(1, perform),
			sixteen: () => cpuOf(16, perform),
		});
		const row = (what: string, name: string): Figure => ({
			goal: 'broker',
			what: `CPU of fs.read of 200 B through gate and ledger, ${what} in flight, against a bare read with 16`,
			measured: `${ratio(times[name])} (${ms(times[name]?.value)} / ${ms(times['bare']?.value)})`,
			bar: 'reported',
			met: undefined,
		});
		return [row('1', 'one'), row('16', 'sixteen')];
	} finally {
		served.dispose();
		await base.close();
	}
}

/** CPU of this process, its threads included, for one piece of work while `inFlight` of them run. */
async function cpuOf(inFlight: number, work: () => Promise<void>): Promise<number> {
	const before = process.cpuUsage();
	let left = OPS;
	await Promise.all(
		Array.from({ length: inFlight }, async () => {
			while (left > 0) {
				left -= 1;
				await work();
			}
		}),
	);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000 / OPS;
}

async function appends(folder: string): Promise<Figure> {
	const plain = database(join(folder, 'plain.db'));
	plain.exec('CREATE TABLE row (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
	const insert = plain.prepare('INSERT INTO row (body) VALUES (?)');
	const body = JSON.stringify(entry(0));
	const ledger = database(join(folder, 'appends.db'));
	ledger.exec(LEDGER_SCHEMA);
	const store = new LedgerStore(ledger, 'host_bench');
	let count = 0;
	try {
		const times = await paired(ROUNDS, {
			plain: async () => timed(() => insert.run(body)),
			ledger: async () => timed(() => store.append([{ entry: entry((count += 1)), durable: false }])),
		});
		return {
			goal: 'ledger',
			what: 'append, against a plain insert of the same bytes in WAL mode',
			measured: `${ratio(times['ledger'])} (${ms(times['ledger']?.value)} / ${ms(times['plain']?.value)})`,
			bar: '<= 4x',
			met: (times['ledger']?.ratio ?? Infinity) <= 4,
		};
	} finally {
		plain.close();
		ledger.close();
	}
}

function timed(work: () => unknown): number {
	const before = performance.now();
	for (let row = 0; row < ROWS; row += 1) {
		work();
	}
	return (performance.now() - before) / ROWS;
}

/** Rows that a person looks for lie behind all others, so that a search without an index would read the whole ledger. */
async function listing(folder: string): Promise<Figure> {
	const ledgers = [ROWS, ROWS * 25].map((rows) => {
		const db = database(join(folder, `listing-${rows}.db`));
		db.exec(LEDGER_SCHEMA);
		const store = new LedgerStore(db, 'host_bench');
		const rare = { ...entry(0), op: 'fs.write', opId: 'op_rare' };
		store.append(
			[rare, ...Array.from({ length: rows }, (_, n) => entry(n))].map((each) => ({ entry: each, durable: false })),
		);
		return { db, store };
	});
	const housekeeping = { ops: [], reads: ['-'] };
	const list = async (which: number) =>
		timed(() => {
			const query = { filter: { op: 'fs.write' }, housekeeping, before: null, limit: 20, rows: PAGE };
			if (ledgers[which]?.store.acts(query).acts.length !== 1) {
				throw new Error('the act was not found in one step');
			}
		});
	try {
		const times = await paired(ROUNDS, { few: () => list(0), many: () => list(1) });
		return {
			goal: 'ledger',
			what: `list of one op, whose only act is the oldest of ${ROWS * 25} rows, against ${ROWS} rows`,
			measured: `${ratio(times['many'])} (${ms(times['many']?.value)} / ${ms(times['few']?.value)})`,
			bar: '<= 1.5x',
			met: (times['many']?.ratio ?? Infinity) <= 1.5,
		};
	} finally {
		ledgers.forEach(({ db }) => db.close());
	}
}

async function verification(folder: string): Promise<Figure> {
	const db = database(join(folder, 'verify.db'));
	db.exec(LEDGER_SCHEMA);
	const store = new LedgerStore(db, 'host_bench');
	const rows = ROWS * 5;
	store.append(Array.from({ length: rows }, (_, n) => ({ entry: entry(n), durable: false })));
	const texts = store.page({}, 0, rows).rows.map((row) => JSON.stringify(Object.values(row)));
	try {
		const times = await paired(ROUNDS, {
			hashing: async () => {
				const before = performance.now();
				for (const text of texts) {
					sha256(text);
				}
				return performance.now() - before;
			},
			verify: async () => {
				const before = performance.now();
				let position: WalkPosition | undefined;
				do {
					position = store.walk(position, PAGE).next;
				} while (position !== undefined);
				return performance.now() - before;
			},
		});
		return {
			goal: 'ledger',
			what: `verify of ${rows} rows, against hashing the same bytes`,
			measured: `${ratio(times['verify'])} (${ms(times['verify']?.value)} / ${ms(times['hashing']?.value)})`,
			bar: '<= 3x',
			met: (times['verify']?.ratio ?? Infinity) <= 3,
		};
	} finally {
		db.close();
	}
}

function database(path: string): DatabaseSync {
	const db = new DatabaseSync(path);
	db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
	return db;
}

function entry(n: number): LedgerEntry {
	return {
		at: '2026-01-01T00:00:00.000Z',
		kind: n % 2 === 0 ? 'intent' : 'outcome',
		opId: `op_bench-${n}`,
		op: 'fs.read',
		trigger: 'agent:thr_bench',
		threadId: 'thr_bench',
		risk: 'SAFE',
		assessed: null,
		decision: 'allow (safe): reads inside the workspace',
		paramsHash: sha256(String(n)),
		input: 'Read note.txt',
		output: n % 2 === 0 ? null : `note.txt, lines 1 to 1 ${'x'.repeat(120)}`,
		status: n % 2 === 0 ? null : 'done',
		durationMs: n % 2 === 0 ? null : 1.5,
	};
}
