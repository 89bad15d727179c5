import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertValidHistory, histories } from '../../../test/support/histories.ts';
import { storedAt } from './messages.ts';
import { keepWords, leavingUpTo, standIn } from './pinned-head.ts';
import { repairHistory } from './repair.ts';

const budget = 4_000;

describe('What the user said in what is left out', () => {
	it('stays whole while it fits', () => {
		const words = ['Build the shop.', 'Use euros.', 'Now the tests.'];
		assert.deepEqual(keepWords(words, budget), { kept: words, left: [] });
		assert.deepEqual(keepWords([], budget), { kept: [], left: [] });
	});

	it('leaves by much once it no longer fits, but for the task and the newest', () => {
		let words: readonly string[] = ['Build the shop.'];
		const leavings: number[] = [];
		for (let n = 1; n <= 1_000; n += 1) {
			const said = [...words, `Question ${n}?`];
			const { kept, left } = keepWords(said, budget);
			assert.equal(kept[0], 'Build the shop.');
			assert.equal(kept.at(-1), `Question ${n}?`);
			assert.deepEqual([kept[0], ...left, ...kept.slice(1)], said);
			leavings.push(...(left.length === 0 ? [] : [left.length]));
			words = kept;
		}
		assert.ok(Math.min(...leavings) > 30, `${leavings.join(', ')} left at once`);
	});

	it('gives a long task and a long last message half of the room each', () => {
		const { kept } = keepWords(['a'.repeat(9_000), 'Use euros.', 'b'.repeat(9_000)], budget);
		assert.deepEqual(
			kept.map((text) => text.length),
			[1_500, 1_500],
		);
	});
});

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
