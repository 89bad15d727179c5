import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { escapeMarkdownLine, formatCodeBlock, pickText } from './value-texts.ts';

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

describe('the text of others in a list to choose from', () => {
	it('makes no icon, and hides and reorders nothing', () => {
		assert.equal(pickText('$(shield) safe\u202e\u200b\nnext'), '\\$(shield) safe\\u{202e}\\u{200b} next');
	});
});
