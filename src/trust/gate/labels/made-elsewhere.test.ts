import assert from 'node:assert/strict';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { MadeElsewhere } from './made-elsewhere.ts';

const { signal } = new AbortController();

describe('What was made elsewhere', () => {
	it('stays so when it is moved in a worktree of the project, and is found in its folders there', async () => {
		const made = new MadeElsewhere({ home: tempDir('home'), log: { warn: () => undefined } });
		const project = { folders: [{ name: 'app', path: '/project' }] };
		const worktree = { folders: [{ name: 'app', path: '/tree' }], origin: { name: 'app', path: '/project' } };
		await made.add([{ path: 'got/a/notes.md', kind: 'created' }], project, signal);
		assert.deepEqual([made.holds('got', worktree), made.holds('src', worktree)], [true, false]);
		await made.move('got/a/notes.md', 'alone.md', worktree, signal);
		await made.move('got', 'moved', worktree, signal);
		const paths = ['alone.md', 'moved/a/notes.md', 'moved/own.md'];
		assert.deepEqual(
			paths.map((path) => made.has(path, worktree)),
			[true, true, false],
		);
		assert.equal(made.has('alone.md', project), false);
	});
});
