import assert from 'node:assert/strict';
import { mixWriters } from './mixed-writers.ts';

describe('An undo or a restore after random writers', function () {
	this.timeout(120_000);

	it('takes nothing of anybody else', async function () {
		if (process.platform === 'win32') this.skip();
		let restored = 0;
		for (const seed of [1, 2, 3, 4, 803_244_224]) restored += await mixWriters(seed);
		assert.ok(restored > 0);
	});
});
