import assert from 'node:assert/strict';
import { fenceCodeBlock } from './fenced.ts';

describe('A fenced text', () => {
	it('keeps fences of its own inside', () => {
		assert.equal(fenceCodeBlock('```ts\na\n```\n'), '````\n```ts\na\n```\n````');
	});

	it('names its language, and ends with one line end', () => {
		assert.equal(fenceCodeBlock('a\n\n', 'ts'), '```ts\na\n\n```');
	});
});
