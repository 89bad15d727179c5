import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readPageStrings } from './page-files.ts';

describe('Texts of a page in a browser', () => {
	it('are in the first language that there is, and in English where there is none', () => {
		const found = ['de-AT,en;q=0.5', 'xx, de', 'xx', '', '../../package', '__proto__'].map((header) =>
			readPageStrings(header),
		);
		assert.deepEqual(
			found.map(({ language }) => language),
			['de', 'de', 'en', 'en', 'en', 'en'],
		);
		assert.equal(found[0]?.strings['Pair'], 'Koppeln');
	});

	it('are looked for in no more files than a browser has languages', () => {
		assert.equal(readPageStrings(`${'xx,'.repeat(4_000)}de`).language, 'en');
	});
});
