import assert from 'node:assert/strict';
import { ROOTS_MS } from './limits.ts';
import { TakenRoots } from './taken-roots.ts';

describe('The time to take the folders of the workspace', () => {
	it('is none for a server that has not asked for them, or asks in the course of a call', () => {
		const roots = new TakenRoots();
		assert.equal(roots.use(1_000), 0);
		roots.given(1_001);
		assert.equal(roots.use(1_002), 0);
	});

	it('begins with each answer before the first call, and runs out for all calls', () => {
		const roots = new TakenRoots();
		roots.given(1_000);
		roots.given(1_100);
		assert.deepEqual([roots.use(1_100), roots.use(1_200), roots.use(1_100 + ROOTS_MS)], [ROOTS_MS, ROOTS_MS - 100, 0]);
	});
});
