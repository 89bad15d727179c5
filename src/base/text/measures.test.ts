import assert from 'node:assert/strict';
import { durationText, sizeText } from './measures.ts';

describe('The size of a file', () => {
	it('is said in the unit that needs at most three digits', () => {
		assert.deepEqual([0, 999, 1000, 4_120, 9_960, 999_499, 999_500, 12_345_678, 5e12].map(sizeText), [
			'0 B',
			'999 B',
			'1.0 kB',
			'4.1 kB',
			'10 kB',
			'999 kB',
			'1.0 MB',
			'12 MB',
			'5000 GB',
		]);
	});
});

describe('A duration', () => {
	for (const [ms, text] of [
		[0, '0.0 s'],
		[449, '0.4 s'],
		[9_999, '9.9 s'],
		[10_000, '10 s'],
		[59_999, '59 s'],
		[185_000, '3:05 min'],
		[3_727_000, '1:02:07 h'],
	] as const) {
		it(`of ${ms} ms is shown as ${text}`, () => {
			assert.equal(durationText(ms), text);
		});
	}
});
