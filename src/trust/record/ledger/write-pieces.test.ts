import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'mocha';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { writePieces } from './write-pieces.ts';

const never = new AbortController().signal;

describe('writePieces', () => {
	let folder: string;
	beforeEach(() => {
		folder = tempDir();
	});

	async function* pieces(...texts: (string | Error)[]): AsyncGenerator<string> {
		for (const text of texts) {
			await Promise.resolve();
			if (text instanceof Error) {
				throw text;
			}
			yield text;
		}
	}

	it('leaves what was there when a piece does not come, and nothing beside it', async () => {
		const path = join(folder, 'out.csv');
		writeFileSync(path, 'before');
		await assert.rejects(writePieces(path, pieces('a', new Error('the disk went')), never), /the disk went/);
		assert.equal(readFileSync(path, 'utf8'), 'before');
		assert.deepEqual(readdirSync(folder), ['out.csv']);
	});

	it('stops between two pieces', async () => {
		const stop = new AbortController();
		async function* endless(): AsyncGenerator<string> {
			for (let n = 0; ; n += 1) {
				await Promise.resolve();
				if (n === 3) {
					stop.abort(new Error('enough'));
				}
				yield 'more';
			}
		}
		await assert.rejects(writePieces(join(folder, 'out.csv'), endless(), stop.signal), /enough/);
		assert.deepEqual(readdirSync(folder), []);
	});

	it('names the path that cannot be written', async () => {
		mkdirSync(join(folder, 'taken'));
		await assert.rejects(writePieces(join(folder, 'taken'), pieces('a'), never), /cannot write .*taken/);
		await assert.rejects(writePieces(join(folder, 'no', 'where'), pieces('a'), never), { code: 'NOT_FOUND' });
		assert.deepEqual(readdirSync(folder), ['taken']);
	});

	it('writes for the eyes of its user only', async () => {
		const path = join(folder, 'out.csv');
		await writePieces(path, pieces('a', 'b'), never);
		assert.equal(readFileSync(path, 'utf8'), 'ab');
		if (process.platform !== 'win32') {
			assert.equal(statSync(path).mode & 0o777, 0o600);
		}
	});
});
