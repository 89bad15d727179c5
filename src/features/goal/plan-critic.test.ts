import assert from 'node:assert/strict';
import { checkPlanSteps } from './plan-critic.ts';
import { readStep } from './plan-words.ts';

const plan = (...words: string[]) => words.map((each, at) => readStep(each, at + 1));

describe('The critic of a plan', () => {
	for (const [steps, problem] of [
		[[], /it has 0 steps/],
		[['1', '2', '3', '4', '5', '6', '7', '8', '9'], /it has 9 steps, expected 1 to 8/],
		[['a', ' '], /step 2 says nothing/],
		[['write it', 'Write it '], /step 2 says the same as step 1/],
		[['a (after 1)'], /step 1 waits for itself/],
		[['a', 'b (after 7)'], /step 2 waits for step 7, which is not there/],
		[['a (after 2)', 'b (after 1)'], /wait for each other/],
		[['x'.repeat(4_001)], /more than 4000 characters/],
	] as const) {
		it(`refuses ${JSON.stringify(steps).slice(0, 40)}`, () => {
			assert.throws(() => checkPlanSteps(plan(...steps)), { code: 'INVALID_PARAMS', message: problem });
		});
	}

	it('accepts eight steps, whatever the order in which they wait', () => {
		checkPlanSteps(plan('a (after 2)', 'b (after nothing)', 'c (after 1, 2)', 'd', 'e', 'f', 'g', 'h (after 3)'));
	});

	it('reads what a step waits for: the one before, unless it says so', () => {
		assert.deepEqual(plan('a', 'b', 'c (after 1)', 'd (after nothing)'), [
			{ text: 'a', after: [] },
			{ text: 'b', after: [1] },
			{ text: 'c', after: [1] },
			{ text: 'd', after: [] },
		]);
	});
});
