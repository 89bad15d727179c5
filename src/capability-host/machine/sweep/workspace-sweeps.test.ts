import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../../test/support/workspace-on-disk.ts';
import { WorkspaceSweeps } from './workspace-sweeps.ts';

describe('Looks before and after a command', () => {
	let work: string;
	let other: string;
	let failures: string[];
	let sweeps: WorkspaceSweeps;

	const open = (maxFiles?: number) => {
		const [home, folders] = [tempDir('home'), [work, other]];
		sweeps = new WorkspaceSweeps({
			workerUrl: new URL('./worker.ts', import.meta.url),
			home,
			folders: () => folders,
			keptBytes: () => 1_000_000,
			onFailed: (error) => failures.push(String(error)),
			...(maxFiles === undefined ? {} : { maxFiles }),
		});
		return home;
	};
	const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : Buffer.from(bytes).toString());
	beforeEach(async () => {
		failures = [];
		[work, other] = [tempDir('work'), tempDir('other')];
		await writeFiles(work, { 'a.txt': 'a', 'b/c.txt': 'c' });
		await writeFiles(other, { 'd.txt': 'd' });
	});
	afterEach(() => sweeps.close());

	it('leave a folder with too many files alone, say so once, and look at no part of it', async () => {
		open(1);
		assert.equal(await sweeps.before(), undefined);
		assert.equal(failures.length, 1);
		assert.match(failures[0] ?? '', /has more than 1 files/);
		const after = await sweeps.before();
		writeFileSync(join(other, 'd.txt'), 'new');
		rmSync(join(work, 'a.txt'));
		assert.deepEqual(
			(await after?.())?.changes.map(({ absolutePath }) => absolutePath),
			[join(other, 'd.txt')],
		);
	});

	it('that were prepared find what changed since the look before, and nothing from before it', async () => {
		open();
		sweeps.prepare();
		writeFileSync(join(work, 'b/c.txt'), 'C');
		const after = await sweeps.before();
		sweeps.prepare();
		writeFileSync(join(work, 'a.txt'), 'A');
		assert.deepEqual(
			(await after?.())?.changes.map(({ absolutePath }) => absolutePath),
			[join(work, 'a.txt')],
		);
	});

	it('find what changed in each folder of the workspace, and what it held', async () => {
		open();
		const after = await sweeps.before();
		writeFileSync(join(work, 'a.txt'), 'A');
		rmSync(join(work, 'b/c.txt'));
		mkdirSync(join(other, 'new'));
		writeFileSync(join(other, 'new/e.txt'), 'e');
		const found = (await after?.())?.changes.map((each) => [
			each.absolutePath,
			text(each.before?.bytes),
			text(each.after?.bytes),
		]);
		assert.deepEqual(found, [
			[join(work, 'a.txt'), 'a', 'A'],
			[join(work, 'b/c.txt'), 'c', undefined],
			[join(other, 'new/e.txt'), undefined, 'e'],
		]);
	});

	it('lose no change where commands run side by side', async () => {
		open();
		const first = await sweeps.before();
		writeFileSync(join(work, 'a.txt'), 'by the first');
		const second = await sweeps.before();
		writeFileSync(join(other, 'd.txt'), 'by the second');
		const found = [...((await first?.())?.changes ?? []), ...((await second?.())?.changes ?? [])];
		assert.deepEqual(
			found.map(({ absolutePath, before }) => [absolutePath, text(before?.bytes)]),
			[
				[join(work, 'a.txt'), 'a'],
				[join(other, 'd.txt'), 'd'],
			],
		);
	});
});
