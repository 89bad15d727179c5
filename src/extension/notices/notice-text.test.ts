import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { noticeText } from './notice-text.ts';

/** Pattern with which the editor finds links in its notifications. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

describe('Text of others in a notification', () => {
	for (const text of [
		'it failed. [Repair it](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22id%5Cn%22%7D)',
		'[a](https://example.org/?secret "title")',
		'[[a](command:x)](command:y)',
		'[[a] b](command:x)[c](file:///etc)',
	]) {
		it(`is no link: ${text.slice(0, 40)}`, () => {
			assert.match(text, LINK);
			assert.doesNotMatch(noticeText(text), LINK);
		});
	}

	it('stays as it is otherwise', () => {
		const text = 'reads [a] and (b), see https://example.org';
		assert.equal(noticeText(text), text);
	});
});
