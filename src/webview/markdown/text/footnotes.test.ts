import assert from 'node:assert/strict';
import { lexMarkdown } from '../lex.ts';
import { notesIn } from './footnotes.ts';

describe('footnotes', () => {
	const mark = (number: string, isNote = false) => ({ number, isNote });

	it('are raised where they stand, and begin a line where they are explained', () => {
		assert.deepEqual(notesIn('a[^1], b[^22].\n[^3] c'), ['a', mark('1'), ', b', mark('22'), '.\n', mark('3'), ' c']);
		assert.deepEqual(notesIn('[^1]: one\n[^2]: two'), [mark('1', true), ' one', mark('2', true), ' two']);
		assert.deepEqual(notesIn('see[^1]: it'), ['see', mark('1'), ': it']);
	});

	it('are no regular expressions', () => {
		assert.deepEqual(notesIn('[^abc] [^1234] [1]'), ['[^abc] [^1234] [1]']);
	});

	it('of one word are no definition of a link, which would not be shown', () => {
		assert.deepEqual(
			lexMarkdown('[^1]: https://example.org\n').map(({ type }) => type),
			['paragraph'],
		);
		assert.deepEqual(
			lexMarkdown('[a]: https://example.org\n').map(({ type }) => type),
			['def'],
		);
	});
});
