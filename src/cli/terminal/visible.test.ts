import assert from 'node:assert/strict';
import { escapeControls, escapeUnseen, visibleLine } from './visible.ts';

describe('Text on a terminal', () => {
	for (const [what, text, shown] of [
		['a sequence that clears the screen', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
		['a sequence that writes the clipboard', '\u001b]52;c;aGk=\u0007', '\\u{1b}]52;c;aGk=\\u{7}'],
		['an 8-bit control', '\u009b2J', '\\u{9b}2J'],
		['a carriage return that overwrites', 'rm -rf /\recho hi', 'rm -rf /\\u{d}echo hi'],
		['text turned around', 'a\u202etxt.exe', 'a\\u{202e}txt.exe'],
		['half a character', 'a\ud800', 'a\\u{d800}'],
	] as const) {
		it(`shows ${what} instead of obeying it`, () => {
			assert.equal(escapeControls(text), shown);
			assert.equal(escapeUnseen(text), shown);
		});
	}

	it('leaves lines, tabs, words of any script and emoji alone in an answer', () => {
		const text = 'größe\tمرحبا\n日本語 👩‍💻 ✔️\n';
		assert.equal(escapeControls(text), text);
		assert.equal(escapeControls('a\r\nb'), 'a\nb');
	});

	for (const hidden of ['\u200b', '\u00ad', '\ufeff', '\u2060', '\u3164', '\ufe0f', '\u{e0041}', '\u180e']) {
		it(`shows U+${hidden.codePointAt(0)?.toString(16)} in what is to be approved`, () => {
			assert.equal(escapeUnseen(`a${hidden}b`), `a\\u{${hidden.codePointAt(0)?.toString(16)}}b`);
		});
	}

	it('keeps what must be one line on one line', () => {
		assert.equal(visibleLine('a\nb\tc'), 'a\\u{a}b\\u{9}c');
	});
});
