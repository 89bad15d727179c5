import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { codeBlock, plainText } from './markdown-text.ts';

describe('Text of others in Markdown of ours', () => {
	it('does not end the code it is shown as', () => {
		assert.equal(codeBlock('```\n# out', 'json'), '````json\n```\n# out\n````');
	});

	it('hides nothing in the code it is shown as', () => {
		assert.equal(codeBlock('{"a":"\u202ex\u{e0041}\n"}'), '```\n{"a":"\\u{202e}x\\u{e0041}\n"}\n```');
	});

	it('makes no link, heading, cell or tag of its own', () => {
		const shown = plainText('# [a](command:x) | <b>\n`c`');
		assert.doesNotMatch(shown, /[[\]()<>`|]|#\s/);
	});
});
