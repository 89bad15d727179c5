import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { durationText } from './duration-text.ts';

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
