import assert from 'node:assert/strict';
import { inEnglish } from '../text/text.ts';
import { overruledText } from './usage-text.ts';

describe('A line about what was overruled', () => {
	it('counts once in right English', () => {
		const said = (times: number, isOff: boolean) =>
			inEnglish(overruledText({ kind: 'fastPath', name: 'read', project: '/work', times, isOff }));
		assert.deepEqual(
			[said(1, false), said(2, false), said(3, true)],
			[
				'Fast answer read: overruled once',
				'Fast answer read: overruled 2 times',
				'Fast answer read: overruled 3 times, off',
			],
		);
	});
});
