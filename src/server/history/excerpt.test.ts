import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createExcerpt } from './excerpt.ts';

describe('excerpt', () => {
	it('never cuts a character in half', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', minLength: 200, maxLength: 400 }),
				fc.integer({ min: 60, max: 190 }),
				(words, maxChars) => {
					assert.equal(createExcerpt(words, maxChars).text.isWellFormed(), words.isWellFormed());
				},
			),
		);
	});

	it('keeps the beginning and the end, and says how much is missing of how much', () => {
		const { text, omitted } = createExcerpt(`begin${'x'.repeat(10_000)}end`, 200);
		assert.ok(text.startsWith('begin') && text.endsWith('end') && text.length <= 200);
		assert.ok(text.includes(`[… ${omitted} of 10008 characters left out …]`));
	});

	it('leaves alone what fits', () => {
		assert.deepEqual(createExcerpt('short', 5), { text: 'short', omitted: 0 });
	});
});
