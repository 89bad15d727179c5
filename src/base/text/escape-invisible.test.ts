import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeInvisible } from './escape-invisible.ts';

describe('escapeInvisible', () => {
	const cases: readonly (readonly [string, string, string])[] = [
		['bidi', 'a\u202eb', 'a\\u{202e}b'],
		['zero width', 'a\u200bb\u200d', 'a\\u{200b}b\\u{200d}'],
		['tags', 'a\u{e0041}', 'a\\u{e0041}'],
		['variation selectors', 'a\ufe0f\u{e0100}', 'a\\u{fe0f}\\u{e0100}'],
		['ANSI', '\u001b[2K', '\\u{1b}[2K'],
		['C1', '\u009b', '\\u{9b}'],
		['NUL', '\0', '\\u{0}'],
		['odd blanks', 'a\u00a0b\u3000c\u3164', 'a\\u{a0}b\\u{3000}c\\u{3164}'],
		['line separators', 'a\u2028b', 'a\\u{2028}b'],
		['a lone surrogate', 'a\ud800', 'a\\u{d800}'],
		['a carriage return that rewrites the line', 'rm\rls', 'rm\\u{d}ls'],
	];
	for (const [name, text, shown] of cases) {
		it(`shows ${name}`, () => assert.equal(escapeInvisible(text, 'lines'), shown));
	}

	it('keeps line breaks in a text and escapes them in an argument', () => {
		assert.equal(escapeInvisible('a\r\n\tb', 'lines'), 'a\r\n\tb');
		assert.equal(escapeInvisible('a\r\n\tb', 'line'), 'a\\u{d}\\u{a}\\u{9}b');
	});

	it('never drops or shortens anything visible', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				const shown = escapeInvisible(text, 'line');
				const back = shown.replace(/\\u\{([0-9a-f]+)\}/g, (_match, hex: string) =>
					String.fromCodePoint(Number.parseInt(hex, 16)),
				);
				assert.equal(
					back,
					text.replace(/\\u\{([0-9a-f]+)\}/g, (_match, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
				);
			}),
		);
	});
});
