import assert from 'node:assert/strict';
import { whatToDo } from './what-to-do.ts';

describe('Advice at a terminal', () => {
	it('names the limit that stopped a turn, and not another one', () => {
		assert.match(
			whatToDo({ code: 'ITERATION_LIMIT', facts: { max: 50 } }) ?? '',
			/raise prowess\.agent\.maxIterations/,
		);
		const ofMessage = whatToDo({ code: 'ITERATION_LIMIT', facts: { max: 3, ofMessage: 3 } }) ?? '';
		assert.match(ofMessage, /^To continue: "prowess run --thread ID continue"\. .*--rounds/);
		assert.doesNotMatch(ofMessage, /maxIterations/);
	});
});
