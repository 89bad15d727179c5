import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sendCutHistories } from './cut-histories.ts';

const fewest = 5;

describe('A thread that was cut', function () {
	this.timeout(60_000);

	it('is one that every vendor takes, whatever is in it and wherever it was cut: 300 of them', async () => {
		const cuts = await sendCutHistories(300, 14);
		for (const [way, count] of Object.entries(cuts)) {
			assert.ok(count >= fewest, `${way}: ${count}`);
		}
	});
});
