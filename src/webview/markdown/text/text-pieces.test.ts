import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PIECE_LENGTH, textPieces } from './text-pieces.ts';

const texts = fc
	.array(fc.constantFrom('a', '\n', 'word ', '😀', 'x'.repeat(700), '\n\n'), { maxLength: 80 })
	.map((parts) => parts.join('').repeat(20));

describe('Pieces of a long text', () => {
	it('are the whole text, and none is longer than one may be', () => {
		fc.assert(
			fc.property(texts, (text) => {
				const pieces = textPieces(text);
				assert.equal(pieces.join(''), text);
				assert.ok(pieces.every(({ length }) => length <= PIECE_LENGTH));
			}),
		);
	});

	it('never cut a character in two', () => {
		const pieces = textPieces(`a${'😀'.repeat(PIECE_LENGTH)}`);
		assert.ok(pieces.length > 1);
		assert.ok(pieces.every((piece) => piece.isWellFormed()));
	});

	it('end with a line where one ends', () => {
		const pieces = textPieces('a line\n'.repeat(10_000));
		assert.ok(pieces.slice(0, -1).every((piece) => piece.endsWith('\n')));
	});

	it('stay as they are while the text grows', () => {
		fc.assert(
			fc.property(texts, texts, (text, more) => {
				const before = textPieces(text).slice(0, -1);
				assert.deepEqual(textPieces(text + more).slice(0, before.length), before);
			}),
		);
	});
});
