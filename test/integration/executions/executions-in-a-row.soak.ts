import assert from 'node:assert/strict';
import { atOnce, inARow, type Left } from './executions-in-a-row.ts';

describe('Very many executions', function () {
	this.timeout(1_800_000);

	it('at once: a hundred have one result each, and leave nothing', async () => {
		await atOnce(100);
	});

	it('one after the other: a thousand leave no process, no folder, no descriptor and no memory', async () => {
		const rounds: Left[] = [];
		await inARow(1_000, (now) => rounds.push(now));
		const [, early] = rounds;
		const late = rounds.at(-1);
		assert.ok(early !== undefined && late !== undefined);
		assert.ok(late.descriptors <= early.descriptors + 4, `${early.descriptors} descriptors, then ${late.descriptors}`);
		assert.ok(late.heapMb < early.heapMb + 20, `${early.heapMb} MB of heap, then ${late.heapMb}`);
	});
});
