import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { newId } from '../../../protocol/rpc/ids.ts';
import type { ThreadItem } from '../../../protocol/thread/items.ts';
import { openMigratedDatabase } from '../../../store/open-database.ts';
import { threadMigrations } from '../../../store/threads/thread-migrations.ts';
import { ThreadStore } from '../../../store/threads/thread-store.ts';
import { otherThreads } from './other-threads.ts';

describe('another thread that was added to a message', () => {
	const at = '2026-11-20T12:00:00.000Z';
	const [threadId, turnId] = [newId('thr'), newId('trn')];

	it('is told by what was said and done in it, without thoughts and outputs', () => {
		const { db } = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations);
		const store = new ThreadStore(db, { owner: 'one', isAlive: () => true, now: () => 1 });
		store.create({ id: threadId, title: 'Sum', model_id: null, mode: 'agent', workspace: null, created_at: at });
		const items: ThreadItem[] = [
			{ id: newId('itm'), turnId, at, kind: 'user', text: 'Fix it', context: [{ kind: 'file', path: 'src/sum.ts' }] },
			{
				id: newId('itm'),
				turnId,
				at,
				kind: 'user',
				text: 'Push it',
				context: [],
				from: { id: newId('thr'), name: 'b' },
			},
			{ id: newId('itm'), turnId, at, kind: 'thinking', text: 'Hm', done: true },
			{ id: newId('itm'), turnId, at, kind: 'text', text: 'Fixed.', done: true },
		];
		const writer = store.lease(threadId);
		writer.startTurn({ id: turnId, modelId: 'a/b', startedAt: at });
		for (const item of items) {
			const body = JSON.stringify(item);
			writer.addItem({ id: item.id, turn_id: turnId, kind: item.kind, op_id: null, call_id: null, body }, undefined);
		}
		writer.release();
		const threads = otherThreads(store);
		assert.equal(
			threads.saidIn(threadId),
			'User: Fix it\n[added: src/sum.ts]\n\nAnother agent, not the user, "b": Push it\n\nAgent: Fixed.',
		);
		assert.equal(threads.saidIn(newId('thr')), undefined);
		db.dispose();
	});
});
