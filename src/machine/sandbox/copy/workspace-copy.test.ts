import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../../test/support/workspace-on-disk.ts';
import type { ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish, type Text } from '../../../protocol/text/text.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

describe('A copy of the workspace', () => {
	let work: string;
	let outside: string;
	let copy: WorkspaceCopy;

	beforeEach(async function () {
		if (process.platform !== 'linux') this.skip();
		[work, outside] = [tempDir('work'), tempDir('outside')];
		await writeFiles(work, { 'a.txt': 'a', 'd/x.txt': 'inside', 'd/e/y.txt': 'inside' });
		await writeFiles(outside, { 'x.txt': 'secret', 'e/y.txt': 'secret' });
		copy = new WorkspaceCopy(tempDir('home'), new AbortController().signal);
	});
	afterEach(() => copy.remove());

	const copied = (path: string) => {
		const at = copy.findSource(join(work, path));
		return existsSync(at) ? readFileSync(at, 'utf8') : undefined;
	};
	const fill = (onFile: (path: string) => void = () => {}) =>
		copy.fill([work], (path) => {
			onFile(path);
			return false;
		});
	/** The path is another folder from the next moment on. */
	const swap = (path: string) => {
		if (existsSync(`${path}-moved`)) return;
		renameSync(path, `${path}-moved`);
		symlinkSync(outside, path);
	};

	it('is given up when it takes too long, and says so', async () => {
		const late = new WorkspaceCopy(tempDir('home'), new AbortController().signal, 20);
		const isLate = Date.now() + 40;
		const filled = late.fill([work], () => {
			while (Date.now() < isLate);
			return false;
		});
		await assert.rejects(filled, (error: ProwessError) => {
			assert.deepEqual(
				[error.code, inEnglish(error.facts['said'] as Text)],
				['TIMEOUT', 'The workspace took longer than 0.02 s to be copied.'],
			);
			return true;
		});
		await late.remove();
	});

	it('holds nothing from beyond it when a folder becomes a link while it is copied', async () => {
		await fill((path) => path === join(work, 'd/x.txt') && swap(join(work, 'd'))).catch(() => undefined);
		for (const path of ['d/x.txt', 'd/e/y.txt']) assert.notEqual(copied(path), 'secret', path);
	});

	it('waits for no pipe that has taken the place of a file', async () => {
		await fill((path) => {
			if (path !== join(work, 'a.txt')) return;
			renameSync(path, join(outside, 'a.txt'));
			execFileSync('mkfifo', [path]);
		});
		assert.deepEqual([copied('a.txt'), copied('d/x.txt')], [undefined, 'inside']);
	});

	it('names what the command did to it, whatever the size of that', async () => {
		await fill();
		writeFileSync(copy.findSource(join(work, 'a.txt')), 'A');
		mkdirSync(copy.findSource(join(work, 'new')));
		writeFileSync(copy.findSource(join(work, 'new/large')), '');
		truncateSync(copy.findSource(join(work, 'new/large')), 5e9);
		truncateSync(copy.findSource(join(work, 'd/x.txt')), 5e9);
		assert.deepEqual(
			(await copy.changes()).map(({ path, kind, bytes }) => [path.slice(work.length + 1), kind, bytes]),
			[
				['a.txt', 'modified', 1],
				['d/x.txt', 'modified', 5e9],
				['new', 'created', 0],
				['new/large', 'created', 5e9],
			],
		);
	});

	it('is given up where the command made more of it than can be looked at', async () => {
		await fill();
		for (let n = 0; n < 4; n += 1) writeFileSync(copy.findSource(join(work, `new-${n}`)), '');
		await assert.rejects(copy.changes(5), { code: 'INVALID_STATE' });
	});
});
