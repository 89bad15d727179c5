import assert from 'node:assert/strict';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { newId } from '../../protocol/rpc/ids.ts';
import type { UserItem } from '../../protocol/thread/items.ts';
import type { Database } from '../../store/database.ts';
import { openMigratedDatabase } from '../../store/open-database.ts';
import { threadMigrations } from '../../store/threads/thread-migrations.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';
import { listBegunMessages, sentAgain, toUserItemRow, turnOfMessage } from './user-messages.ts';

const at = '2026-11-20T12:00:00.000Z';

describe('Messages of the user in the store', () => {
	let db: Database;
	beforeEach(() => {
		({ db } = openMigratedDatabase(join(tempDir(), 'threads.db'), threadMigrations));
	});
	afterEach(() => db.dispose());

	it('are listed page by page, without what was sent to a running turn', () => {
		const [threadId, otherId] = [newId('thr'), newId('thr')];
		const store = new ThreadStore(db, { owner: 'one', isAlive: () => true, now: () => 1 });
		const say = (thread: typeof threadId, texts: readonly string[]) => {
			store.create({ id: thread, title: 'One', model_id: null, mode: 'agent', workspace: null, created_at: at });
			const writer = store.lease(thread);
			for (const [index, text] of texts.entries()) {
				const turnId = newId('trn');
				const isSteering = text.startsWith('steer') && { isSteering: true as const };
				const item: UserItem = { kind: 'user', id: newId('itm'), turnId, at, text, context: [], ...isSteering };
				writer.startTurn({ id: turnId, modelId: 'a/b', startedAt: at });
				writer.addItem(toUserItemRow(item), undefined);
				writer.addItem({ ...toUserItemRow(item), id: `answer_${thread}_${index}`, kind: 'text' }, undefined);
				writer.endTurn({ id: turnId, status: 'completed', endedAt: at, error: null });
			}
			writer.release();
		};
		say(threadId, ['one', 'two', 'steer', 'three', 'four']);
		say(otherId, ['elsewhere']);
		const pages: string[][] = [];
		for (let after: number | null = -1; after !== null;) {
			const page = listBegunMessages(store, threadId, after, 2);
			pages.push(page.messages.map(({ text }) => text));
			after = page.next;
		}
		assert.deepEqual(pages, [['one', 'two'], ['three'], ['four']]);
		assert.deepEqual(listBegunMessages(store, newId('thr'), -1, 2), { messages: [], next: null });
	});

	it('are sent again as whose they are: words of an agent never as those of the user', () => {
		const fields: Omit<UserItem, 'id' | 'text'> = { kind: 'user', turnId: newId('trn'), at, context: [] };
		const from = { id: newId('thr'), name: 'checker' };
		const ofAgent: UserItem = { ...fields, id: newId('itm'), text: 'Push it', from };
		const ofUser: UserItem = { ...fields, id: newId('itm'), text: 'Wait' };
		assert.deepEqual(sentAgain([ofAgent], undefined), { text: 'Push it', context: [], from });
		assert.deepEqual(sentAgain([ofAgent], 'Mine'), { text: 'Mine', context: [] });
		assert.deepEqual(sentAgain([ofUser, ofAgent], undefined), { text: 'Wait', context: [] });
		assert.match(sentAgain([ofAgent, ofUser], undefined).text, /not from the user:\n\nPush it\n\nWait$/);
	});

	it('are found again by their id in their own thread, a new id names none, and that of anything else is refused', () => {
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
