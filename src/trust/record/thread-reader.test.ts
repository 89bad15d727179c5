import assert from 'node:assert/strict';
import { join } from 'node:path';
import { cutOffWrite } from '../../../test/support/cut-off-write.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { ItemId, newId } from '../../protocol/rpc/ids.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { threadMigrations } from '../../store/threads/thread-migrations.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';
import { createThreadReader } from './thread-reader.ts';

const signal = new AbortController().signal;

describe('Threads that are read without a server', () => {
	let home: string;
	let db: Database;
	const threadId = newId('thr');
	const turnId = newId('trn');
	const itemIds = [newId('itm'), newId('itm')] as const;
	beforeEach(() => {
		home = tempDir();
		db = openMigratedDatabase(join(home, 'threads.db'), threadMigrations).db;
		const store = new ThreadStore(db, { owner: 'server', isAlive: () => true, now: () => 1 });
		store.create({
			id: threadId,
			title: 'One',
			model_id: 'm',
			mode: 'agent',
			workspace: null,
			created_at: '2026-01-01',
		});
		const writer = store.lease(threadId);
		writer.transaction('process', () => {
			writer.startTurn({ id: turnId, modelId: 'm', startedAt: 'now' });
			for (const [id, body] of [
				[itemIds[0], { id: itemIds[0], turnId, at: '2026-01-01', kind: 'user', text: 'Tell me', context: [] }],
				[itemIds[1], { id: itemIds[1], turnId, at: '2026-01-01', kind: 'text', text: 'Half of', done: false }],
			] as const) {
				const row = { id, turn_id: turnId, kind: body.kind, op_id: null, call_id: null, body: JSON.stringify(body) };
				writer.addItem(row, undefined);
			}
		});
	});
	afterEach(() => db.dispose());

	it('are refused when another version wrote them, and left as they are', async () => {
		db.exec(`PRAGMA user_version = ${threadMigrations.length + 1}`);
		const reader = createThreadReader(home);
		await assert.rejects(async () => reader.list({ limit: 10 }, signal), { code: 'STORE_UNAVAILABLE' });
	});

	it('are refused when there are none, and no file is made', async () => {
		const reader = createThreadReader(tempDir());
		await assert.rejects(async () => reader.list({ limit: 10 }, signal), { code: 'STORE_UNAVAILABLE' });
	});

	it('are there after a server was killed in the middle of writing', async () => {
		db.dispose();
		cutOffWrite(join(home, 'threads.db'));
		const { threads } = await createThreadReader(home).list({ limit: 10 }, signal);
		assert.deepEqual(
			threads.map(({ id }) => id),
			[threadId],
		);
		db = openMigratedDatabase(join(home, 'threads.db'), threadMigrations).db;
	});

	it('are not found when they are not there', async () => {
		const reader = createThreadReader(home);
		const open = async () => reader.open({ threadId: newId('thr'), items: 10 }, signal);
		await assert.rejects(open, { code: 'THREAD_NOT_FOUND' });
	});

	it('show what was written, with nothing that still runs', async () => {
		const reader = createThreadReader(home);
		const { threads } = await reader.list({ limit: 10 }, signal);
		assert.deepEqual(
			threads.map(({ title, running }) => [title, running]),
			[['One', false]],
		);
		const { items, earlier, turnId: running, info } = await reader.open({ threadId, items: 1 }, signal);
		assert.deepEqual(
			[info.running, running, earlier, items.map((item) => item.kind === 'text' && [item.text, item.done])],
			[false, null, 1, [['Half of', true]]],
		);
		const before = ItemId.parse(items[0]?.id);
		const older = await reader.earlier({ threadId, before, limit: 10 }, signal);
		assert.deepEqual([older.earlier, older.items.map(({ kind }) => kind)], [0, ['user']]);
	});
});
