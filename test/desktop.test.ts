/**
 * Checks that the specs for a desktop VS Code reach its program. Their own results can be seen only where such a
 * program is installed.
 */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const limitMs = 50_000;

describe('The desktop run', () => {
	it('says so when no program is named', () => {
		const { status, stderr } = run({ PROWESS_VSCODE: undefined });
		assert.match(stderr, /PROWESS_VSCODE names no program/);
		assert.equal(status, 1);
	});

	it('starts the program that is named with every spec of the extension host', () => {
		const { status, stdout, stderr } = run({ PROWESS_VSCODE: join(root, 'test/fixtures/desktop/code.mjs') });
		assert.equal(status, 0, stderr);
		const specs = globSync('test/vscode/host/**/*.test.ts', { cwd: root });
		assert.ok(specs.length > 3);
		assert.equal(stdout.match(/^ {2}✔ \d+-[\w-]+\.test\.js /gm)?.length, specs.length, stdout);
	});
});

function run(changes: NodeJS.ProcessEnv) {
	const args = ['test/vscode/harness/run-desktop-tests.ts', 'test/vscode/host/**/*.test.ts'];
	// The results of the specs inside must not count as results of this run.
	const env = { ...process.env, PROWESS_RESULTS: undefined, ...changes };
	return spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', timeout: limitMs });
}
