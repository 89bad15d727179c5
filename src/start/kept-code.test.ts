import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../../test/support/temp-dir.ts';
import { readKeptCode, writeKeptCode } from './kept-code.ts';

const stamp = 'a'.repeat(64);
const code = Buffer.from('code\nof\0 a script');

describe('Kept code', () => {
	let file: string;
	beforeEach(() => {
		file = join(tempDir('kept'), 'code', 'cli-run');
		writeKeptCode(file, stamp, { code, starts: 2 });
	});

	it('is not taken for another script', () => {
		assert.equal(readKeptCode(file, 'b'.repeat(64)), undefined);
	});

	it('is not taken when any one of its bytes is another', () => {
		const whole = readFileSync(file);
		for (const at of whole.keys()) {
			const damaged = Buffer.from(whole);
			damaged[at] = (damaged[at] ?? 0) ^ 1;
			writeFileSync(file, damaged);
			const kept = readKeptCode(file, stamp);
			// The number of starts is not part of what runs.
			assert.ok(kept === undefined || code.equals(kept.code), `byte ${at}`);
		}
	});

	it('is not taken when its end is missing', () => {
		const whole = readFileSync(file);
		for (const length of whole.keys()) {
			writeFileSync(file, whole.subarray(0, length));
			assert.equal(readKeptCode(file, stamp), undefined, `${length} bytes`);
		}
	});

	it('is missing where nobody has kept any', () => {
		assert.equal(readKeptCode(join(dirname(file), 'cli-other'), stamp), undefined);
	});

	it('stays as it was, with nothing beside it, when it cannot be replaced', () => {
		const folder = join(dirname(file), 'a folder');
		mkdirSync(folder);
		writeKeptCode(folder, stamp, { code, starts: 1 });
		assert.deepEqual(readdirSync(dirname(file)).sort(), ['a folder', 'cli-run']);
	});

	it('is given back with the number of starts that have added to it', () => {
		const kept = readKeptCode(file, stamp);
		assert.deepEqual([Buffer.from(kept?.code ?? []), kept?.starts], [code, 2]);
		writeKeptCode(file, stamp, { code, starts: 3 });
		assert.equal(readKeptCode(file, stamp)?.starts, 3);
	});
});
