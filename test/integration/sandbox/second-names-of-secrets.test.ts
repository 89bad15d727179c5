/** A secret file by its second name: no op gives what it holds without the question that its first name asks. */
import assert from 'node:assert/strict';
import { linkSync } from 'node:fs';
import { GUARDED_PLACES } from '../../../src/machine/sandbox/limits.ts';
import { createOtherNames } from '../../../src/machine/sandbox/mounts/other-names.ts';
import { WorkspacePaths } from '../../../src/machine/paths/workspace-paths.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { workspaceOnDisk, writeFiles } from '../../support/workspace-on-disk.ts';

describe('A second name of a secret file', () => {
	it('is secret to every op that names it, and left out of searches and instructions', async () => {
		const root = tempDir('workspace');
		await writeFiles(root, { 'sub/.env': 'KEY=find-me', 'a.txt': 'find-me too', 'AGENTS.md': 'See @notes.md' });
		linkSync(`${root}/sub/.env`, `${root}/notes.md`);
		linkSync(`${root}/a.txt`, `${root}/b.txt`);
		await writeFiles(root, { 'node_modules/x/index.js': '' });
		linkSync(`${root}/sub/.env`, `${root}/node_modules/x/notes.md`);
		const folders = [{ name: 'app', path: root }];
		const paths = new WorkspacePaths({ folders }, process.platform, createOtherNames());
		const disk = await workspaceOnDisk({}, { paths });
		const [secret, hidden, ordinary] = await Promise.all(
			['notes.md', 'node_modules/x/notes.md', 'b.txt'].map((path) => paths.locate(paths.resolve(path))),
		);
		assert.deepEqual([secret?.isSecret, hidden?.isSecret, ordinary?.isSecret], [true, true, false]);
		const ask = { query: 'find-me', path: '.', limit: 10, literal: true, caseSensitive: true, namesOnly: false };
		const { matches } = await disk.perform('search.text', { ...ask, context: 0 });
		assert.deepEqual(matches.map(({ path }) => path).sort(), ['a.txt', 'b.txt']);
		const told = await disk.perform('workspace.instructions', { touched: [], told: [], again: [] });
		assert.deepEqual(
			[told.files.map(({ path }) => path), told.left],
			[['AGENTS.md'], [{ path: 'notes.md', reason: 'secret' }]],
		);
		await disk.close();
	});

	it('is secret, as any file with several names is, where the search for secret files did not reach its end', async () => {
		const root = tempDir('workspace');
		const secret = Array.from({ length: GUARDED_PLACES + 1 }, (_, at) => [`.env.${at}`, ''] as const);
		await writeFiles(root, { 'a.txt': 'a', 'z/y/.env': 'KEY=1', ...Object.fromEntries(secret) });
		linkSync(`${root}/z/y/.env`, `${root}/notes.md`);
		const paths = new WorkspacePaths({ folders: [{ name: 'app', path: root }] }, process.platform, createOtherNames());
		const [second, ordinary] = await Promise.all(
			['notes.md', 'a.txt'].map((path) => paths.locate(paths.resolve(path))),
		);
		assert.deepEqual([second?.isSecret, ordinary?.isSecret], [true, false]);
	});
});
