import assert from 'node:assert/strict';
import { newId } from '../rpc/ids.ts';
import { type KeptMessage, readTypedInput, type TypedInput, mergeTypedInput } from './typed-input.ts';

describe('what was typed and not sent', () => {
	const threadId = newId('thr');
	const none: TypedInput = { drafts: {}, queues: {} };
	const message = (text: string): KeptMessage => ({ id: newId('itm'), text, refs: [] });

	it('is read as it was kept, without what is no draft and no message', () => {
		for (const garbage of [undefined, null, 7, 'x', [], { drafts: 1, queues: null }, { drafts: { a: 1, c: {} } }]) {
			assert.deepEqual(readTypedInput(garbage), none);
		}
		const refs = [{ kind: 'file', path: 'a.ts' }];
		const kept = {
			drafts: { new: { text: 'x', refs }, other: { text: 'y', refs: [{ kind: 'x' }] }, bad: { text: 3 } },
			queues: { [threadId]: [message('one'), 3, null], other: [message('of no thread')], [newId('thr')]: 'x' },
		};
		const { drafts, queues } = readTypedInput(JSON.parse(JSON.stringify(kept)));
		assert.deepEqual(drafts, { new: { text: 'x', refs }, other: { text: 'y', refs: [] } });
		assert.deepEqual(queues, { [threadId]: [kept.queues[threadId]?.[0]] });
	});

	it('gives a message of an older version an id, and forgets that one was on its way', () => {
		const [sent, old] = [message('sent'), { text: 'old', refs: [] }];
		const { queues } = readTypedInput({ queues: { [threadId]: [old, { ...sent, isSending: true }] } });
		assert.match(queues[threadId]?.[0]?.id ?? '', /^itm_/);
		assert.deepEqual(queues[threadId]?.[1], sent);
	});

	it('takes changes of some threads, and drops what became empty', () => {
		const first = mergeTypedInput(none, {
			drafts: { new: { text: 'a', refs: [] }, [threadId]: { text: 'b', refs: [] } },
			queues: { [threadId]: [message('waits')] },
		});
		const then = mergeTypedInput(first, { drafts: { new: { text: '', refs: [] } }, queues: {} });
		assert.deepEqual(then, { ...first, drafts: { [threadId]: { text: 'b', refs: [] } } });
		assert.deepEqual(mergeTypedInput(then, { drafts: {}, queues: { [threadId]: [] } }).queues, {});
	});

	it('keeps the newest of too many', () => {
		const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`t${n}`, { text: String(n), refs: [] }]));
		const { drafts } = mergeTypedInput(
			{ drafts: many, queues: {} },
			{ drafts: { t3: { text: 'now', refs: [] } }, queues: {} },
		);
		assert.equal(Object.keys(drafts).length, 50);
		assert.equal(drafts['t3']?.text, 'now');
		assert.equal(drafts['t4'], undefined);
	});
});
