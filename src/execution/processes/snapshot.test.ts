import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { makeSnapshot, removeOldSnapshots } from './snapshot.ts';

const DAY_MS = 86_400_000;
const content = (letter: string) => ({
	hash: letter.repeat(64),
	files: [{ path: 'index.mjs', bytes: Buffer.from(letter) }],
});

describe('Copies of capabilities', () => {
	it('that nothing ran from for long are removed, and drafts of hosts that were killed', async () => {
		const home = tempDir('home');
		const root = join(home, 'snapshots');
		await removeOldSnapshots(home);
		const paths = await Promise.all(
			['a', 'b', 'c'].map(async (letter) => (await makeSnapshot(home, content(letter))).root),
		);
		for (const draft of ['fresh', 'left']) {
			mkdirSync(join(root, `${'d'.repeat(64)}.${draft}`));
			writeFileSync(join(root, `${'d'.repeat(64)}.${draft}`, 'file'), '');
		}
		const past = (path: string, days: number) => utimesSync(path, new Date(), new Date(Date.now() - days * DAY_MS));
		past(join(root, `${'d'.repeat(64)}.left`), 2);
		for (const path of paths) past(path, 40);
		past(paths[1] ?? '', 20);
		// Used once more.
		await makeSnapshot(home, content('c'));
		await removeOldSnapshots(home);
		assert.deepEqual(
			readdirSync(root).map((name) => name.replace(/^(.)\1+/, '$1')),
			['b', 'c', 'd.fresh'],
		);
	});
});
