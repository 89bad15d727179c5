import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { text } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { folderLook } from './folder-look.ts';
import { SharedJson } from './shared-json.ts';

const never = new AbortController().signal;
/** Longer ago than a clock of any file system is coarse. */
const LONG_AGO = new Date(Date.now() - 60_000);

describe('a file of our home that all hosts share', () => {
	let home: string;
	let path: string;
	const shared = () =>
		new SharedJson({
			path,
			schema: z.object({ n: z.int() }),
			empty: { n: 0 },
			consequence: text('nothing counts'),
			misfit: 'it does not fit',
		});

	beforeEach(() => {
		home = tempDir('home');
		path = join(home, 'numbers.json');
	});

	const settle = () => utimes(home, LONG_AGO, LONG_AGO);

	it('counts as soon as it comes, and no longer than it is there, however fast they follow', async () => {
		const file = shared();
		for (let n = 1; n <= 200; n += 1) {
			assert.deepEqual(await file.read(), { n: 0 });
			await writeFile(path, JSON.stringify({ n }));
			assert.deepEqual(await file.read(), { n });
			await rm(path);
		}
	});

	it('counts when it comes into a folder that has long been looked at', async () => {
		const file = shared();
		await settle();
		assert.deepEqual([await file.read(), await file.read()], [{ n: 0 }, { n: 0 }]);
		await writeFile(`${path}.new`, '{"n":1}');
		await rename(`${path}.new`, path);
		assert.deepEqual(await file.read(), { n: 1 });
	});

	it('counts when the folder it is in has taken the place of another', async () => {
		const file = shared();
		await settle();
		assert.deepEqual([await file.read(), await file.read()], [{ n: 0 }, { n: 0 }]);
		const other = tempDir('other');
		await writeFile(join(other, 'numbers.json'), '{"n":2}');
		await utimes(other, LONG_AGO, LONG_AGO);
		await rename(home, `${home}.old`);
		await rename(other, home);
		assert.deepEqual(await file.read(), { n: 2 });
	});

	it('counts when a link that led nowhere leads to it', async () => {
		const target = join(tempDir('elsewhere'), 'target.json');
		await symlink(target, path);
		await settle();
		const file = shared();
		assert.deepEqual([await file.read(), await file.read()], [{ n: 0 }, { n: 0 }]);
		await writeFile(target, '{"n":3}');
		assert.deepEqual(await file.read(), { n: 3 });
	});

	it('counts when another host has written it', async () => {
		const [one, other] = [shared(), shared()];
		await settle();
		assert.deepEqual([await one.read(), await one.read()], [{ n: 0 }, { n: 0 }]);
		await other.change(() => ({ n: 4 }), never);
		assert.deepEqual(await one.read(), { n: 4 });
	});

	it('is nothing where there is no folder, and counts when both come', async () => {
		await rm(home, { recursive: true });
		const file = shared();
		assert.deepEqual(await file.read(), { n: 0 });
		await mkdir(home);
		await writeFile(path, '{"n":5}');
		assert.deepEqual(await file.read(), { n: 5 });
	});
});

describe('the look at a folder', () => {
	it('tells nothing of one that has just changed', async () => {
		const folder = tempDir('folder');
		await writeFile(join(folder, 'a'), '');
		assert.equal(await folderLook(folder), undefined);
	});

	it('tells nothing of one that changed within seconds where seconds are all that is kept', async () => {
		const folder = tempDir('folder');
		const second = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 1_000);
		await utimes(folder, second, second);
		assert.equal(await folderLook(folder), undefined);
	});

	it('tells nothing of one whose time is yet to come, or that is not there', async () => {
		const folder = tempDir('folder');
		const later = new Date(Date.now() + 60_000);
		await utimes(folder, later, later);
		assert.equal(await folderLook(folder), undefined);
		assert.equal(await folderLook(join(folder, 'none')), undefined);
	});

	it('is the same while nothing comes or goes, and another one then', async function () {
		if (process.platform === 'win32') this.skip();
		const folder = tempDir('folder');
		await utimes(folder, LONG_AGO, LONG_AGO);
		const before = await folderLook(folder);
		assert.ok(before !== undefined);
		assert.equal(await folderLook(folder), before);
		await writeFile(join(folder, 'a'), '');
		await utimes(folder, LONG_AGO, LONG_AGO);
		assert.notEqual(await folderLook(folder), before);
	});
});
