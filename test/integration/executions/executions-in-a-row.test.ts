import assert from 'node:assert/strict';
import { atOnce, inARow, left } from './executions-in-a-row.ts';

describe('Many executions', function () {
	this.timeout(240_000);

	it('at once have one result each, and leave nothing', async () => {
		await atOnce(40);
	});

	it('one after the other leave no process, no folder and no descriptor', async () => {
		await inARow(6);
		const before = left().descriptors;
		await inARow(14);
		assert.ok(left().descriptors <= before + 2, `${left().descriptors} descriptors, ${before} before`);
	});
});
