import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type WorkspaceOnDisk, workspaceOnDisk } from '../../../test/support/workspace-on-disk.ts';
import { WorkspacePaths } from '../../machine/paths/workspace-paths.ts';
import { TOP_NAMES } from '../limits.ts';

describe('where the agent works', () => {
	let disk: WorkspaceOnDisk;

	const found = () => disk.perform('workspace.environment', {});
	const git = (...args: string[]) => execFileSync('git', args, { cwd: disk.root, stdio: 'ignore' });

	afterEach(() => disk.close());

	it('is said without a folder', async () => {
		disk = await workspaceOnDisk({}, { paths: new WorkspacePaths({ folders: [] }) });
		const { folders, top, git: repository } = await found();
		assert.deepEqual([folders, top, repository], [[], [], undefined]);
	});

	it('is said without Git, and where a repository cannot be read', async () => {
		disk = await workspaceOnDisk({ 'a.ts': '' });
		assert.equal((await found()).git, undefined);
		await mkdir(join(disk.root, '.git'));
		await writeFile(join(disk.root, '.git/HEAD'), 'nothing');
		assert.equal((await found()).git, undefined);
	});

	it('names at most so many files, and counts the others', async () => {
		const files = Object.fromEntries(Array.from({ length: TOP_NAMES + 5 }, (_, n) => [`f${n}`, '']));
		disk = await workspaceOnDisk(files);
		const { top, more } = await found();
		assert.deepEqual([top.length, more], [TOP_NAMES, 5]);
	});

	it('names the branch, how many files have changed, what lies at the top, the day and the level', async () => {
		disk = await workspaceOnDisk(
			{ 'src/a.ts': '', 'README.md': '' },
			{
				permissionsNow: () => Promise.resolve({ level: 'auto', isUnattended: true, hasRules: true, mode: 'plan' }),
			},
		);
		git('init', '--initial-branch', 'tea');
		const { date, platform, folders, ...said } = await found();
		assert.deepEqual(said, {
			git: { branch: 'tea', changedFiles: 2, isMore: false },
			top: ['src/', 'README.md'],
			more: 0,
			level: 'auto',
			isUnattended: true,
			hasRules: true,
			mode: 'plan',
		});
		assert.match(date, /^\d{4}-\d\d-\d\d$/);
		assert.equal(platform, process.platform);
		assert.deepEqual(folders, [{ name: 'app', path: disk.root }]);
	});
});
