import assert from 'node:assert/strict';
import type { ThreadMessage } from '../../../protocol/execution/execution.ts';
import type { ContextWish } from '../../../protocol/capability/manifest.ts';
import { Redactor } from '../../../trust/record/redaction/redactor.ts';
import { messagesFor } from './thread-context.ts';

const message = (content: string, at = 0): ThreadMessage => ({
	messageId: `m${at}`,
	threadId: 't',
	content,
	sender: 'user',
	timestamp: '2026-01-01T00:00:00.000Z',
});
const told = (messages: readonly ThreadMessage[], wish: ContextWish = 'full') =>
	messagesFor(messages, wish, new Redactor());

describe('What an executor is told of a thread', () => {
	it('is nothing when nothing was said', () => assert.deepEqual(told([]), []));

	it('is the newest 50 messages, in their order', () => {
		const all = Array.from({ length: 60 }, (_, at) => message(`text ${at}`, at));
		assert.deepEqual(told(all), all.slice(10));
	});

	it('is the last one or none, when the capability wants no more', () => {
		const all = [message('first', 1), message('last', 2)];
		assert.deepEqual([told(all, 'last'), told(all, 'none')], [[all[1]], []]);
	});

	it('ends at the first message that is too long for the rest, also when an older one would fit', () => {
		const all = [message('short', 1), message('x'.repeat(40_000), 2), message('short', 3)];
		assert.deepEqual(told(all), [all[2]]);
	});

	it('is the beginning of the newest message when that alone is too long', () => {
		const [only, ...more] = told([message('old'), { ...message('ä'.repeat(40_000)), payload: 'x' }]);
		assert.deepEqual(more, []);
		assert.match(only?.content ?? '', /^ä+ \[…\]$/);
		assert.ok(Buffer.byteLength(only?.content ?? '') < 32_100);
		assert.equal(only?.payload, undefined);
	});

	it('holds no secret, also not in what comes with a message', () => {
		const secret = `sk-ant-${'a1B2'.repeat(12)}`;
		assert.doesNotMatch(JSON.stringify(told([{ ...message(secret), payload: { deep: [secret] } }])), /a1B2a1B2/);
	});
});
