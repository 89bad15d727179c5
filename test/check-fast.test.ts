/** `npm run check:fast` itself. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const limitMs = 50_000;

describe('A fast check', () => {
	it('of what changed since a commit that git does not know says so and is red', () => {
		const args = ['scripts/run.mjs', 'scripts/test/check-fast.ts', '--since', 'no-such-commit'];
		const { status, stdout, stderr } = spawnSync(process.execPath, args, {
			cwd: root,
			encoding: 'utf8',
			timeout: limitMs,
		});
		assert.match(stderr, /git diff failed\n {2}Name a commit with --since\./);
		assert.match(stdout, /\n0 passed, 1 failed\n$/);
		assert.equal(status, 1);
	});
});
