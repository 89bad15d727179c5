import assert from 'node:assert/strict';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { Placeholders } from './placeholders.ts';

describe('A placeholder in the repository of a worktree', () => {
	it('stays until the host that has made it removes it, whichever other one has found it there', async () => {
		const root = realpathSync(tempDir('placeholders'));
		const path = join(root, '.git/worktrees/tree/commondir');
		mkdirSync(join(path, '..'), { recursive: true });
		const hosts = ['maker', 'finder'].map((name) => ({ placeholders: new Placeholders(), folder: tempDir(name) }));
		const added: (readonly string[])[] = [];
		for (const { placeholders, folder } of hosts) {
			added.push(await placeholders.add([root], folder, [], [join(root, '.git')]));
		}
		assert.deepEqual(
			added.map((paths) => paths.includes(path)),
			[true, true],
		);
		for (const [at, { placeholders, folder }] of [...hosts.entries()].toReversed()) {
			await placeholders.remove(added[at] ?? [], folder);
			assert.equal(existsSync(path), at === 1);
		}
	});
});
