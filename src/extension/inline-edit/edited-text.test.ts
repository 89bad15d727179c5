import assert from 'node:assert/strict';
import { splitAroundLines, withLines } from './edited-text.ts';

describe('Lines to edit', () => {
	it('are taken out of what is around them', () => {
		assert.deepEqual(splitAroundLines('a\nb\nc\nd', { first: 1, last: 2 }), {
			before: 'a',
			selected: 'b\nc',
			after: 'd',
		});
		assert.deepEqual(splitAroundLines('a', { first: 0, last: 0 }), { before: '', selected: 'a', after: '' });
	});

	it('are replaced with the line ends of their file', () => {
		assert.equal(withLines('a\r\nb\r\nc', { first: 1, last: 1 }, 'x\ny'), 'a\r\nx\r\ny\r\nc');
		assert.equal(withLines('a\nb\n', { first: 1, last: 1 }, 'x\r\ny'), 'a\nx\ny\n');
		assert.equal(withLines('a', { first: 0, last: 0 }, 'b'), 'b');
	});
});
