import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeHidden, linesWithHidden, unescapeHidden } from './hidden-characters.ts';

describe('Hidden characters', () => {
	for (const [name, text, shown] of [
		['no space', 'a\u200bb', 'a\\u{200b}b'],
		['an override of the direction', 'user\u202enimda', 'user\\u{202e}nimda'],
		['an isolate of the direction', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
		['a tag', 'a\u{e0041}', 'a\\u{e0041}'],
		['an escape of a terminal', '\u001b[31mred', '\\u{1b}[31mred'],
		['a return that overwrites its line', 'good\revil', 'good\\u{d}evil'],
		['a row of variation selectors', 'a\ufe01\u{e0100}', 'a\\u{fe01}\\u{e0100}'],
		['half of a character', 'a\ud800', 'a\\u{d800}'],
		['the tags of a flag', '🏴\u{e0067}\u{e007f}', '🏴\\u{e0067}\\u{e007f}'],
	] as const) {
		it(`are shown as escapes: ${name}`, () => {
			assert.equal(escapeHidden(text), shown);
			assert.equal(unescapeHidden(shown), text);
		});
	}

	for (const [name, text] of [
		['ends of lines and tabs', 'a\r\n\tb\n'],
		['emoji of several parts', '👨‍👩‍👧 ❤️ 1️⃣ 👩🏽‍💻'],
		['letters that a script joins or parts', 'می‌خواهم क्‍ष'],
		['wide and narrow spaces', 'a\u00a0b\u3000c\u202fd'],
	] as const) {
		it(`are none of these: ${name}`, () => assert.equal(escapeHidden(text), text));
	}

	it('come back as they were, and an escape of something visible stays an escape', () => {
		assert.equal(unescapeHidden('\\u{41} \\u{200b} \\u{ffffff} \\n'), '\\u{41} \u200b \\u{ffffff} \\n');
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom('a', '\u200b', '\u202e', '\u{e0041}', '\u001b', '\n', 'ü') }),
				(text) => {
					assert.equal(unescapeHidden(escapeHidden(text)), text);
				},
			),
		);
	});

	it('are found by their lines', () => {
		assert.deepEqual(linesWithHidden('a\r\nb\u200b\nc\n\u202ed'), [2, 4]);
	});
});
