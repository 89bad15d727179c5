import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fileDiff } from './file-diff.ts';

describe('fileDiff', () => {
	it('names both files and the lines of each hunk', () => {
		assert.equal(
			fileDiff('a.ts', 'one\ntwo\n', 'one\n2\n').patch,
			'--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
		);
	});

	it('begins a new file at its first line', () => {
		assert.equal(fileDiff('a.ts', undefined, 'new\n').patch, '--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,1 @@\n+new\n');
	});
});
