/**
 * Benchmark of memory: the duration of a recall among very many memories, and the cost for a message where none are
 * kept.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryMigrations } from '../src/features/memory/memory-migrations.ts';
import { MemoryStore } from '../src/features/memory/memory-store.ts';
import { openMigratedDatabase } from '../src/store/open-database.ts';
import { memories, messages } from '../test/support/recall-set.ts';
import { pick, seeded } from '../test/support/seeded.ts';
import { type Figure, median } from './measure.ts';

const MEMORIES = 100_000;
const RECALLS = 60;
const BAR_MS = 150;

export function memoryFigures(): Promise<Figure[]> {
	const home = mkdtempSync(join(tmpdir(), 'prowess-bench-memory-'));
	const { db } = openMigratedDatabase(join(home, 'memory.db'), memoryMigrations);
	try {
		const store = new MemoryStore(db);
		const random = seeded(18);
		const words = [...new Set(Object.values(memories).flatMap((text) => text.split(' ')))];
		const note = (text: string) => store.note({ text, project: '/p', kind: 'fact', state: 'kept', by: 'user' });
		const ids = new Map(Object.entries(memories).map(([key, text]) => [note(text).id, key]));
		db.transaction('process', () => {
			for (let n = ids.size; n < MEMORIES; n += 1) {
				note(`${Array.from({ length: 9 }, () => pick(random, words)).join(' ')} ${n}`);
			}
		});
		const timed = (query: string) => {
			const from = performance.now();
			store.recall({ query, project: '/p', told: [] });
			return performance.now() - from;
		};
		const first = timed('the first recall reads all vectors');
		const times = Array.from({ length: RECALLS }, (_, at) => timed(messages[at % messages.length]?.[0] ?? ''));
		const usual = median(times);
		return Promise.resolve([
			{
				goal: 'memory',
				what: `recall over ${MEMORIES} memories, by words and similarity`,
				measured: `${usual.toFixed(1)} ms (slowest of ${RECALLS}: ${Math.max(...times).toFixed(1)} ms; the first: ${first.toFixed(0)} ms)`,
				bar: `<= ${BAR_MS} ms`,
				met: usual <= BAR_MS,
			},
			...quality(),
		]);
	} finally {
		db.dispose();
		rmSync(home, { recursive: true, force: true });
	}
}

/** Among the memories of one team. */
function quality(): Figure[] {
	const home = mkdtempSync(join(tmpdir(), 'prowess-bench-memory-'));
	const { db } = openMigratedDatabase(join(home, 'memory.db'), memoryMigrations);
	try {
		const store = new MemoryStore(db);
		const ids = new Map(
			Object.entries(memories).map(([key, text]) => [
				store.note({ text, project: '/p', kind: 'fact', state: 'kept', by: 'user' }).id,
				key,
			]),
		);
		const share = (halves: 'both' | 'words' | 'similarity') =>
			messages.filter(([query, wanted]) =>
				store.recall({ query, project: '/p', told: [] }, halves).some(({ id }) => ids.get(id) === wanted),
			).length / messages.length;
		const [both, byWords, bySimilarity] = [share('both'), share('words'), share('similarity')];
		const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
		return [
			{
				goal: 'memory',
				what: `recall@5 of ${messages.length} messages among ${ids.size} memories, our own set, English and German`,
				measured: `${percent(both)} (words alone ${percent(byWords)}, similarity alone ${percent(bySimilarity)})`,
				bar: 'above each half',
				met: both > byWords && both > bySimilarity,
			},
		];
	} finally {
		db.dispose();
		rmSync(home, { recursive: true, force: true });
	}
}
