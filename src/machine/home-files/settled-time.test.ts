import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type ClockLooks, nextLooks, noteLook } from './settled-time.ts';

const DAY_MS = 86_400_000;
const WEEK = [0, 1, 2, 3, 4, 5, 6];
const NONE = WEEK.map(() => undefined);

describe('The time to delete old things by', () => {
	/** Days by the clock, one look after the other, and the time to delete by after each. */
	const rows: readonly (readonly [what: string, looks: readonly number[], settled: readonly (number | undefined)[]])[] =
		[
			[
				'is none in the first week, however often it is looked each day',
				[0, 0.1, 0.9, 1, 2, 3, 4, 5, 6],
				Array.from({ length: 9 }, () => undefined),
			],
			['is the look of a week before', [...WEEK, 7, 7.5, 8, 9.5], [...NONE, 0, 0, 1, 2]],
			[
				'stays at the last week before a long rest until it is looked for a week again',
				[...WEEK, 7, 60, 60.5],
				[...NONE, 0, 1, 1],
			],
			[
				'ignores a clock that is ahead for less than a week of looks',
				[...WEEK, 7, 2000, 2001, 2002, 2003, 2004, 2005, 8],
				[...NONE, 0, 1, 2, 3, 4, 5, 6, 6],
			],
		];
	for (const [what, days, settled] of rows) {
		it(what, () => {
			let looks: ClockLooks = { pending: [] };
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
		const days = [9, 7, 6, 5, 4, 3, 2].map((each) => Date.now() - each * DAY_MS);
		writeFileSync(path, JSON.stringify({ pending: days }));
		assert.equal(await noteLook(home), days[0]);
		assert.equal(await noteLook(home), days[0]);
		writeFileSync(path, '{"pending":"x"');
		assert.equal(await noteLook(home), undefined);
	});
});
