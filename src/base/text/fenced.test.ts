import assert from 'node:assert/strict';
import { fenced } from './fenced.ts';

describe('A fenced text', () => {
	it('keeps fences of its own inside', () => {
		assert.equal(fenced('```ts\na\n```\n'), '````\n```ts\na\n```\n````');
	});

	it('names its language, and ends with one line end', () => {
		assert.equal(fenced('a\n\n', 'ts'), '```ts\na\n\n```');
	});
});
