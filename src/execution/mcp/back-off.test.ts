import assert from 'node:assert/strict';
import { BackOff } from './back-off.ts';

describe('The waiting time after failed starts', () => {
	it('doubles up to a minute, runs out, and is gone once one works', () => {
		const backOff = new BackOff();
		const waits: number[] = [];
		for (let failures = 0; failures < 8; failures++) {
			backOff.failed(1_000);
			waits.push(backOff.leftMs(1_000));
		}
		assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
		assert.equal(backOff.leftMs(61_000), 0);
		backOff.reset();
		assert.equal(backOff.leftMs(1_000), 0);
	});
});
