import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { addThreadCopy, readThreadRows, writeThreadRows } from './thread-rows.ts';

describe('A copy of the rows of a thread', () => {
	it('has ids of its own, and every other word as it was', () => {
		const [threadId, turnId, itemId, other] = [newId('thr'), newId('trn'), newId('itm'), newId('thr')];
		const said = (of: string) => JSON.stringify({ text: `Use img_logo-dark and trn_table of ${other}, not ${of}` });
		const at = new Date(0).toISOString();
		const thread_id = threadId;
		const home = tempDir('thread-rows');
		writeThreadRows(home, {
			threads: [{ id: threadId, title: 'One', mode: 'agent', created_at: at, updated_at: at }],
			turns: [{ id: turnId, thread_id, position: 0, status: 'done', model_id: 'm', started_at: at }],
			items: [{ id: itemId, thread_id, turn_id: turnId, position: 0, kind: 'text', body: said(itemId) }],
			messages: [{ thread_id, position: 0, turn_id: turnId, body: said(threadId) }],
		});
		const copy = newId('thr');
		addThreadCopy(home, readThreadRows(home, threadId), threadId, {
			id: copy,
			title: (title) => `${title} (step 2)`,
			workspace: home,
		});
		const { threads, turns, items, messages } = readThreadRows(home, copy);
		assert.deepEqual([threads?.[0]?.['title'], threads?.[0]?.['workspace']], ['One (step 2)', home]);
		assert.equal(messages?.[0]?.['body'], said(copy));
		const item = items?.[0]?.['id'];
		assert.ok(typeof item === 'string' && item !== itemId);
		assert.equal(items?.[0]?.['body'], said(item));
		assert.deepEqual([items?.[0]?.['turn_id'], messages?.[0]?.['turn_id']], [turns?.[0]?.['id'], turns?.[0]?.['id']]);
		assert.notEqual(turns?.[0]?.['id'], turnId);
	});
});
