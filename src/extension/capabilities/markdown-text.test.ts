import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { codeBlock, foreignMarkdown, inlineCode, plainText, table } from './markdown-text.ts';

describe('Text of others on a page of ours', () => {
	it('does not end the code it is shown as', () => {
		assert.equal(inlineCode('a `` b'), '```a `` b```');
		assert.equal(inlineCode('`'), '`` ` ``');
		assert.equal(inlineCode('one\n\n# two'), '`one # two`');
		assert.equal(inlineCode(' '), '');
		assert.equal(codeBlock('```\n# out', 'json'), '````json\n```\n# out\n````');
	});

	it('makes no link, heading, cell or tag of its own', () => {
		const shown = plainText('# [a](command:x) | <b>\n`c`');
		assert.doesNotMatch(shown, /[[\]()<>`|]|#\s/);
	});

	it('brings no picture and no HTML', () => {
		const text = '---\nname: a\n---\n# Title\n\n![x](https://host/p.png) <img src="https://host/q.png">\n';
		assert.equal(foreignMarkdown(text), '# Title\n\n[x](https://host/p.png) &lt;img src="https://host/q.png">\n');
	});

	it('stands in a table', () => {
		assert.equal(table(['a', 'b'], [['1', '2']]), '| a | b |\n| --- | --- |\n| 1 | 2 |');
	});
});
