import assert from 'node:assert/strict';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { SafeMarkdown } from './safe-markdown.ts';

/** Text that the chat is sent when the words come in these pieces. */
function sent(pieces: readonly string[]): string {
	const words = new SafeMarkdown();
	return [...pieces.map((piece) => words.next(piece)), words.rest()].join('');
}

describe('Words of a model in the chat of VS Code', () => {
	it('hold no picture, whatever stands before it and wherever they are cut', () => {
		for (let backslashes = 0; backslashes < 6; backslashes += 1) {
			const said = `See ${'\\'.repeat(backslashes)}![x](https://picture.example/leak) and ![y][1].\n\n[1]: https://picture.example/z`;
			for (let cut = 0; cut <= said.length; cut += 1) {
				const shown = sent([said.slice(0, cut), said.slice(cut)]);
				assert.doesNotMatch(marked.parse(shown, { async: false }), /<img/, JSON.stringify(shown));
			}
			assert.equal(sent([...said]), sent([said]));
		}
	});

	it('stay as they are otherwise', () => {
		const said = 'Done! [a](b) \\[c] C:\\\\ `x!` !';
		assert.equal(sent([...said]), said);
	});
});
