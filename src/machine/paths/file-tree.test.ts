import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { never, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { inspectTree, moveTree, removeTree } from './file-tree.ts';
import { WorkspacePaths } from './workspace-paths.ts';

describe('A change of files that is stopped', () => {
	it('rejects with the reason of the stop, and leaves them where they are', async () => {
		const root = tempDir('workspace');
		await writeFiles(root, { 'a.txt': 'a' });
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: root }] });
		const [from, to] = await Promise.all(['a.txt', 'b.txt'].map((path) => paths.locate(paths.resolve(path))));
		assert.ok(from && to);
		const seen = await inspectTree(from, never);
		const stopped = AbortSignal.abort(new Error('stopped by the user'));
		await assert.rejects(moveTree(from, seen, to, stopped), (error) => error === stopped.reason);
		await assert.rejects(removeTree(from, seen, stopped), (error) => error === stopped.reason);
		assert.deepEqual(readdirSync(root), ['a.txt']);
	});
});
