import assert from 'node:assert/strict';
import { keepWords } from './kept-words.ts';

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
