import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('retryAfterMs', () => {
	const cases: readonly (readonly [Record<string, string>, number | undefined])[] = [
		[{}, undefined],
		[{ 'retry-after': '' }, undefined],
		[{ 'retry-after': '-1' }, undefined],
		[{ 'retry-after': 'soon' }, undefined],
		[{ 'retry-after': '12 apples' }, undefined],
		[{ 'retry-after': 'NaN' }, undefined],
		[{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
		[{ 'retry-after': '0' }, 0],
		[{ 'retry-after': ' 7 ' }, 7000],
		[{ 'retry-after': '1.5' }, 1500],
		[{ 'retry-after': '1000000000' }, 1_000_000_000_000],
		[{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
		[{ 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' }, 30_000],
		[{ 'retry-after': 'Sunday, 01-Mar-26 12:00:30 GMT' }, 30_000],
		[{ 'retry-after': 'Sun, 01 Mar 2026 11:00:00 GMT' }, 0],
	];
	for (const [headers, expected] of cases) {
		it(`reads ${JSON.stringify(headers)} as ${expected}`, () => {
			assert.equal(retryAfterMs(headers, now), expected);
		});
	}
});
