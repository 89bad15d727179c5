import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { minimalEdit } from './minimal-edit.ts';

const apply = (before: string, { start, end, insert }: ReturnType<typeof minimalEdit>) =>
	before.slice(0, start) + insert + before.slice(end);

describe('minimalEdit', () => {
	it('replaces only what differs', () => {
		assert.deepEqual(minimalEdit('one two three', 'one 2 three'), { start: 4, end: 7, insert: '2' });
		assert.deepEqual(minimalEdit('same', 'same'), { start: 4, end: 4, insert: '' });
	});

	it('never begins or ends inside a line break or a surrogate pair', () => {
		assert.deepEqual(minimalEdit('a\r\nb', 'a\rb'), { start: 1, end: 3, insert: '\r' });
		assert.deepEqual(minimalEdit('😀', '😁'), { start: 0, end: 2, insert: '😁' });
	});

	it('always leads to the other text', () => {
		const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r', '\n', '😀', '😁') });
		fc.assert(fc.property(text, text, (before, after) => apply(before, minimalEdit(before, after)) === after));
	});
});
