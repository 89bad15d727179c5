/**
 * Checks that `npm run bench` loses no figure. The parts that it measures in a page have specs of their own for what is
 * promised of them (test/webview/drawn-parts.test.ts).
 */

import assert from 'node:assert/strict';
import { runBenches } from '../bench/benches.ts';
import type { Figure } from '../bench/measure.ts';

const figure = (what: string): Figure => ({ goal: 'G0', what, measured: '2.00x', bar: '3x', met: true });

describe('A run of benchmarks', () => {
	it('goes on when one breaks, keeps the figures of the others and names it last', async () => {
		const said: string[] = [];
		const broken = await runBenches(
			{
				first: () => Promise.resolve([figure('before')]),
				second: () => Promise.reject(new Error('no browser')),
				third: () => Promise.resolve([figure('after')]),
			},
			{ log: (line: string) => said.push(line), error: (line: string) => said.push(line) },
		);
		assert.deepEqual(broken, ['second']);
		const text = said.join('\n');
		assert.match(text, /G0 +before +2\.00x +3x +met\n.*\nError: no browser[^]*\nG0 +after +2\.00x/);
		assert.equal(said.at(-1), 'broken: second');
	});

	it('writes the figures of each as it ends', async () => {
		const said: string[] = [];
		await runBenches(
			{
				first: () => Promise.resolve([figure('before')]),
				second: () => (assert.ok(said.some((line) => line.includes('before'))), Promise.resolve([figure('after')])),
			},
			{ log: (line: string) => said.push(line), error: () => {} },
		);
		assert.ok(said.some((line) => line.includes('after')));
	});
});
