import assert from 'node:assert/strict';
import { commentProblems } from './comments.ts';

describe('The check of comments', () => {
	for (const comment of [
		'/** What a frame may cost. */',
		'/**\n * Reads a file.\n * Of the text, the first line counts.\n */',
		'/** Starts it. It is stopped later. */',
		'\t// One of ours is no folder.',
	]) {
		it(`refuses ${JSON.stringify(comment)}`, () => {
			assert.equal(commentProblems(`const a = 1;\n${comment}\nconst b = 2;\n`).length, 1);
		});
	}

	for (const text of [
		'/** Limits of a frame. Whatever the frame is, they hold. */',
		"const text = 'What // One of these';",
		'/** Waits for it. `it` is the test. */',
	]) {
		it(`accepts ${JSON.stringify(text)}`, () => assert.deepEqual(commentProblems(text), []));
	}

	it('names the line where the comment starts', () => {
		assert.equal(commentProblems('a();\nb();\n/**\n * Reads.\n * One more.\n */\n')[0]?.line, 3);
	});
});
