import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { estimateTokens } from './token-estimate.ts';

/** The same by its definition: UTF-8 bytes, one by one. */
function byBytes(text: string): number {
	const bytes = [...Buffer.from(text, 'utf8')];
	const count = (is: (byte: number) => boolean) => bytes.filter(is).length;
	const isWord = (byte: number) => byte < 0x80 && /\w/.test(String.fromCharCode(byte));
	const isSpace = (byte: number) => [9, 10, 13, 32].includes(byte);
	const sum =
		count(isWord) / 4.2 +
		count(isSpace) / 6 +
		count((byte) => byte >= 0x80) / 2.5 +
		count((byte) => byte < 0x80 && !isWord(byte) && !isSpace(byte)) / 2.2;
	return Math.ceil(sum);
}

describe('estimateTokens', () => {
	const known = [
		['', 0],
		['hello', 2],
		['a', 1],
		['{}', 1],
		['日本語', 4],
		['😀', 2],
	] as const;
	for (const [text, tokens] of known) {
		it(`counts ${JSON.stringify(text)} as ${tokens}`, () => {
			assert.equal(estimateTokens(text), tokens);
		});
	}

	it('counts every text as its bytes', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				assert.equal(estimateTokens(text), byBytes(text));
			}),
		);
	});
});
