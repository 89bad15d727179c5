import assert from 'node:assert/strict';
import { parseJsonc, setJsoncMember } from './jsonc.ts';

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

	it('is changed in one member, and else stays as it is written', () => {
		for (const [text, expected] of [
			['{}', '{\n\t"k": [\n\t\t1\n\t]\n}'],
			['{ "a": 1 /* one */ }', '{ "a": 1,\n\t"k": [\n\t\t1\n\t] /* one */ }'],
			['{ "a": {"k": 2}, // last\n}', '{ "a": {"k": 2},\n\t"k": [\n\t\t1\n\t], // last\n}'],
			['{ "k" : "x, }", "b": 2 }', '{ "k" : [\n\t\t1\n\t], "b": 2 }'],
			['{ "k": 1, /* "k": 2, */ "\\u006b": [3, {"k": 4}] }', '{ "k": 1, /* "k": 2, */ "\\u006b": [\n\t\t1\n\t] }'],
		] as const) {
			assert.equal(setJsoncMember(text, 'k', [1]), expected);
			assert.deepEqual((parseJsonc(setJsoncMember(text, 'k', [1])) as { k: unknown }).k, [1]);
		}
	});
});
