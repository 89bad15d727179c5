/** Reading long threads from the store, G11, how durable a commit is, G10, and how large the file becomes where threads go. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigratedDatabase } from '../src/store/open-database.ts';
import { threadMigrations } from '../src/store/threads/thread-migrations.ts';
import { ThreadStore } from '../src/store/threads/thread-store.ts';
import { type Figure, median, ms, paired, ratio } from './measure.ts';

const ITEMS = 100_000;
const READS = 500;
const TURNS = 20_000;
const TURN_READS = 20;
const COMMITS = 40;
const KEPT_THREADS = 1_000;
const ROUNDS = 9;
const THREAD = {
	title: 'Bench',
	model_id: null,
	mode: 'agent',
	workspace: null,
	created_at: new Date().toISOString(),
} as const;

export async function storeFigures(): Promise<Figure[]> {
	const place = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const { db } = openMigratedDatabase(join(place, 'threads.db'), threadMigrations);
	try {
		const store = new ThreadStore(db, { owner: 'bench', isAlive: () => true, now: () => Date.now() });
		fill(store);
		const times = Array.from({ length: READS }, () => {
			const before = performance.now();
			store.lastItems('thr_bench', 50);
			return performance.now() - before;
		});
		const took = median(times);
		const latest = () => medianOf(() => store.latestTurns(undefined, 20));
		const withIndex = latest();
		db.exec('DROP INDEX turns_by_start');
		const withoutIndex = latest();
		return [
			await durable(place, store),
			{
				goal: 'G11',
				what: `last 50 of a thread of ${ITEMS} items`,
				measured: `${took.toFixed(3)} ms`,
				bar: '<= 0.1 ms',
				met: took <= 0.1,
			},
			{
				goal: 'store',
				what: `latest 20 of ${TURNS} turns of all threads, against the same without their index`,
				measured: `1/${Math.round(withoutIndex / withIndex)} (${withIndex.toFixed(3)} ms / ${withoutIndex.toFixed(1)} ms)`,
				bar: '<= 1/10',
				met: withIndex * 10 <= withoutIndex,
			},
			growth(place),
		];
	} finally {
		db.dispose();
		rmSync(place, { recursive: true, force: true });
	}
}

/**
 * Measures the durable write at the end of a turn, which is on the disk before anybody is told. The bare comparison
 * writes as many bytes and waits for the disk.
 */
async function durable(place: string, store: ThreadStore): Promise<Figure> {
	store.create({ ...THREAD, id: 'thr_durable' });
	const writer = store.lease('thr_durable');
	const file = openSync(join(place, 'bare'), 'a');
	const bytes = Buffer.alloc(400, 'x');
	let n = 0;
	try {
		const times = await paired(ROUNDS, {
			bare: () =>
				timed(() => {
					writeSync(file, bytes);
					fdatasyncSync(file);
				}),
			commit: () =>
				timed(() => {
					n += 1;
					writer.transaction('power', () => writer.addItem(item(n, 'trn_durable'), undefined));
				}),
		});
		return {
			goal: 'G10',
			what: 'durable commit of an item to a thread, against an append of 400 bytes and fdatasync',
			measured: `${ratio(times['commit'])} (${ms(times['commit']?.value)} / ${ms(times['bare']?.value)})`,
			bar: '<= 2.5x',
			met: (times['commit']?.ratio ?? Infinity) <= 2.5,
		};
	} finally {
		closeSync(file);
		writer.release();
	}
}

function timed(work: () => void): Promise<number> {
	const before = performance.now();
	for (let n = 0; n < COMMITS; n += 1) work();
	return Promise.resolve((performance.now() - before) / COMMITS);
}

function medianOf(read: () => unknown): number {
	return median(
		Array.from({ length: TURN_READS }, () => {
			const before = performance.now();
			read();
			return performance.now() - before;
		}),
	);
}

function item(n: number, turnId: string) {
	const id = `itm_${turnId === 'trn_durable' ? 'd' : ''}${n}`;
	const body = JSON.stringify({ id, kind: 'text', text: `Item ${n}. ${'words of an answer '.repeat(20)}`, done: true });
	return { id, turn_id: turnId, kind: 'text', op_id: null, call_id: null, body } as const;
}

function fill(store: ThreadStore): void {
	store.create({ ...THREAD, id: 'thr_bench' });
	const writer = store.lease('thr_bench');
	writer.transaction('process', () => {
		for (let i = 0; i < TURNS; i += 1) {
			const startedAt = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
			writer.startTurn({ id: `trn_${i}`, modelId: 'bench', startedAt });
			writer.traceTurn(`trn_${i}`, '-'.repeat(2_000));
		}
		for (let i = 0; i < ITEMS; i += 1) {
			writer.addItem(item(i, `trn_${i >> 4}`), undefined);
		}
	});
	writer.release();
}

/** Compares the file after four times as many threads as are kept, with and without that they go. */
function growth(place: string): Figure {
	const bytes = (threads: number, isTrimmed: boolean) => {
		const path = join(place, `${threads}-${isTrimmed}.db`);
		const { db } = openMigratedDatabase(path, threadMigrations);
		const store = new ThreadStore(db, { owner: 'bench', isAlive: () => true, now: () => Date.now() });
		const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
		for (let n = 0; n < threads; n += 1) {
			store.create({ ...THREAD, id: `thr_${n}`, created_at: at(n) });
			const writer = store.lease(`thr_${n}`);
			writer.transaction('process', () => {
				writer.startTurn({ id: `trn_${n}`, modelId: 'bench', startedAt: at(n) });
				writer.traceTurn(`trn_${n}`, '-'.repeat(4_000));
				for (let i = 0; i < 4; i += 1) writer.addItem(item(n * 4 + i, `trn_${n}`), 'words of a question');
				writer.endTurn({ id: `trn_${n}`, status: 'completed', endedAt: at(n), error: null });
			});
			writer.release();
			const going = isTrimmed && n % 50 === 0 ? store.unused(at(n - KEPT_THREADS), 'workspace', null, 50) : [];
			for (const id of going) store.lease(id).delete();
		}
		db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		db.dispose();
		return statSync(path).size;
	};
	const [kept, all, few] = [bytes(4 * KEPT_THREADS, true), bytes(4 * KEPT_THREADS, false), bytes(KEPT_THREADS, false)];
	const times = (size: number) => `${(size / few).toFixed(2)}x`;
	return {
		goal: 'store',
		what: `file after ${4 * KEPT_THREADS} turns, each a thread, of which the latest ${KEPT_THREADS} are kept, against ${KEPT_THREADS}`,
		measured: `${times(kept)} (all kept: ${times(all)}; ${(few / 1e6).toFixed(1)} MB)`,
		bar: '<= 1.2x',
		met: kept <= 1.2 * few,
	};
}
