import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { computeEmbedding } from './embedding.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { MemoryStore } from './memory-store.ts';
import { Vectors } from './vectors.ts';

describe('Vectors of memories', () => {
	let db: Database;
	beforeEach(() => {
		({ db } = openMigratedDatabase(join(tempDir('home'), 'memory.db'), memoryMigrations));
	});
	afterEach(() => db.dispose());

	it('find as many as are asked for, the most similar first', () => {
		const store = new MemoryStore(db);
		for (const text of ['Deploy in the evening', 'Deploy the staging server', 'Deploy the staging server at night']) {
			store.note({ text, project: '/p', kind: 'fact', state: 'kept', by: 'user' });
		}
		assert.deepEqual(new Vectors(db).nearest(computeEmbedding('Deploy the staging server'), '/p', 2), [2, 3]);
	});
});
