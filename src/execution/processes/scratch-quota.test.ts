import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { watchScratch } from './scratch-quota.ts';

const quota = { bytes: 100_000, files: 20, lookMs: 10 };

describe('The folder an executor works in', () => {
	let folder: string;
	beforeEach(() => {
		folder = tempDir('scratch');
	});
	const exceeded = (limits = quota) =>
		new Promise<string>((resolve) => {
			watchScratch(folder, resolve, limits);
		});
	const files = (count: number, below = '') => {
		for (let at = 0; at < count; at += 1) writeFileSync(join(folder, below, `${at}`), '');
	};

	it('may hold so many files and folders, wherever they lie', async () => {
		mkdirSync(join(folder, 'a/b'), { recursive: true });
		files(10);
		files(9, 'a/b');
		assert.equal(await exceeded(), 'more than 20 files');
	});

	it('may hold so many bytes', async () => {
		writeFileSync(join(folder, 'large'), Buffer.alloc(200_000, 1));
		assert.equal(await exceeded(), 'more than 100000 bytes');
	});

	it('is looked at until it is too much', async () => {
		const told = exceeded();
		files(1);
		// A second watch with the same interval has meanwhile found that file.
		assert.equal(await exceeded({ ...quota, files: 0 }), 'more than 0 files');
		files(21);
		assert.equal(await told, 'more than 20 files');
	});

	it('is within its limits with holes, links and closed folders, and is not looked at after the end', async () => {
		writeFileSync(join(folder, 'holes'), '');
		truncateSync(join(folder, 'holes'), 1_000_000_000);
		symlinkSync('/usr', join(folder, 'link'));
		mkdirSync(join(folder, 'closed'));
		chmodSync(join(folder, 'closed'), 0);
		const told: string[] = [];
		const watch = watchScratch(folder, (problem) => told.push(problem), quota);
		files(10);
		// Another watch of the same folder has looked at it meanwhile, several times.
		writeFileSync(join(folder, 'a'), '');
		assert.equal(await exceeded({ ...quota, files: 5 }), 'more than 5 files');
		watch.dispose();
		files(30);
		assert.equal(await exceeded({ ...quota, files: 25 }), 'more than 25 files');
		assert.deepEqual(told, []);
		chmodSync(join(folder, 'closed'), 0o700);
	});
});
