import assert from 'node:assert/strict';
import { cleanReport, MAX_REPORT_CHARS } from './clean-report.ts';

describe('A report of progress', () => {
	it('is left out, cut or clamped where it is odd, and says so', () => {
		for (const [message, fraction, report, odd] of [
			['half', 0.5, { message: 'half', fraction: 0.5 }, undefined],
			['all', null, { message: 'all' }, undefined],
			[7, undefined, { message: '7' }, undefined],
			[{ done: 7 }, undefined, undefined, 'it has no message'],
			['', undefined, undefined, 'it has no message'],
			[undefined, undefined, undefined, 'it has no message'],
			[' \n', 0.5, { message: '…', fraction: 0.5 }, 'it has no message'],
			['much', 1.5, { message: 'much', fraction: 1 }, 'its fraction is not between 0 and 1; 1 is taken'],
			['less', -1, { message: 'less', fraction: 0 }, 'its fraction is not between 0 and 1; 0 is taken'],
			['endless', Infinity, { message: 'endless', fraction: 1 }, 'its fraction is not between 0 and 1; 1 is taken'],
			['none', NaN, { message: 'none' }, 'its fraction is no number and is left out'],
			['words', '50 %', { message: 'words' }, 'its fraction is no number and is left out'],
			['big', 1n, { message: 'big' }, 'its fraction is no number and is left out'],
		] as const) {
			assert.deepEqual(cleanReport(message, fraction), { report, odd });
		}
		assert.equal(cleanReport('long '.repeat(1_000), undefined).report?.message.length, MAX_REPORT_CHARS);
	});
});
