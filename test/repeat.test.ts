/** `npm run test:repeat` itself, on the specs of a small file. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { runningProcesses } from './support/processes.ts';
import { tempDir } from './support/temp-dir.ts';

const root = join(import.meta.dirname, '..');
const limitMs = 50_000;

describe('A repeated run of specs', () => {
	it('is refused with a number that is none', async () => {
		const { code, output } = await repeat('--times', 'often');
		assert.match(output, /--times: expected a whole number from 1; got "often"/);
		assert.equal(code, 1);
	});

	it('is refused with a file that holds no specs', async () => {
		const { code, output } = await repeat('README.md');
		assert.match(output, /no step runs README\.md/);
		assert.equal(code, 1);
	});

	it('counts every time, each in another order, and leaves no busy process', async () => {
		const args = [
			'scripts/setup/run.test.ts',
			'--times',
			'2',
			'--seed',
			'11',
			'--busy',
			'1',
			'--grep',
			'printed|not there',
		];
		const { code, output, artifacts } = await repeat(...args);
		assert.match(output, /── 1 of 2, in the order of --seed 11 ──[^]*── 2 of 2, in the order of --seed 12 ──/);
		assert.match(output, /\n4 passed, 0 failed\n$/);
		assert.equal(code, 0);
		assert.deepEqual(
			runningProcesses().filter(({ commandLine }) => commandLine.endsWith(artifacts)),
			[],
		);
	});
});

function repeat(...args: readonly string[]): Promise<{ code: number; output: string; artifacts: string }> {
	const artifacts = tempDir('artifacts');
	const program = ['scripts/run.mjs', 'scripts/test/repeat.ts', ...args];
	const options = { cwd: root, env: { ...process.env, PROWESS_ARTIFACTS: artifacts }, timeout: limitMs };
	return new Promise((resolve) => {
		execFile(process.execPath, program, options, (error, stdout, stderr) =>
			resolve({ code: error === null ? 0 : Number(error.code), output: stderr + stdout, artifacts }),
		);
	});
}
