import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { spokenText } from './spoken-text.ts';

describe('spokenText', () => {
	const cases: readonly (readonly [string, string, string])[] = [
		['emphasis and code', '**Cause**: `src/cart.ts` is *wrong*, ~~not~~ new', 'Cause: src/cart.ts is wrong, not new'],
		['headings and paragraphs', '# One\n\nTwo\nthree', 'One Two three'],
		['links and pictures', 'See [the docs](https://a.test) and ![a cart](b.png)', 'See the docs and a cart'],
		['lists', '1. one\n2. two\n   - deep', 'one two deep'],
		['loose lists', '- one\n\n  more\n\n- two', 'one more two'],
		['tables', '| a | b |\n|---|---|\n| 1 | **2** |', 'a, b; 1, 2'],
		['blocks of code', 'Run this:\n\n```sh\nnpm test\n```\n\nThen go on.', 'Run this: Then go on.'],
		['footnotes', 'Note[^1].\n\n[^1]: The footnote.', 'Note.'],
		['references to characters', 'a &amp; b', 'a & b'],
		['rules and HTML', 'one\n\n---\n\n<div>\n\ntwo', 'one two'],
		['quotes', '> said', 'said'],
		['nothing', '', ''],
	];
	for (const [name, markdown, expected] of cases) {
		it(`says the words of ${name}`, () => assert.equal(spokenText(markdown), expected));
	}
});
