import assert from 'node:assert/strict';
import { applyEdits } from './apply-edits.ts';

const edited = (text: string, find: string, replace: string, all = false) =>
	applyEdits('a.ts', text, [{ find, replace, all }]);

describe('an edit', () => {
	describe('of a text that is there twice', () => {
		for (const [what, text, find, lines] of [
			['to the letter', 'x\ny\nx\n', 'x', [1, 3]],
			['once with each line end', 'a\r\nb\r\nc\na\nb\nc\n', 'a\nb', [1, 4]],
			['but for trailing space', 'a \nb\na\t\nb\n', 'a\nb', [1, 3]],
			['but for its indentation', '  a;\n  b;\n\n    a;\n    b;\n', 'a;\nb;', [1, 4]],
			['but for its punctuation', '“a”\n”a“\n', '"a"', [1, 2]],
		] as const) {
			it(`${what} is refused with its lines`, () => {
				assert.throws(() => edited(text, find, 'z'), {
					code: 'EDIT_AMBIGUOUS',
					facts: { path: 'a.ts', edit: 1, lines },
				});
			});
		}
	});

	describe('of a text that is not there', () => {
		for (const [what, text, find] of [
			['with other words', 'let a = 1;\n', 'let a = 2;'],
			['with spaces within a line', 'f(a, b);\n', 'f(a,b);'],
			['with an indentation that is not the same throughout', '\ta;\n\t\t\tb;\n', 'a;\n  b;'],
			['with the first line only', 'a\n', 'a\nb'],
			['made of nothing but space', 'a\n', '  \n\n'],
			['in another case', 'const A\n', 'const a'],
		] as const) {
			it(`${what} is refused`, () => {
				assert.throws(() => edited(text, find, 'z'), { code: 'EDIT_NO_MATCH' });
			});
		}

		it('is refused where new lines could not be indented as the others', () => {
			assert.throws(() => edited('a;\n\tb;\n', '\ta;\n\t\tb;', 'c;\n\t\tb;'), { code: 'EDIT_NO_MATCH' });
		});

		it('is refused where all are to be replaced and they are only alike', () => {
			assert.throws(() => edited('a \nb\n', 'a\nb', 'z', true), { code: 'EDIT_NO_MATCH' });
		});
	});

	for (const [what, text, find, replace, expected, differs, line] of [
		['trailing space', 'a\nb  \nc\n', 'a\nb\nc', 'a\nb\nd', 'a\nb  \nd\n', 'trailing space', 1],
		['trailing space of the find', 'a\nb\n', 'a  \nb\n', 'z\n', 'z\n', 'trailing space', 1],
		['quotation marks', "say('it’s');\n", "say('it's');", "say('it's so');", "say('it’s so');\n", 'punctuation', 1],
		['no-break space', 'a\u00a0b = 1;\n', 'a b = 1', 'a b = 2', 'a\u00a0b = 2;\n', 'punctuation', 1],
		[
			'accents in two characters',
			'x cafe\u0301 y\n',
			'caf\u00e9 y',
			'caf\u00e9 z\u00e9',
			'x cafe\u0301 ze\u0301\n',
			'form of accents',
			1,
		],
		[
			'accents in one character',
			'x caf\u00e9 y\n',
			'cafe\u0301 y',
			'cafe\u0301 z',
			'x caf\u00e9 z\n',
			'form of accents',
			1,
		],
		[
			'Hangul in letters',
			'\u1112\u1161\u11ab a\n',
			'\ud55c a',
			'\ud55c b',
			'\u1112\u1161\u11ab b\n',
			'form of accents',
			1,
		],
		[
			'an accent beside quotation marks',
			'x \u201ccafe\u0301\u201d y\n',
			'x "caf\u00e9" y',
			'x "th\u00e9" y',
			'x \u201cthe\u0301\u201d y\n',
			'punctuation',
			1,
		],
		[
			'an accent beside a narrow space',
			'a cafe\u0301\u202fb\n',
			'a caf\u00e9 b',
			'a caf\u00e9 c',
			'a cafe\u0301\u202fc\n',
			'punctuation',
			1,
		],
		[
			'an accent beside trailing space',
			'cafe\u0301  \nnext\n',
			'caf\u00e9\nnext',
			'caf\u00e9\nlast',
			'cafe\u0301  \nlast\n',
			'trailing space',
			1,
		],
		[
			'an accent in lines of another indentation',
			'\t\tcafe\u0301();\n\t\tb();\n',
			'caf\u00e9();\nb();',
			'caf\u00e9();\n\u00e9();',
			'\t\tcafe\u0301();\n\t\te\u0301();\n',
			'indentation',
			1,
		],
		[
			'the last letter of a Hangul syllable',
			'\ud558\u11ab x\n',
			'\ud55c x',
			'\ud55c y',
			'\ud55c y\n',
			'form of accents',
			1,
		],
		[
			'an accent of an unused form far above',
			'e\u0301\nit\u2019s \u00e9\n',
			"it's \u00e9",
			"it's \u00e8",
			'e\u0301\nit\u2019s \u00e8\n',
			'punctuation',
			2,
		],
		['a dash', 'x – y\nz\n', 'x - y\nz', 'x - y\nw', 'x – y\nw\n', 'punctuation', 1],
		[
			'a missing indentation',
			'{\n\tif (a) {\n\t\tb();\n\t}\n}\n',
			'if (a) {\n\tb();\n}',
			'if (a) {\n\tc();\n\td();\n}',
			'{\n\tif (a) {\n\t\tc();\n\t\td();\n\t}\n}\n',
			'indentation',
			2,
		],
		[
			'too deep an indentation',
			'a;\n  b;\n',
			'    a;\n      b;',
			'    a;\n\n      c;',
			'a;\n\n  c;\n',
			'indentation',
			1,
		],
		[
			'spaces for tabs',
			'f() {\n\ta;\n\t\tb;\n}\n',
			'    a;\n        b;',
			'    a;\n        c;\n    d;',
			'f() {\n\ta;\n\t\tc;\n\td;\n}\n',
			'indentation',
			2,
		],
		['tabs for spaces', 'f:\n  a\n    b\n', '\ta\n\t\tb', '\ta\n\t\tc', 'f:\n  a\n    c\n', 'indentation', 2],
		['the numbers of fs_read', 'a\nb\nc\n', '2\tb\n3\tc\n', '2\tx\n3\tc\n', 'a\nx\nc\n', 'line numbers', 2],
		['the numbers, in the find only', 'a\nb\nc\n', '2\tb\n', 'x\n', 'a\nx\nc\n', 'line numbers', 2],
	] as const) {
		it(`is taken where ${what} is all that differs, and says so`, () => {
			const { text: after, loosely } = edited(text, find, replace);
			assert.equal(after, expected);
			assert.deepEqual(loosely, [{ edit: 1, line, differs }]);
		});
	}

	for (const [what, text, find, replace, expected] of [
		['CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\r\nc\r\n'],
		['CRLF that the find has, too', 'a\r\nb\r\n', 'a\r\nb', 'x\r\ny', 'x\r\ny\r\n'],
		['LF where the find has CRLF', 'a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
		['mixed ends, each line its own', 'a\r\nb\nc\r\nd\n', 'b\nc\nd', 'b\nx\nd', 'a\r\nb\nx\r\nd\n'],
		['mixed ends around new lines', 'a\r\nb\nc\n', 'a\nb\nc', 'a\nb\ny\nz\nc', 'a\r\nb\ny\r\nz\r\nc\n'],
		['mixed ends below and above', 'a\r\nb\nc\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\nc\r\n'],
		['no end at the end', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
	] as const) {
		it(`keeps ${what}`, () => {
			const { text: after, loosely } = edited(text, find, replace);
			assert.equal(after, expected);
			assert.deepEqual(loosely, []);
		});
	}

	it('of all places takes those with either line end', () => {
		assert.equal(edited('a\r\nb\r\na\nb\n', 'a\nb', 'x', true).text, 'x\r\nx\n');
	});

	it('to the letter comes before one that is alike', () => {
		assert.deepEqual(edited('"a"\n“a”\n', '"a"', 'x'), { text: 'x\n“a”\n', loosely: [] });
		assert.deepEqual(edited('1\ta\na\n', '1\ta', 'x'), { text: 'x\na\n', loosely: [] });
	});

	it('of a large text is looked for loosely, too, and comes to an end', () => {
		const text = Array.from({ length: 100_000 }, (_, n) => `\tline ${n % 100};\n`).join('');
		assert.throws(() => edited(text, Array.from({ length: 99 }, (_, n) => `line ${n};`).join('\n') + '\nno', 'x'));
	});
});
