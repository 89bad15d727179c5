import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { FolderWatch } from './folder-watch.ts';

describe('Watching folders', function () {
	this.timeout(30_000);
	let watch: FolderWatch;
	let told: number;
	let root: string;
	const toldAgain = async (what: string, change: () => void) => {
		told = 0;
		change();
		await waitFor(what, () => told > 0);
	};
	beforeEach(() => {
		root = tempDir('watched');
		told = 0;
		watch = new FolderWatch(3, () => (told += 1));
	});
	afterEach(() => watch.dispose());

	it('tells of a folder that is not there yet, and of no other name beside it', async () => {
		assert.equal(await watch.watch([join(root, 'a/b')]), true);
		assert.equal(watch.isComplete, true);
		writeFileSync(join(root, 'other'), '');
		await toldAgain('a to appear', () => mkdirSync(join(root, 'a')));
		await watch.watch([join(root, 'a/b')]);
		await toldAgain('b to appear', () => mkdirSync(join(root, 'a/b')));
		await watch.watch([join(root, 'a/b')]);
		await toldAgain('a file in b', () => writeFileSync(join(root, 'a/b/c'), ''));
		await toldAgain('b to be gone', () => rmSync(join(root, 'a/b'), { recursive: true }));
	});

	it('tells of what happens in a folder that has been put in the place of another', async () => {
		const folder = join(root, 'a');
		for (const name of ['a', 'b']) mkdirSync(join(root, name));
		await watch.watch([folder]);
		await toldAgain('a to be replaced', () => {
			renameSync(folder, join(root, 'old'));
			renameSync(join(root, 'b'), folder);
		});
		assert.equal(await watch.watch([folder]), true);
		await toldAgain('a file in the new one', () => writeFileSync(join(folder, 'c'), ''));
	});

	it('says that somebody must look when there is more than is watched', async () => {
		const folders = ['a', 'b', 'c', 'd'].map((name) => join(root, name));
		for (const folder of folders) mkdirSync(folder);
		await watch.watch(folders);
		assert.equal(watch.isComplete, false);
		await watch.watch(folders.slice(0, 2));
		assert.equal(watch.isComplete, true);
		assert.equal(await watch.watch(folders.slice(0, 2)), false);
	});

	it('watches nothing when it ends while it begins', async () => {
		const beginning = watch.watch([root, join(root, 'a/b')]);
		watch.dispose();
		assert.equal(await beginning, false);
		writeFileSync(join(root, 'c'), '');
		await watch.watch([]);
		assert.equal(told, 0);
	});
});
