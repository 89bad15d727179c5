import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testHost } from '../../../../test/support/host-ports.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { MAX_SEEN_CAPABILITIES } from '../limits.ts';
import { SeenCapabilities } from './seen-capabilities.ts';

describe('Which capabilities were offered in a project', () => {
	let home: string;
	let now: number;
	/** Returns the seen capabilities as the next process reads them. */
	const seenIn = (folder: string | undefined) => {
		const { ports } = testHost({ home });
		const folders = folder === undefined ? [] : [{ name: 'w', path: folder }];
		return new SeenCapabilities({ ...ports, workspace: { ...ports.workspace, folders } }, () => now);
	};
	const looks = async (at: number, names: readonly string[] | undefined, folder: string | undefined = '/a') => {
		now = at;
		const seen = seenIn(folder);
		seen.note(Promise.resolve(names === undefined ? undefined : new Set(names)));
		await seen.settled();
	};
	const after = (time: number, ...names: string[]) => seenIn('/a').cameAfter(time, new Set(names));
	const file = () => join(home, 'seen', readdirSync(join(home, 'seen'))[0] ?? '');

	beforeEach(() => {
		home = tempDir('home');
	});

	it('is not known before the first look, nor of another project, nor without one', async () => {
		assert.deepEqual(await after(0, 'skill/a'), []);
		await looks(1_000, ['skill/a']);
		assert.deepEqual(await seenIn('/b').cameAfter(0, new Set(['skill/b'])), []);
		assert.deepEqual(await seenIn(undefined).cameAfter(0, new Set(['skill/b'])), []);
		await looks(1_000, ['skill/a'], undefined);
		assert.equal(readdirSync(join(home, 'seen')).length, 1);
	});

	it('tells what came after the last look from what was there', async () => {
		await looks(1_000, ['skill/a']);
		await looks(2_000, ['skill/a']);
		assert.deepEqual(await after(1_500, 'skill/c', 'skill/b', 'skill/a'), ['skill/b', 'skill/c']);
		await looks(5_000, ['skill/a', 'skill/b']);
		assert.deepEqual(await after(1_500, 'skill/a', 'skill/b'), ['skill/b']);
		assert.deepEqual(await after(4_000, 'skill/a', 'skill/b'), []);
	});

	it('counts a time at which nobody looked as a look, once there was one', async () => {
		await looks(1_000, undefined);
		assert.equal(existsSync(join(home, 'seen')), false);
		await looks(1_000, ['skill/a']);
		await looks(3_000, undefined);
		assert.deepEqual(await after(2_000, 'skill/a', 'skill/b'), ['skill/b']);
	});

	it('is no news again when it left for a while', async () => {
		await looks(1_000, ['skill/a', 'skill/b']);
		await looks(2_000, ['skill/a', 'skill/c']);
		await looks(3_000, ['skill/a', 'skill/b', 'skill/c']);
		assert.deepEqual(await after(500, 'skill/a', 'skill/b', 'skill/c'), ['skill/c']);
	});

	it('counts all as seen where the file is damaged, or larger than any of ours', async () => {
		await looks(1_000, ['skill/a']);
		for (const damage of ['{ damaged', '[[0,[1]]]', ' '.repeat(9_000_000)]) {
			writeFileSync(file(), damage);
			assert.deepEqual(await after(1, 'skill/a', 'skill/b'), []);
		}
		await looks(2_000, ['skill/a', 'skill/b']);
		assert.ok(statSync(file()).size < 100);
		assert.deepEqual(await after(1, 'skill/a', 'skill/b', 'skill/c'), ['skill/c']);
	});

	it('is bounded: what is there stays before what left', async () => {
		await looks(1_000, ['skill/gone']);
		const many = Array.from({ length: MAX_SEEN_CAPABILITIES }, (_, n) => `skill/${n}`);
		await looks(2_000, many);
		assert.deepEqual(await after(1_500, 'skill/gone', 'skill/0'), ['skill/gone']);
	});
});
