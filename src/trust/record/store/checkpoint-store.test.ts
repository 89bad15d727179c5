import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { CHECKPOINT_SCHEMA, CheckpointStore } from './checkpoint-store.ts';
import { EXECUTION_IMAGE_DAYS } from './limits.ts';

describe('CheckpointStore', () => {
	it('drops what an execution changed too long ago, and nothing of a thread', () => {
		const db = new DatabaseSync(':memory:');
		try {
			db.exec(CHECKPOINT_SCHEMA);
			const first = new CheckpointStore(db);
			for (const owner of ['cap_1_aaaaaaaa', 'cap_2_bbbbbbbb', 'thr_1']) {
				first.keepBefore({ owner, path: 'a', absolutePath: '/w/a', before: `before ${owner}` });
			}
			const old = new Date(Date.now() - (EXECUTION_IMAGE_DAYS + 1) * 86_400_000).toISOString();
			db.prepare('UPDATE changes SET at = ? WHERE threadId <> ?').run(old, 'cap_2_bbbbbbbb');
			const store = new CheckpointStore(db);
			assert.deepEqual(
				store.changedByExecutions(10).map(({ executionId }) => executionId),
				['cap_2_bbbbbbbb'],
			);
			assert.deepEqual(
				['cap_1_aaaaaaaa', 'cap_2_bbbbbbbb', 'thr_1'].map((owner) => store.changedFiles(owner)[0]?.before),
				[undefined, 'before cap_2_bbbbbbbb', 'before thr_1'],
			);
			assert.equal(db.prepare('SELECT count(*) AS n FROM texts').get()?.['n'], 2);
		} finally {
			db.close();
		}
	});
});
