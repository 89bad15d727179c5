/**
 * Benchmark of the code index: its duration, and the quality of each half of a search and of both together, by
 * questions about this project.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { indexMigrations } from '../src/features/code-index/index-migrations.ts';
import { runIndexJob } from '../src/features/code-index/index-job.ts';
import { IndexStore } from '../src/features/code-index/index-store.ts';
import { openMigratedDatabase } from '../src/store/open-database.ts';
import { codeQuestions } from '../test/support/code-questions.ts';
import { tempDir } from '../test/support/temp-dir.ts';
import { type Figure, median } from './measure.ts';

const AT = 5;

export function codeIndexFigures(): Promise<Figure[]> {
	const root = tempDir('bench-code');
	cpSync(join(import.meta.dirname, '../src'), join(root, 'src'), { recursive: true });
	const job = {
		database: join(tempDir('bench-home'), 'index.db'),
		root,
		usualEncoding: undefined,
		maxBytes: 1e9,
		limitMs: 1e6,
	};
	const first = timed(() => runIndexJob(job));
	const { files } = first.result;
	const searches = codeQuestions.map(
		([query]) => timed(() => runIndexJob({ ...job, find: { query, within: '', count: AT } })).ms,
	);
	const { db } = openMigratedDatabase(job.database, indexMigrations);
	try {
		const store = new IndexStore(db);
		const recall = (halves: 'both' | 'words' | 'similarity') =>
			codeQuestions.filter(([query, file]) => store.find(query, '', AT, halves).some(({ path }) => file.test(path)))
				.length / codeQuestions.length;
		const [both, words, similarity] = [recall('both'), recall('words'), recall('similarity')];
		const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
		return Promise.resolve([
			{
				goal: 'code index',
				what: `recall@${AT} of ${codeQuestions.length} questions among ${files} files, our own set, English and German`,
				measured: `${percent(both)}; by words ${percent(words)}, by likeness ${percent(similarity)}`,
				bar: 'above each half',
				met: both > words && both > similarity,
			},
			{
				goal: 'code index',
				what: `first index of ${files} files, and its size`,
				measured: `${first.ms.toFixed(0)} ms, ${(store.size / 1_048_576).toFixed(1)} MB`,
				bar: 'none',
				met: undefined,
			},
			{
				goal: 'code index',
				what: 'a search with a look at every file for changes',
				measured: `${median(searches).toFixed(0)} ms`,
				bar: 'none',
				met: undefined,
			},
		]);
	} finally {
		db.dispose();
	}
}

function timed<T>(work: () => T): { readonly result: T; readonly ms: number } {
	const began = performance.now();
	const result = work();
	return { result, ms: performance.now() - began };
}
