import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { type CommandChanges, WorkspaceSweeps } from './workspace-sweeps.ts';

describe('Looks before and after a command', () => {
	let work: string;
	let other: string;
	let failures: string[];
	let sweeps: WorkspaceSweeps;

	interface Limits {
		readonly maxFiles?: number;
		readonly followedMs?: number;
		readonly shownMs?: number;
		readonly isUnsaved?: (absolutePath: string) => boolean;
	}
	const openIn = (home: string, limits: Limits = {}) => {
		const folders = [work, other];
		return new WorkspaceSweeps({
			workerUrl: new URL('./worker.ts', import.meta.url),
			home,
			folders: () => folders,
			keptBytes: () => 1_000_000,
			onFailed: (error) => failures.push(String(error)),
			shownMs: Number.POSITIVE_INFINITY,
			...limits,
		});
	};
	const open = (limits: Limits = {}) => {
		const home = tempDir('home');
		sweeps = openIn(home, limits);
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
		open({ maxFiles: 1 });
		assert.equal((await begin()).looks, undefined);
		assert.equal(failures.length, 1);
		assert.match(failures[0] ?? '', /has more than 1 files/);
		const { looks, paths } = await begin();
		writeFileSync(join(other, 'd.txt'), 'new');
		rmSync(join(work, 'a.txt'));
		await looks?.end();
		assert.deepEqual(paths(), [join(other, 'd.txt')]);
	});

	it('count such a folder again in a later process only once its ignored files or its own entries change', async () => {
		const home = open({ maxFiles: 1 });
		await begin();
		rmSync(join(work, 'b/c.txt'));
		const inNewProcess = async () => {
			const later = openIn(home, { maxFiles: 1 });
			const { looks } = await begin('one', later);
			await looks?.end();
			await later.close();
			return looks !== undefined;
		};
		assert.equal(await inNewProcess(), false);
		writeFileSync(join(work, '.gitignore'), 'a.txt\n');
		assert.equal(await inNewProcess(), true);
		writeFileSync(join(work, 'b/new.txt'), 'new');
		assert.equal(await inNewProcess(), false);
		writeFileSync(join(work, '.gitignore'), '*.txt\n');
		assert.equal(await inNewProcess(), true);
	});

	/** Collects the changes that the looks at a single command find. */
	async function begin(owner = 'one', at = sweeps) {
		const found: CommandChanges['changes'][number][] = [];
		const looks = await at.before(
			owner,
			() =>
				({ changes }) =>
					Promise.resolve(void found.push(...changes)),
		);
		const shown = () => found.map(({ absolutePath, isShown }) => [relative(work, absolutePath), isShown]);
		return { found, looks, shown, paths: () => found.map(({ absolutePath }) => absolutePath) };
	}

	it('leave out what somebody else has written since the look before', async () => {
		open();
		const { looks, paths } = await begin();
		for (const name of ['a.txt', 'b/c.txt']) writeFileSync(join(work, name), 'new');
		sweeps.expect(join(work, 'a.txt'));
		await looks?.look();
		writeFileSync(join(work, 'a.txt'), 'newer');
		await looks?.end();
		assert.deepEqual(paths(), [join(work, 'b/c.txt'), join(work, 'a.txt')]);
	});

	it('at a command in the background end after a while, whatever becomes of it', async () => {
		open({ followedMs: 0 });
		const { looks, paths } = await begin();
		await looks?.endAfter(new Promise(() => {}));
		writeFileSync(join(work, 'a.txt'), 'by others');
		await sweeps.lookNow();
		assert.deepEqual(paths(), []);
	});

	it('that were prepared find what changed since the look before, and nothing from before it', async () => {
		open();
		sweeps.prepare();
		writeFileSync(join(work, 'b/c.txt'), 'C');
		const { looks, paths } = await begin();
		sweeps.prepare();
		writeFileSync(join(work, 'a.txt'), 'A');
		await looks?.end();
		assert.deepEqual(paths(), [join(work, 'a.txt')]);
	});

	it('find what changed in each folder of the workspace, and what it held', async () => {
		open();
		const { looks, found } = await begin();
		writeFileSync(join(work, 'a.txt'), 'A');
		rmSync(join(work, 'b/c.txt'));
		mkdirSync(join(other, 'new'));
		writeFileSync(join(other, 'new/e.txt'), 'e');
		symlinkSync('nowhere', join(other, 'link'));
		await looks?.end();
		assert.deepEqual(
			found.map(({ absolutePath, before, after }) => [
				...[absolutePath, text(before?.bytes), text(after?.bytes)],
				...((after ?? before)?.kind === undefined ? [] : [(after ?? before)?.kind]),
			]),
			[
				[join(work, 'a.txt'), 'a', 'A'],
				[join(work, 'b/c.txt'), 'c', undefined],
				[join(other, 'link'), undefined, 'nowhere', 'link'],
				[join(other, 'new'), undefined, '', 'folder'],
				[join(other, 'new/e.txt'), undefined, 'e'],
			],
		);
	});

	it('find what went with a folder that has become a file or a link, however deep it was', async () => {
		await writeFiles(work, { 'd/e/f/g.txt': 'g', 'h/i/j.txt': 'j' });
		open();
		const { looks, paths } = await begin();
		rmSync(join(work, 'd'), { recursive: true });
		writeFileSync(join(work, 'd'), 'file');
		rmSync(join(work, 'h'), { recursive: true });
		symlinkSync('b', join(work, 'h'));
		await looks?.end();
		const gone = ['d', 'h', 'd/e', 'd/e/f', 'd/e/f/g.txt', 'h/i', 'h/i/j.txt'];
		assert.deepEqual([failures, paths().map((path) => relative(work, path))], [[], gone]);
	});

	it('count no folder as made or removed that somebody else has written in, nor one that only has other permissions', async () => {
		open();
		const { looks, paths } = await begin();
		for (const name of ['made', 'theirs/deep']) mkdirSync(join(work, name), { recursive: true });
		sweeps.expect(join(work, 'theirs/deep/file.txt'));
		chmodSync(join(work, 'b'), 0o700);
		rmSync(join(work, 'b/c.txt'));
		sweeps.expect(join(work, 'b/c.txt'));
		await looks?.end();
		assert.deepEqual(paths(), [join(work, 'made')]);
	});

	it('lose no change where commands run side by side', async () => {
		open();
		const first = await begin();
		writeFileSync(join(work, 'a.txt'), 'by the first');
		const second = await begin();
		writeFileSync(join(other, 'd.txt'), 'by the second');
		await first.looks?.end();
		await second.looks?.end();
		assert.deepEqual(
			[...first.found, ...second.found].map(({ absolutePath, before }) => [absolutePath, text(before?.bytes)]),
			[
				[join(work, 'a.txt'), 'a'],
				[join(other, 'd.txt'), 'd'],
			],
		);
	});

	describe('show whose a change is:', () => {
		it('the only command of its owner did it', async () => {
			open();
			const [first, second] = [await begin(), await begin()];
			writeFileSync(join(work, 'a.txt'), 'A');
			await first.looks?.end();
			writeFileSync(join(work, 'b/c.txt'), 'C');
			await second.looks?.end();
			assert.deepEqual(
				[...first.shown(), ...second.shown()],
				[
					['a.txt', true],
					['b/c.txt', true],
				],
			);
		});

		it('nobody knows, where a command of another owner ran beside it, here or in another host', async () => {
			const home = open();
			const beside = openIn(home);
			for (const at of [sweeps, beside]) {
				const other = await begin('other', at);
				const { looks, shown } = await begin();
				writeFileSync(join(work, 'a.txt'), String(at === sweeps));
				if (at === sweeps) await other.looks?.end();
				await looks?.end();
				await other.looks?.end();
				assert.deepEqual([...shown(), ...(at === sweeps ? other.shown() : [])], [['a.txt', false]]);
			}
			await beside.close();
		});

		it('another host wrote it, so it is no change of the command at all', async () => {
			const home = open();
			const beside = openIn(home);
			const { looks, shown } = await begin();
			beside.expect(join(work, 'a.txt'));
			writeFileSync(join(work, 'a.txt'), 'by an op of another run');
			writeFileSync(join(work, 'b/c.txt'), 'C');
			await looks?.end();
			await beside.close();
			assert.deepEqual(shown(), [['b/c.txt', true]]);
		});

		it('nobody knows, where a write of this host or of another began before the look before the command', async () => {
			const home = open();
			const beside = openIn(home);
			await (await begin()).looks?.end();
			const path = join(work, 'a.txt');
			for (const [at, saysSo] of [
				[sweeps, true],
				[sweeps, false],
				[beside, true],
				[beside, false],
			] as const) {
				at.expect(path);
				const { looks, shown } = await begin();
				writeFileSync(path, `${at === sweeps} ${saysSo}`);
				writeFileSync(join(work, 'b/c.txt'), `${at === sweeps} ${saysSo}`);
				if (saysSo) at.wrote(path);
				await looks?.end();
				assert.deepEqual(shown(), [
					['a.txt', false],
					['b/c.txt', true],
				]);
				at.wrote(path);
			}
			await beside.close();
		});

		it('the command did it, where such a write was over before the look', async () => {
			const home = open();
			const beside = openIn(home);
			await (await begin()).looks?.end();
			for (const at of [sweeps, beside]) {
				at.expect(join(work, 'a.txt'));
				writeFileSync(join(work, 'a.txt'), `${at === sweeps}`);
				at.wrote(join(work, 'a.txt'));
				await (await begin()).looks?.end();
				const { looks, shown } = await begin();
				writeFileSync(join(work, 'a.txt'), `the command, ${at === sweeps}`);
				await looks?.end();
				assert.deepEqual(shown(), [['a.txt', true]]);
			}
			await beside.close();
		});

		it('nobody knows, where an editor holds another text of the file, which may be saved at any moment', async () => {
			open({ isUnsaved: (absolutePath) => absolutePath === join(work, 'a.txt') });
			const { looks, shown } = await begin();
			for (const name of ['a.txt', 'b/c.txt']) writeFileSync(join(work, name), 'new');
			await looks?.end();
			assert.deepEqual(shown(), [
				['a.txt', false],
				['b/c.txt', true],
			]);
		});

		it('nobody knows, where the command ran for long', async () => {
			open({ shownMs: 0 });
			const long = await begin();
			writeFileSync(join(work, 'a.txt'), 'A');
			await long.looks?.end();
			assert.deepEqual(long.shown(), [['a.txt', false]]);
		});

		it('somebody works in the folder, where a file changed while nothing of the command ran', async () => {
			open();
			const { looks, shown } = await begin();
			looks?.rested({ fromMs: Date.now() - 60_000, toMs: Date.now() + 60_000 });
			writeFileSync(join(work, 'a.txt'), 'A');
			await looks?.end();
			assert.deepEqual(shown(), [['a.txt', false]]);
		});

		it('somebody works in the folder, where a file went while nothing of the command ran', async () => {
			open();
			const { looks, shown } = await begin();
			looks?.rested({ fromMs: Date.now() - 60_000, toMs: Date.now() + 60_000 });
			rmSync(join(work, 'b'), { recursive: true });
			await looks?.end();
			assert.deepEqual(shown(), [
				['b', false],
				['b/c.txt', false],
			]);
		});
	});
});
