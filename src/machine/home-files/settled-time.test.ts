import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type ClockLooks, nextLooks, noteLook } from './settled-time.ts';

const DAY_MS = 86_400_000;

describe('The time to delete old things by', () => {
	/** Days by the clock, one look after the other, and the time to delete by after each. */
	const rows: readonly (readonly [what: string, looks: readonly number[], settled: readonly (number | undefined)[]])[] =
		[
			[
				'is none at the first look, however often it is looked that day',
				[0, 0.1, 0.9],
				[undefined, undefined, undefined],
			],
			['is the look of a day before', [0, 1, 1.5, 2, 3.5], [undefined, 0, 0, 1, 2]],
			['is the last look before a long rest', [0, 1, 60, 60.5], [undefined, 0, 1, 1]],
			[
				'ignores a clock that jumps ahead and is put right within a day',
				[0, 1, 2, 2000, 2000.9, 2.1, 3.1],
				[undefined, 0, 1, 2, 2, 2, 2.1],
			],
			['is that of before while a clock is ahead for less than a day', [0, 1, 900, 900.5], [undefined, 0, 1, 1]],
			['forgets looks of a clock that was ahead', [1000, 1001, 5, 5.5, 6], [undefined, 1000, undefined, undefined, 5]],
		];
	for (const [what, days, settled] of rows) {
		it(what, () => {
			let looks: ClockLooks = {};
			const seen = days.map((day) => {
				looks = nextLooks(looks, day * DAY_MS);
				return looks.settled === undefined ? undefined : looks.settled / DAY_MS;
			});
			assert.deepEqual(seen, settled);
		});
	}

	it('is noted in the home, and none after a note that is damaged', async () => {
		const home = tempDir('looks');
		const path = join(home, 'clock-looks.json');
		assert.equal(await noteLook(home), undefined);
		const first = readFileSync(path, 'utf8');
		assert.equal(await noteLook(home), undefined);
		assert.equal(readFileSync(path, 'utf8'), first);
		const earlier = Date.now() - 2 * DAY_MS;
		writeFileSync(path, JSON.stringify({ pending: earlier }));
		assert.equal(await noteLook(home), earlier);
		assert.equal(await noteLook(home), earlier);
		writeFileSync(path, '{"pending":"x"');
		assert.equal(await noteLook(home), undefined);
	});
});
