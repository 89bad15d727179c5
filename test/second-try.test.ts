/** Checks the reports on specs that fail and then pass, with real runs of real specs on a real page. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { tempDir } from './support/temp-dir.ts';

const root = join(import.meta.dirname, '..');
const limitMs = 50_000;

describe('A run with a second try', () => {
	it('is red when a spec fails both times, and counts the one beside it that does not as passed', async () => {
		const { code, output } = await run('always');
		assert.match(output, /\n2 passed, 1 failed\n$/);
		assert.equal(code, 1);
		assert.match(output, /── second try: A door \(test\/fixtures\/flaky\/always\.spec\.ts\) ──/);
		assert.deepEqual(flakyIn(output), ['A door has a bell']);
	});

	it('is red when specs of more than two files are flaky, whichever of the tries failed', async () => {
		const { code, output } = await run('wall', 'roof', 'once');
		assert.match(output, /✗ 3 files have flaky specs; of 5 specs at most 2 may\n\n5 passed, 1 failed\n$/);
		assert.equal(code, 1);
	});

	it('is green when specs of two files are, however many, and names each', async () => {
		const { code, output } = await run('wall', 'roof');
		assert.match(output, /\n3 passed, 0 failed\n$/);
		assert.equal(code, 0);
		assert.deepEqual(flakyIn(output).toSorted(), ['A roof is tight', 'A wall is dry', 'A wall stands']);
	});

	it('is red when the second try dies', async () => {
		const { code, output } = await run('dies');
		assert.match(output, /✗ the second try of test\/fixtures\/flaky\/dies\.spec\.ts: .*exit code 3/);
		assert.match(output, /\n1 passed, 1 failed\n$/);
		assert.equal(code, 1);
	});

	it('is green when a spec passes at the second try, and names it with pictures of both', async () => {
		const { code, output, artifacts } = await run('once');
		assert.match(output, /\n2 passed, 0 failed\n$/);
		assert.equal(code, 0);
		assert.deepEqual(flakyIn(output), ['A window shows (what) it has']);
		for (const which of ['first', 'second']) {
			const [, path = ''] = new RegExp(`^ {4}${which} try: +(\\S+\\.png)$`, 'm').exec(output) ?? [];
			assert.ok(existsSync(resolvePath(root, path)), `${which}: ${path}\n${output}`);
		}
		assert.equal(readdirSync(artifacts).filter((name) => name.endsWith('.png')).length, 3);
	});

	it('runs what a failed hook kept from running', async () => {
		const { code, output } = await run('hook');
		assert.match(output, /\n3 passed, 0 failed\n$/);
		assert.equal(code, 0);
		assert.equal(flakyIn(output).length, 1);
	});
});

function run(...names: readonly string[]): Promise<{ code: number; output: string; artifacts: string }> {
	const artifacts = tempDir('artifacts');
	const args = ['test/fixtures/flaky/run.ts', ...names];
	const env = { ...process.env, PROWESS_ARTIFACTS: artifacts };
	return new Promise((resolve) => {
		execFile(process.execPath, args, { cwd: root, env, timeout: limitMs }, (error, output) =>
			resolve({ code: error === null ? 0 : Number(error.code), output, artifacts }),
		);
	});
}

function flakyIn(output: string): string[] {
	return [...output.matchAll(/^~ (.*) \(test\/fixtures\/flaky\/\w+\.spec\.ts\)$/gm)].map(([, title = '']) => title);
}
