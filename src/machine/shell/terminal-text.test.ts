import assert from 'node:assert/strict';
import { TerminalText } from './terminal-text.ts';

const strip = (...chunks: string[]) => {
	const terminal = new TerminalText();
	return chunks.map((chunk) => terminal.push(chunk)).join('');
};

describe('TerminalText', () => {
	it('takes out every kind of sequence, however it is split', () => {
		const cases: readonly (readonly [string, string])[] = [
			['a\x1b[1;31mb\x1b[0mc', 'abc'],
			['a\x1b]52;c;c2VjcmV0\x07b', 'ab'],
			['a\x1b]8;;http://x\x1b\\b', 'ab'],
			['a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^y\x9cd', 'abcd'],
			['a\u009b31mb\u009d0;title\u009cc', 'abc'],
			['a\x1b(Bb\x1b7c\x1bcd', 'abcd'],
			['a\x08b\x00c\x7fd\te', 'abcd\te'],
			['a\r\nb\rc\r\r\nd', 'a\nb\nc\n\nd'],
		];
		for (const [input, expected] of cases) {
			assert.equal(strip(input), expected, JSON.stringify(input));
			assert.equal(strip(...input), expected, `split: ${JSON.stringify(input)}`);
		}
	});

	it('shows what follows a sequence that never ends', () => {
		assert.ok(strip(`\x1b]0;${'x'.repeat(20_000)}visible`).endsWith('visible'));
		assert.equal(strip('\x1b[31', '\x18visible'), 'visible');
	});
});
