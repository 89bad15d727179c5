/** Reading long threads from the store: G11. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/store/open-database.ts';
import { threadMigrations } from '../src/store/threads/thread-migrations.ts';
import { ThreadStore } from '../src/store/threads/thread-store.ts';
import { type Figure, median } from './measure.ts';

const ITEMS = 100_000;
const READS = 500;
const TURNS = 20_000;
const TURN_READS = 20;

export async function storeFigures(): Promise<Figure[]> {
	const place = mkdtempSync(join(tmpdir(), 'prowess-bench-'));
	const { db } = openDatabase(join(place, 'threads.db'), threadMigrations);
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
		];
	} finally {
		db.dispose();
		rmSync(place, { recursive: true, force: true });
	}
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

function fill(store: ThreadStore): void {
	store.create({
		id: 'thr_bench',
		title: 'Bench',
		model_id: null,
		mode: 'agent',
		workspace: null,
		created_at: new Date().toISOString(),
	});
	const writer = store.lease('thr_bench');
	writer.transaction('process', () => {
		for (let i = 0; i < TURNS; i += 1) {
			const startedAt = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
			writer.startTurn({ id: `trn_${i}`, modelId: 'bench', startedAt });
			writer.traceTurn(`trn_${i}`, '-'.repeat(2_000));
		}
		for (let i = 0; i < ITEMS; i += 1) {
			const body = JSON.stringify({
				id: `itm_${i}`,
				kind: 'text',
				text: `Item ${i}. ${'words of an answer '.repeat(20)}`,
				done: true,
			});
			writer.addItem(
				{ id: `itm_${i}`, turn_id: `trn_${i >> 4}`, kind: 'text', op_id: null, call_id: null, body },
				undefined,
			);
		}
	});
	writer.release();
}
