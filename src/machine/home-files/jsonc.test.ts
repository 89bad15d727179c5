import assert from 'node:assert/strict';
import { parseJsonc } from './jsonc.ts';

describe('JSON with comments', () => {
	it('that is broken is refused', () => {
		for (const text of ['', '{', '{ "a": 1 /* }', '{ a: 1 }', '[1,,2]']) {
			assert.throws(() => parseJsonc(text), SyntaxError, text);
		}
	});

	it('keeps what only looks like a comment or a trailing comma', () => {
		const value = { url: 'https://a.org/*b*/', text: 'a,]', quote: '\\" // no', end: '\\' };
		assert.deepEqual(parseJsonc(JSON.stringify(value)), value);
	});

	it('may have comments anywhere, a comma after the last, and a mark of its encoding', () => {
		assert.deepEqual(parseJsonc('\ufeff// first\n{ "a": [1, /* two */ 2, // three\n ], /* last */ }\n'), { a: [1, 2] });
	});
});
