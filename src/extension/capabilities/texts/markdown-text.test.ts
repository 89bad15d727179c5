import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatCodeBlock, escapeMarkdownLine } from './markdown-text.ts';

describe('Text of others in Markdown of ours', () => {
	it('does not end the code it is shown as', () => {
		assert.equal(formatCodeBlock('```\n# out', 'json'), '````json\n```\n# out\n````');
	});

	it('hides nothing in the code it is shown as', () => {
		assert.equal(formatCodeBlock('{"a":"\u202ex\u{e0041}\n"}'), '```\n{"a":"\\u{202e}x\\u{e0041}\n"}\n```');
	});

	it('makes no link, heading, cell or tag of its own', () => {
		const shown = escapeMarkdownLine('# [a](command:x) | <b>\n`c`');
		assert.doesNotMatch(shown, /[[\]()<>`|]|#\s/);
	});
});
