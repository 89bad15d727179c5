import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { MEMORY_KEPT_MS, WorkspaceMemory } from './workspace-memory.ts';

describe('The memory of a workspace', () => {
	const folders = ['/srv/shop'];
	let home: string;
	let warnings: string[];
	beforeEach(() => {
		home = tempDir('memory');
		warnings = [];
	});
	const windows = () => join(home, 'windows');
	const open = (of: readonly string[] = folders, what: 'thread' | 'typed' = 'thread') =>
		new WorkspaceMemory(
			{ home, folders: of, of: what },
			{ warn: (message, facts) => void warnings.push(`${message} ${JSON.stringify(facts)}`) },
		);

	it('is empty when its file is not JSON, says which file, and is filled again', async () => {
		const memory = open();
		memory.set('before');
		await memory.settled();
		const [name = ''] = readdirSync(windows());
		for (const content of ['', '{"half', 'thr_']) {
			warnings = [];
			writeFileSync(join(windows(), name), content);
			const after = open();
			assert.equal(after.value, undefined);
			assert.match(warnings.join(), new RegExp(`cannot be read.*${name}.*SyntaxError`));
			after.set('again');
			await after.settled();
			assert.equal(open().value, 'again');
		}
	});

	it('that is set while it is written is written once more, with the last of it', async () => {
		const memory = open();
		// Each write that fails says so once.
		writeFileSync(windows(), '');
		for (let n = 0; n < 100; n += 1) {
			memory.set(n);
		}
		await memory.settled();
		assert.equal(warnings.length, 2);
	});

	it('that cannot be written counts in its window, and says why it ends there', async () => {
		const memory = open();
		writeFileSync(windows(), '');
		memory.set('here');
		await memory.settled();
		assert.equal(memory.value, 'here');
		assert.match(warnings.join(), /cannot be written: it ends here.*windows.*"error":"Error: E/);
	});

	it('is empty before anything was set, without a word', () => {
		assert.equal(open().value, undefined);
		assert.deepEqual(warnings, []);
	});

	it('holds what was set last for the next window of the same folders, in a file for its user alone', async () => {
		const memory = open();
		for (const value of [1, { a: 'b' }, null, 'the last']) {
			memory.set(value);
			assert.deepEqual(memory.value, value);
		}
		await memory.settled();
		assert.equal(open().value, 'the last');
		assert.equal(open(['/srv/other']).value, undefined);
		assert.equal(open([...folders, '/srv/other']).value, undefined);
		assert.equal(open([]).value, undefined);
		assert.equal(open(folders, 'typed').value, undefined);
		const [name = '', ...more] = readdirSync(windows());
		assert.deepEqual(more, []);
		if (process.platform !== 'win32') {
			assert.equal(statSync(join(windows(), name)).mode & 0o077, 0);
		}
		assert.deepEqual(warnings, []);
	});

	it('goes when nothing was set for long', async () => {
		mkdirSync(windows());
		const file = (name: string, ageMs: number) => {
			const at = (Date.now() - ageMs) / 1000;
			writeFileSync(join(windows(), name), '1');
			utimesSync(join(windows(), name), at, at);
		};
		file('old.json', MEMORY_KEPT_MS + 60_000);
		file('young.json', MEMORY_KEPT_MS - 60_000);
		const memory = open();
		memory.set('now');
		await memory.settled();
		const names = readdirSync(windows());
		assert.equal(names.length, 2);
		assert.ok(names.includes('young.json'));
	});
});
