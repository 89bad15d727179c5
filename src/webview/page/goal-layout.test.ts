import assert from 'node:assert/strict';
import { layOut } from './goal-layout.ts';

const step = (number: number, ...after: number[]) => ({ number, after });

describe('The layout of a goal', () => {
	it('comes to an end for steps that wait for each other, and for steps that are not there', () => {
		assert.equal(layOut([step(1, 2), step(2, 1), step(3, 9)]).length, 3);
	});

	it('has a step right of all that it waits for, and those that wait for the same below each other', () => {
		assert.deepEqual(layOut([step(1), step(2, 1), step(3, 1), step(4, 2, 3), step(5)]), [
			{ number: 1, column: 0, row: 0 },
			{ number: 2, column: 1, row: 0 },
			{ number: 3, column: 1, row: 1 },
			{ number: 4, column: 2, row: 0 },
			{ number: 5, column: 0, row: 1 },
		]);
	});
});
