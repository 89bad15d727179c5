import assert from 'node:assert/strict';
import { sizeText } from './size-text.ts';

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
