import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertValidHistory, histories } from '../../../test/support/histories.ts';
import { leavingUpTo, standIn } from './compaction.ts';
import { repairHistory } from './repair.ts';
import { storedAt } from './stored-position.ts';

describe('A conversation that messages have left', () => {
	it('is accepted by every provider, wherever it was cut, and cut again', () => {
		fc.assert(
			fc.property(histories, fc.nat(20), fc.nat(20), (messages, at, again) => {
				messages.forEach((message, index) => storedAt(message, index));
				const once = cutAt(repairHistory(messages), at);
				assertValidHistory(once);
				assert.deepEqual(repairHistory(once), once);
				assertValidHistory(cutAt(once, again));
			}),
			{ numRuns: 1_000 },
		);
	});

	it('counts what has left and keeps the words of all of it, however often it is cut', () => {
		let messages = repairHistory(
			Array.from({ length: 9 }, (_, n) => [
				storedAt({ role: 'user' as const, text: `Question ${n}` }, 2 * n),
				storedAt({ role: 'assistant' as const, parts: [{ kind: 'text' as const, text: `Answer ${n}` }] }, 2 * n + 1),
			]).flat(),
		);
		for (const at of [4, 6, 6]) {
			messages = cutAt(messages, at);
		}
		const [head] = messages;
		assert.ok(head?.role === 'user' && head.leftOut !== undefined);
		const { words, messages: count } = head.leftOut;
		assert.deepEqual(
			words,
			Array.from({ length: 6 }, (_, n) => `Question ${n}`),
		);
		assert.equal(count, 12);
		assert.ok(messages.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant')));
	});
});

function cutAt(messages: ReturnType<typeof repairHistory>, at: number): ReturnType<typeof repairHistory> {
	const leaving = leavingUpTo(messages, at);
	return leaving === undefined ? messages : [...standIn(leaving, 4_000), ...messages.slice(leaving.messages.length)];
}
