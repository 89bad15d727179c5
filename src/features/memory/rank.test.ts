import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { computeEmbedding } from './embedding.ts';
import { memoryMigrations } from './memory-migrations.ts';
import { MemoryStore } from './memory-store.ts';
import { fuseRankings } from './rank.ts';
import { Vectors } from './vectors.ts';

describe('Rankings of memories', () => {
	it('become one in which a number that two of them hold comes first', () => {
		const rankings = [
			{ numbers: [1, 2], weight: 1 },
			{ numbers: [3, 2], weight: 1 },
		];
		assert.deepEqual(fuseRankings(rankings), [2, 1, 3]);
	});

	it('by similarity hold as many as are asked for, the most similar first', () => {
		const { db } = openMigratedDatabase(join(tempDir('home'), 'memory.db'), memoryMigrations);
		const store = new MemoryStore(db);
		for (const text of ['Deploy in the evening', 'Deploy the staging server', 'Deploy the staging server at night']) {
			store.note({ text, project: '/p', kind: 'fact', state: 'kept', by: 'user' });
		}
		assert.deepEqual(new Vectors(db).nearest(computeEmbedding('Deploy the staging server'), '/p', 2), [2, 3]);
		db.dispose();
	});
});
