import assert from 'node:assert/strict';
import { countPatchLines } from './patch-lines.ts';

describe('The lines of a patch', () => {
	const count = (...lines: readonly string[]) => countPatchLines(lines.map((line) => `${line}\n`).join(''));

	it('are none in an empty patch, and none where a file is only named', () => {
		assert.deepEqual(countPatchLines(''), { added: 0, removed: 0 });
		assert.deepEqual(count('# .env: changed; not shown, it may hold secrets'), { added: 0, removed: 0 });
	});

	it('count within hunks, also those that look like the head of a file', () => {
		const first = ['--- a/a.sql', '+++ b/a.sql', '@@ -1,3 +1,5 @@', ' SELECT 1;', '--- old', '--- a/b', '+-- new'];
		const second = ['--- a/n.txt', '+++ b/n.txt', '@@ -1 +1,2 @@', '-one', '\\ No newline at end of file'];
		const added = ['+++ two', '+++ b/n.txt', '+@@ -1 +1 @@'];
		assert.deepEqual(count(...first, ...added, ...second, '+++ x', '+y'), { added: 6, removed: 3 });
	});

	it('count to where a patch was cut', () => {
		assert.deepEqual(count('--- a/n', '+++ b/n', '@@ -0,0 +1,3 @@', '+a', '+b', '# cut here; ask for less'), {
			added: 2,
			removed: 0,
		});
	});
});
