import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { threadMigrations } from '../../store/threads/thread-migrations.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';
import { turnOfMessage } from './user-messages.ts';

describe('A message that is sent once more', () => {
	let db: Database;
	beforeEach(() => {
		({ db } = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations));
	});
	afterEach(() => db.dispose());

	it('is found by its id in its own thread, a new id names none, and that of anything else is refused', () => {
		const at = '2026-11-20T12:00:00.000Z';
		const [threadId, turnId, said, answer] = [newId('thr'), newId('trn'), newId('itm'), newId('itm')];
		const store = new ThreadStore(db, { owner: 'one', isAlive: () => true, now: () => 1 });
		store.create({ id: threadId, title: 'One', model_id: null, mode: 'agent', workspace: null, created_at: at });
		const writer = store.lease(threadId);
		writer.startTurn({ id: turnId, modelId: 'a/b', startedAt: at });
		for (const [id, kind] of [
			[said, 'user'],
			[answer, 'text'],
		] as const) {
			writer.addItem({ id, turn_id: turnId, kind, op_id: null, call_id: null, body: '{}' }, undefined);
		}
		assert.equal(turnOfMessage(store, threadId, said), turnId);
		assert.deepEqual(
			[undefined, newId('itm')].map((id) => turnOfMessage(store, threadId, id)),
			[undefined, undefined],
		);
		for (const [thread, messageId] of [
			[threadId, answer],
			[newId('thr'), said],
		] as const) {
			const facts = { threadId: thread, messageId };
			assert.throws(() => turnOfMessage(store, thread, messageId), { code: 'INVALID_PARAMS', facts });
		}
		writer.release();
	});
});
