import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { FolderWatch } from './folder-watch.ts';
import { MAX_WATCHED_FOLDERS } from './limits.ts';

describe('Watching folders', function () {
	this.timeout(30_000);
	let watch: FolderWatch;
	let told: number;
	let root: string;
	const toldAgain = async (what: string, change: () => void) => {
		told = 0;
		change();
		await waitFor(what, () => told > 0, 10_000);
	};
	beforeEach(() => {
		root = tempDir('watched');
		told = 0;
		watch = new FolderWatch(() => (told += 1));
	});
	afterEach(() => watch.dispose());

	it('tells of a folder that is not there yet, and of no other name beside it', async () => {
		assert.equal(watch.watch([join(root, 'a/b')]), true);
		assert.equal(watch.isComplete, true);
		writeFileSync(join(root, 'other'), '');
		await toldAgain('a to appear', () => mkdirSync(join(root, 'a')));
		watch.watch([join(root, 'a/b')]);
		await toldAgain('b to appear', () => mkdirSync(join(root, 'a/b')));
		watch.watch([join(root, 'a/b')]);
		await toldAgain('a file in b', () => writeFileSync(join(root, 'a/b/c'), ''));
		await toldAgain('b to be gone', () => rmSync(join(root, 'a/b'), { recursive: true }));
	});

	it('says that somebody must look when there is more than is watched', () => {
		const folders = Array.from({ length: MAX_WATCHED_FOLDERS + 1 }, (_, at) => join(root, `f${at}`));
		for (const folder of folders) mkdirSync(folder);
		watch.watch(folders);
		assert.equal(watch.isComplete, false);
		watch.watch(folders.slice(0, 2));
		assert.equal(watch.isComplete, true);
		assert.equal(watch.watch(folders.slice(0, 2)), false);
	});
});
