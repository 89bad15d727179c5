import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { isPlainRepository } from './plain-repository.ts';

describe('A repository that names no program', () => {
	let root: string;
	const of = async (config: string) => {
		await mkdir(join(root, '.git'), { recursive: true });
		await writeFile(join(root, '.git/config'), config);
		return isPlainRepository(root, root);
	};

	beforeEach(async () => {
		root = await realpath(tempDir('repository'));
	});

	for (const config of [
		'[filter "x"]\n\tclean = id',
		'[ FILTER "x"]',
		'[diff "x"] textconv = id',
		'[core]\n\tfsmonitor = id',
		'[core] fsMonitor=id',
		'[include]\n\tpath = ../evil',
		'[includeIf "gitdir:/"]\n\tpath = ../evil',
		'[gpg]\n\tprogram = id',
		'[core]\n\tworktree = /',
		'[diff]\n\texternal = id',
	]) {
		it(`has no setting such as ${JSON.stringify(config)}`, async () => assert.equal(await of(config), false));
	}

	it('is none where the settings are too many, elsewhere, or not to be read', async () => {
		assert.equal(await isPlainRepository(root, root), false);
		assert.equal(await of(`# ${'x'.repeat(70_000)}`), false);
		assert.equal(await of('[core]\n'), true);
		await writeFile(join(root, '.git/config.worktree'), '');
		assert.equal(await isPlainRepository(root, root), false);
		await mkdir(join(root, 'linked'));
		await writeFile(join(root, 'linked/.git'), 'gitdir: /elsewhere');
		assert.equal(await isPlainRepository(join(root, 'linked'), root), false);
	});

	it('is found above the folder, but not above the workspace', async () => {
		await of('[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.org/a.git');
		await mkdir(join(root, 'src/deep'), { recursive: true });
		assert.equal(await isPlainRepository(join(root, 'src/deep'), root), true);
		assert.equal(await isPlainRepository(join(root, 'src/deep'), join(root, 'src')), false);
	});
});
