import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, rmdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { type WorkspaceOnDisk, workspaceOnDisk, writeFiles } from '../../../test/support/workspace-on-disk.ts';
import type { BeforeImages } from '../../contract/ops/op-implementation.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { OpTarget } from '../../contract/ops/target.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';

function whyOnlyByPerson(target: OpTarget | undefined): string {
	const why = target?.kind === 'file' ? target.onlyByPerson : undefined;
	return why === undefined ? '' : inEnglish(why);
}

describe('ops on files and folders as a whole', () => {
	let disk: WorkspaceOnDisk;

	afterEach(() => disk.close());

	const remove = (path: string, recursive = false) => disk.perform('fs.delete', { path, recursive });
	const move = (from: string, to: string) => disk.perform('fs.move', { from, to });
	const text = (path: string) => readFile(join(disk.root, path), 'utf8');
	const isThere = (path: string) => existsSync(join(disk.root, path));

	describe('fs.delete', () => {
		it('refuses the workspace itself, by whatever name', async () => {
			disk = await workspaceOnDisk({ 'a/b.txt': 'b' });
			for (const path of ['.', './', 'a/..', disk.root, `${disk.root}/`, `${disk.root}/a/..`]) {
				await assert.rejects(remove(path, true), { code: 'PATH_INVALID' }, path);
			}
			await assert.rejects(remove('..', true), { code: 'PATH_OUTSIDE_WORKSPACE' });
			assert.equal(isThere('a/b.txt'), true);
		});

		it('refuses a folder that holds another folder of the workspace', async () => {
			const root = tempDir('workspace');
			await writeFiles(root, { 'packages/inner/a.txt': '' });
			const folders = [
				{ name: 'outer', path: root },
				{ name: 'inner', path: join(root, 'packages/inner') },
			];
			disk = await workspaceOnDisk({}, { paths: new WorkspacePaths({ folders }) });
			await assert.rejects(remove('outer/packages', true), { code: 'PATH_INVALID' });
			await assert.rejects(remove('outer/packages/inner', true), { code: 'PATH_INVALID' });
			await assert.rejects(remove('inner', true), { code: 'PATH_INVALID' });
		});

		it('follows no link: neither out of the workspace nor inside it', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a', 'folder/b.txt': 'b' });
			await writeFile(join(disk.outside, 'c.txt'), 'c');
			await symlink(disk.outside, join(disk.root, 'out'));
			await symlink('a.txt', join(disk.root, 'link'));
			await symlink('folder', join(disk.root, 'folder-link'));
			for (const path of ['out', 'out/c.txt']) {
				await assert.rejects(remove(path, true), { code: 'PATH_OUTSIDE_WORKSPACE' }, path);
			}
			for (const path of ['link', 'folder-link']) {
				await assert.rejects(remove(path, true), { code: 'NOT_A_FILE' }, path);
			}
			assert.deepEqual([isThere('a.txt'), isThere('folder/b.txt')], [true, true]);
			assert.equal(await readFile(join(disk.outside, 'c.txt'), 'utf8'), 'c');
		});

		it('removes the links in a folder, not what they lead to', async () => {
			disk = await workspaceOnDisk({ 'keep.txt': 'k', 'gone/a.txt': 'a' });
			await writeFile(join(disk.outside, 'c.txt'), 'c');
			await symlink(disk.outside, join(disk.root, 'gone/out'));
			await symlink('../keep.txt', join(disk.root, 'gone/link'));
			assert.deepEqual(await remove('gone', true), { path: 'gone', files: 3, undoable: true });
			assert.deepEqual(await readdir(disk.root), ['keep.txt']);
			assert.equal(await readFile(join(disk.outside, 'c.txt'), 'utf8'), 'c');
		});

		it('refuses when a folder was swapped for a link after it was prepared', async () => {
			disk = await workspaceOnDisk({ 'gone/a.txt': 'a' });
			await writeFile(join(disk.outside, 'a.txt'), 'outside');
			const prepared = await disk.ops['fs.delete'].prepare({ path: 'gone/a.txt', recursive: false }, disk.context());
			await unlink(join(disk.root, 'gone/a.txt'));
			await rmdir(join(disk.root, 'gone'));
			await symlink(disk.outside, join(disk.root, 'gone'));
			await assert.rejects(prepared.run(disk.context()), { code: 'PATH_OUTSIDE_WORKSPACE' });
			assert.equal(await readFile(join(disk.outside, 'a.txt'), 'utf8'), 'outside');
		});

		it('refuses what has changed or grown since it was asked', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a', 'folder/b.txt': 'b' });
			const file = await disk.ops['fs.delete'].prepare({ path: 'a.txt', recursive: false }, disk.context());
			const folder = await disk.ops['fs.delete'].prepare({ path: 'folder', recursive: true }, disk.context());
			await writeFile(join(disk.root, 'a.txt'), 'other');
			await writeFile(join(disk.root, 'folder/c.txt'), 'c');
			await assert.rejects(file.run(disk.context()), { code: 'FILE_CHANGED' });
			await assert.rejects(folder.run(disk.context()), { code: 'FILE_CHANGED' });
			assert.deepEqual([await text('a.txt'), isThere('folder/b.txt')], ['other', true]);
			assert.deepEqual(disk.images, []);
		});

		it('wants to be told that a folder goes with what it holds, and then asks a person', async () => {
			disk = await workspaceOnDisk({ 'folder/b.txt': 'b' });
			await assert.rejects(remove('folder'), { code: 'INVALID_STATE' });
			const { targets, detail } = await disk.ops['fs.delete'].prepare(
				{ path: 'folder', recursive: true },
				disk.context(),
			);
			assert.match(whyOnlyByPerson(targets[0]), /everything in it always needs your approval/);
			assert.deepEqual(detail, { kind: 'text', text: 'Delete folder\n  b.txt\nUndo brings it back' });
		});

		it('judges a folder by every name in it', async () => {
			disk = await workspaceOnDisk({ 'x/.git/config': '', 'y/.env': 'K=1' });
			for (const [path, traits] of [
				['x', { isSecret: true, isProtected: true }],
				['y', { isSecret: true, isProtected: true }],
			] as const) {
				const { targets } = await disk.ops['fs.delete'].prepare({ path, recursive: true }, disk.context());
				const [target] = targets;
				assert.ok(target?.kind === 'file');
				assert.deepEqual({ isSecret: target.isSecret, isProtected: target.isProtected }, traits);
			}
		});

		it('keeps what each file, link and folder was before it goes, text or bytes', async () => {
			disk = await workspaceOnDisk({ 'gone/a.txt': 'a', 'gone/deep/b.txt': 'b', 'gone/c.bin': Buffer.from([0, 1]) });
			await symlink('../out', join(disk.root, 'gone/link'));
			assert.deepEqual(await remove('gone', true), { path: 'gone', files: 4, undoable: true });
			assert.deepEqual(
				disk.images.map(({ path, before }) => [path, before?.replace(/[0-9a-f]{64}/, 'hash')]),
				[
					['gone', '\0bytes folder'],
					['gone/a.txt', 'a'],
					['gone/c.bin', '\0bytes hash'],
					['gone/deep', '\0bytes folder'],
					['gone/deep/b.txt', 'b'],
					['gone/link', '\0bytes link ../out'],
				],
			);
			assert.equal(isThere('gone'), false);
		});

		it('removes nothing when the text cannot be kept', async () => {
			const beforeImages: BeforeImages = {
				keep: () => Promise.reject(new Error('disk full')),
				written: () => undefined,
				callerNow: (caller) => caller,
				swept: () => Promise.resolve(),
				lastWritten: () => Promise.resolve(undefined),
				changedSince: () => Promise.resolve([]),
			};
			disk = await workspaceOnDisk({ 'a.txt': 'a' }, { beforeImages });
			await assert.rejects(remove('a.txt'), /disk full/);
			assert.equal(await text('a.txt'), 'a');
		});

		it('asks a person for a file that is too large to be kept', async () => {
			disk = await workspaceOnDisk({
				'a.png': Buffer.from([0, 1, 2]),
				'large.bin': Buffer.alloc(20 * 1024 * 1024 + 1),
			});
			const whyAsked = async (path: string) => {
				const { targets } = await disk.ops['fs.delete'].prepare({ path, recursive: false }, disk.context());
				return whyOnlyByPerson(targets[0]);
			};
			assert.match(await whyAsked('large.bin'), /"large\.bin" cannot be kept, so undo cannot bring it back/);
			assert.equal(await whyAsked('a.png'), '');
		});

		it('refuses a file that is open with unsaved changes', async () => {
			const documents = {
				readOpen: () => ({ text: 'typed', unsaved: true }),
				writeOpen: () => Promise.resolve('typed'),
			};
			disk = await workspaceOnDisk({ 'a.txt': 'a' }, { documents });
			await assert.rejects(remove('a.txt'), { code: 'INVALID_STATE' });
			await assert.rejects(move('a.txt', 'b.txt'), { code: 'INVALID_STATE' });
		});

		it('removes an empty folder and a file', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a' });
			await mkdir(join(disk.root, 'empty'));
			const params = { path: 'empty', recursive: false };
			const { detail } = await disk.ops['fs.delete'].prepare(params, disk.context());
			assert.deepEqual(detail, { kind: 'text', text: 'Delete empty\nUndo brings it back' });
			assert.deepEqual(await remove('empty'), { path: 'empty', files: 0, undoable: true });
			assert.deepEqual(await remove('a.txt'), { path: 'a.txt', files: 1, undoable: true });
			assert.deepEqual(await readdir(disk.root), []);
		});

		it('refuses more than it can keep', async () => {
			disk = await workspaceOnDisk();
			await mkdir(join(disk.root, 'many'));
			await Promise.all(Array.from({ length: 2001 }, (_, n) => writeFile(join(disk.root, `many/${n}`), '')));
			await assert.rejects(remove('many', true), { code: 'FILE_TOO_LARGE' });
		});
	});

	describe('fs.move', () => {
		it('replaces nothing: no file, no folder, no link', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a', 'b.txt': 'b', 'folder/c.txt': 'c' });
			await symlink('nowhere', join(disk.root, 'dangling'));
			await mkdir(join(disk.root, 'empty'));
			for (const to of ['b.txt', 'folder', 'empty', 'a.txt', '.']) {
				await assert.rejects(move('a.txt', to), { code: 'ALREADY_EXISTS' }, to);
			}
			await assert.rejects(move('a.txt', 'dangling'), { code: 'NOT_FOUND' });
			assert.deepEqual([await text('a.txt'), await text('b.txt')], ['a', 'b']);
		});

		it('replaces nothing that appeared after it was asked', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a' });
			const prepared = await disk.ops['fs.move'].prepare({ from: 'a.txt', to: 'b.txt' }, disk.context());
			await writeFile(join(disk.root, 'b.txt'), 'b');
			await assert.rejects(prepared.run(disk.context()), { code: 'FILE_CHANGED' });
			assert.deepEqual([await text('a.txt'), await text('b.txt')], ['a', 'b']);
		});

		it('leads neither into nor out of the workspace, nor into itself', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'a', 'folder/b.txt': '' });
			await writeFile(join(disk.outside, 'c.txt'), 'c');
			await symlink(disk.outside, join(disk.root, 'out'));
			await assert.rejects(move('a.txt', '../a.txt'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(move('a.txt', 'out/a.txt'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(move('out/c.txt', 'c.txt'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			await assert.rejects(move('folder', 'folder/inner'), { code: 'INVALID_PARAMS' });
			await assert.rejects(move('.', 'x'), { code: 'PATH_INVALID' });
			await assert.rejects(move('gone.txt', 'x'), { code: 'NOT_FOUND' });
		});

		it('is judged by both places and every name that moves along', async () => {
			disk = await workspaceOnDisk({ 'hooks/pre-commit': '#!', 'pack/.env': 'K=1', 'a.txt': '' });
			const traits = async (from: string, to: string) => {
				const { targets } = await disk.ops['fs.move'].prepare({ from, to }, disk.context());
				return targets.map((target) => target.kind === 'file' && [target.isProtected, target.isSecret]);
			};
			assert.deepEqual(await traits('hooks', '.git/hooks'), [
				[false, false],
				[true, false],
			]);
			assert.deepEqual(await traits('pack', 'other'), [
				[true, true],
				[true, true],
			]);
			assert.deepEqual(await traits('a.txt', '.vscode/tasks.json'), [
				[false, false],
				[true, false],
			]);
		});

		it('moves a file and a folder with their modes, and makes the folders on the way', async () => {
			disk = await workspaceOnDisk({ 'a.sh': 'a', 'folder/deep/b.txt': 'b', 'folder/c.bin': Buffer.from([0]) });
			await chmod(join(disk.root, 'a.sh'), 0o750);
			assert.deepEqual(await move('a.sh', 'new/place/b.sh'), { from: 'a.sh', to: 'new/place/b.sh', files: 1 });
			assert.equal((await lstat(join(disk.root, 'new/place/b.sh'))).mode & 0o777, 0o750);
			assert.deepEqual(await move('folder', 'moved'), { from: 'folder', to: 'moved', files: 2 });
			assert.deepEqual([await text('moved/deep/b.txt'), isThere('moved/c.bin'), isThere('folder')], ['b', true, false]);
			assert.deepEqual(
				disk.images.map(({ path, before }) => [path, before?.replace(/[0-9a-f]{64}/, 'hash')]),
				[
					['a.sh', 'a'],
					['new/place/b.sh', undefined],
					['folder', '\0bytes folder'],
					['moved', undefined],
					['folder/c.bin', '\0bytes hash'],
					['moved/c.bin', undefined],
					['folder/deep', '\0bytes folder'],
					['moved/deep', undefined],
					['folder/deep/b.txt', 'b'],
					['moved/deep/b.txt', undefined],
				],
			);
		});
	});

	describe('fs.makeFolder and fs.stat', () => {
		it('make no folder once they are stopped', async () => {
			disk = await workspaceOnDisk();
			const prepared = await disk.ops['fs.makeFolder'].prepare({ path: 'new' }, disk.context());
			const signal = AbortSignal.abort(new Error('stopped by the user'));
			await assert.rejects(prepared.run(disk.context({ signal })), /stopped by the user/);
			assert.equal(isThere('new'), false);
		});

		it('make no folder where a file is, nor outside', async () => {
			disk = await workspaceOnDisk({ 'a.txt': '' });
			await symlink(disk.outside, join(disk.root, 'out'));
			const make = (path: string) => disk.perform('fs.makeFolder', { path });
			await assert.rejects(make('a.txt'), { code: 'ALREADY_EXISTS' });
			await assert.rejects(make('a.txt/b'), { code: 'NOT_A_FOLDER' });
			await assert.rejects(make('out/new'), { code: 'PATH_OUTSIDE_WORKSPACE' });
			assert.deepEqual(await make('x/y'), { path: 'x/y', created: true });
			assert.deepEqual(await make('x/y'), { path: 'x/y', created: false });
			assert.deepEqual(
				disk.images.map(({ path, before }) => [path, before]),
				[
					['x', undefined],
					['x/y', undefined],
				],
			);
		});

		it('say what is there', async () => {
			disk = await workspaceOnDisk({ 'a.txt': 'four', '.env': 'K=1' });
			const stat = await disk.perform('fs.stat', { path: 'a.txt' });
			assert.deepEqual([stat.kind, stat.size, stat.modified.slice(0, 2)], ['file', 4, '20']);
			assert.equal((await disk.perform('fs.stat', { path: '.' })).kind, 'folder');
			await assert.rejects(disk.perform('fs.stat', { path: 'b.txt' }), { code: 'NOT_FOUND' });
		});

		it('tell nothing of a file outside when a folder was swapped for a link after it was prepared', async () => {
			disk = await workspaceOnDisk({ 'gone/a.txt': 'a' });
			await writeFile(join(disk.outside, 'a.txt'), 'outside');
			const prepared = await disk.ops['fs.stat'].prepare({ path: 'gone/a.txt' }, disk.context());
			await unlink(join(disk.root, 'gone/a.txt'));
			await rmdir(join(disk.root, 'gone'));
			await symlink(disk.outside, join(disk.root, 'gone'));
			await assert.rejects(prepared.run(disk.context()));
		});
	});
});
