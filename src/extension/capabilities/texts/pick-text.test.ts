import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pickText } from './pick-text.ts';

describe('the text of others in a list to choose from', () => {
	it('makes no icon, and hides and reorders nothing', () => {
		assert.equal(pickText('$(shield) safe\u202e\u200b\nnext'), '\\$(shield) safe\\u{202e}\\u{200b} next');
	});
});
