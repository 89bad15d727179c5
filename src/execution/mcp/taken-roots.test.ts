import assert from 'node:assert/strict';
import { ROOTS_MS } from './limits.ts';
import { TakenRoots } from './taken-roots.ts';

describe('The time to take the folders of the workspace', () => {
	it('is none for a server that has not asked for them', () => {
		const roots = new TakenRoots();
		assert.deepEqual([roots.use(1_000), roots.use(1_002)], [0, 0]);
	});

	it('is given to the next call of one that asks first in the course of a call, which is said once', () => {
		const roots = new TakenRoots();
		assert.deepEqual([roots.use(1_000), roots.takeLate()], [0, false]);
		roots.given(1_001);
		assert.deepEqual([roots.takeLate(), roots.takeLate(), roots.use(1_002)], [true, false, ROOTS_MS - 1]);
		roots.given(1_003);
		assert.deepEqual([roots.takeLate(), roots.use(1_001 + ROOTS_MS)], [false, 0]);
	});

	it('begins with each answer before the first call, and runs out for all calls', () => {
		const roots = new TakenRoots();
		roots.given(1_000);
		roots.given(1_100);
		assert.deepEqual([roots.use(1_100), roots.use(1_200), roots.use(1_100 + ROOTS_MS)], [ROOTS_MS, ROOTS_MS - 100, 0]);
	});
});
