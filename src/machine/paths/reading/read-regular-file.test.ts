/** Tests the reader of files that others made, against everything that may lie in the place of a file. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { readFileStart, readFileStartSync, readRegularFile, readRegularFileSync } from './read-regular-file.ts';

const LIMIT = 1_000;

describe('A file that others made', function () {
	let root: string;
	let server: Server;
	const at = (name: string) => join(root, 'ws', name);

	before(function () {
		if (process.platform === 'win32') this.skip();
	});

	beforeEach(() => {
		root = tempDir('made-by-others');
		mkdirSync(join(root, 'ws', 'sub'), { recursive: true });
		server = createServer();
	});

	afterEach(() => void server.close());

	const inPlaceOfIt: readonly (readonly [what: string, make: (path: string) => void | Promise<void>])[] = [
		['a device without an end behind a link', (path) => symlinkSync('/dev/zero', path)],
		['a pipe', (path) => void execFileSync('mkfifo', [path])],
		['a pipe behind a link', (path) => (execFileSync('mkfifo', [`${path}.pipe`]), symlinkSync(`${path}.pipe`, path))],
		['a folder', (path) => mkdirSync(path)],
		['a socket', (path) => new Promise<void>((resolve) => server.listen(path, resolve))],
		['a link to itself', (path) => symlinkSync(path, path)],
		['a link that leads nowhere', (path) => symlinkSync(join(root, 'none'), path)],
		['nothing', () => undefined],
	];
	for (const [what, make] of inPlaceOfIt) {
		it(`is not read where ${what} is in its place`, async () => {
			await make(at('a'));
			await assert.rejects(readRegularFile(at('a'), LIMIT));
			await assert.rejects(readFileStart(at('a'), LIMIT));
			assert.throws(() => readRegularFileSync(at('a'), LIMIT, [join(root, 'ws')]));
			assert.throws(() => readRegularFileSync(at('a'), LIMIT));
			assert.throws(() => readFileStartSync(at('a'), LIMIT));
		});
	}

	it('is not read where it is larger than the limit, and of a larger one the start is', async () => {
		writeFileSync(at('a'), 'begins');
		truncateSync(at('a'), 5_000_000_000);
		await assert.rejects(readRegularFile(at('a'), LIMIT), /5000000000 bytes, the limit is 1000/);
		assert.throws(() => readRegularFileSync(at('a'), LIMIT), /5000000000 bytes, the limit is 1000/);
		assert.equal((await readFileStart(at('a'), 6)).toString(), 'begins');
		assert.equal(readFileStartSync(at('a'), 6).toString(), 'begins');
	});

	it('is not read through a link, or a linked folder, that leads out of where it may lie', async () => {
		mkdirSync(join(root, 'outside'));
		writeFileSync(join(root, 'outside', 'a'), 'secret');
		symlinkSync(join(root, 'outside', 'a'), at('a'));
		symlinkSync(join(root, 'outside'), at('linked'));
		// The folder of the same beginning is another one.
		mkdirSync(join(root, 'ws-b'));
		writeFileSync(join(root, 'ws-b', 'a'), 'secret');
		symlinkSync(join(root, 'ws-b', 'a'), at('beside'));
		for (const path of [at('a'), at('linked/a'), at('beside')]) {
			assert.throws(() => readRegularFileSync(path, LIMIT, [join(root, 'ws')]), /leads out of its folder/, path);
			await assert.rejects(readRegularFile(path, LIMIT), path);
		}
	});

	it('is read to its end, also through a link within its folder', async () => {
		for (const content of ['', 'x', 'x'.repeat(LIMIT)]) {
			writeFileSync(at('sub/a'), content);
			assert.equal((await readRegularFile(at('sub/a'), LIMIT)).toString(), content);
			assert.equal(readRegularFileSync(at('sub/a'), LIMIT).toString(), content);
		}
		symlinkSync(at('sub/a'), at('a'));
		assert.equal(readRegularFileSync(at('a'), LIMIT, [join(root, 'ws')]).length, LIMIT);
	});
});
