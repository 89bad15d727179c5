import assert from 'node:assert/strict';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { Outbox } from './outbox.ts';

const word = (text: string, messageId = 'm'): SessionUpdate => ({
	sessionUpdate: 'agent_message_chunk',
	messageId,
	content: { type: 'text', text },
});

describe('An outbox of updates', () => {
	it('holds few of 10,000 updates for an editor that does not read, and loses no word', async () => {
		const written: SessionUpdate[] = [];
		const reads = Promise.withResolvers<void>();
		const outbox = new Outbox(async (update) => {
			written.push(update);
			await reads.promise;
		});
		outbox.put({ sessionUpdate: 'tool_call', toolCallId: 'op', title: 'Run' });
		let most = 0;
		for (let n = 0; n < 2_500; n++) {
			outbox.put(word(`${n} `));
			outbox.put({ sessionUpdate: 'tool_call_update', toolCallId: 'op', title: `Run ${n}` });
			outbox.put({ sessionUpdate: 'usage_update', used: n, size: 10_000 });
			outbox.put({ sessionUpdate: 'plan', entries: [] });
			most = Math.max(most, outbox.size);
		}
		assert.ok(most <= 8, String(most));
		reads.resolve();
		await outbox.drained();
		const words = written.flatMap((each) =>
			each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text' ? [each.content.text] : [],
		);
		assert.equal(words.join(''), Array.from({ length: 2_500 }, (_, n) => `${n} `).join(''));
		const usage = written.findLast((each) => each.sessionUpdate === 'usage_update');
		assert.equal(usage?.used, 2_499);
		const call = written.findLast((each) => each.sessionUpdate === 'tool_call_update');
		assert.equal(call?.title, 'Run 2499');
	});

	it('keeps the order of words, calls and messages', async () => {
		const written: string[] = [];
		const outbox = new Outbox(async (update) => {
			written.push(`${update.sessionUpdate} ${'messageId' in update ? String(update.messageId) : ''}`.trim());
		});
		for (const update of [word('a', '1'), word('b', '1'), word('c', '2')]) outbox.put(update);
		outbox.put({ sessionUpdate: 'tool_call', toolCallId: 'op', title: 'Run' });
		outbox.put(word('d', '3'));
		await outbox.drained();
		assert.deepEqual(written, [
			'agent_message_chunk 1',
			'agent_message_chunk 1',
			'agent_message_chunk 2',
			'tool_call',
			'agent_message_chunk 3',
		]);
	});

	it('is empty once the editor has gone', async () => {
		const outbox = new Outbox(async () => await Promise.reject(new Error('gone')));
		outbox.put(word('a'));
		outbox.put({ sessionUpdate: 'plan', entries: [] });
		await outbox.drained();
		assert.equal(outbox.size, 0);
	});
});
