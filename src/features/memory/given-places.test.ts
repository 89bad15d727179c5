import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { DIMENSIONS } from './embedding.ts';
import { GivenPlaces } from './given-places.ts';
import { memoryLimits } from './limits.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { MemoryStore } from './memory-store.ts';
import { MemoryWorker } from './memory-worker.ts';

describe('Places that a provider gives', () => {
	let path: string;
	let worker: MemoryWorker;
	beforeEach(() => {
		path = join(tempDir('home'), 'memory.db');
		worker = new MemoryWorker(new URL('worker.ts', import.meta.url), { path }, assert.fail);
	});
	afterEach(() => worker.close());

	it('are asked for no longer once they are closed, and nobody is warned', async () => {
		const { db } = openMigratedDatabase(path, memoryMigrations);
		const store = new MemoryStore(db);
		// Together, so that the disk is flushed once.
		db.transaction('process', () => {
			for (let n = 0; n <= memoryLimits.placedAtOnce; n += 1) {
				store.note({ text: `Step ${n}`, project: '/p', kind: 'fact', state: 'kept', by: 'user' });
			}
		});
		db.dispose();
		const rest = Promise.withResolvers<AbortSignal>();
		const warnings: string[] = [];
		const places = new GivenPlaces({
			worker,
			embeddings: {
				model: () => 'acme/places',
				embed({ texts }, signal) {
					if (texts.length > 1) return Promise.resolve(texts.map(() => new Int8Array(DIMENSIONS).fill(1)));
					rest.resolve(signal);
					return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
				},
			},
			log: { warn: (message) => void warnings.push(message) },
		});
		assert.equal((await places.of('Which step?', null))?.model, 'acme/places');
		const signal = await rest.promise;
		places.close();
		assert.equal(signal.aborted, true);
		await new Promise(setImmediate);
		assert.deepEqual(warnings, []);
	});
});
