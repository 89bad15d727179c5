import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntilGone } from '../../test/support/processes.ts';
import { tempDir } from '../../test/support/temp-dir.ts';
import { attempt, run } from './run.mjs';
import { StepFailed } from './step-failed.mjs';

const node = process.execPath;
const limitMs = 10_000;

describe('Running a program of a step', () => {
	it('returns what it printed', async () => {
		const output = await run({ what: 'it', command: node, args: ['-p', '1 + 1'], limitMs, advice: '' });
		assert.equal(output, '2');
	});

	it('says how it failed, with its output and what to do', async () => {
		const args = ['-e', 'console.error("no room"); process.exit(3)'];
		await assert.rejects(run({ what: 'the packing', command: node, args, limitMs, advice: 'Make room.' }), (error) => {
			assert.ok(error instanceof StepFailed);
			assert.deepEqual(
				[error.message, error.output, error.advice],
				['the packing failed with exit code 3', 'no room', 'Make room.'],
			);
			return true;
		});
	});

	it('says that a program is not there', async () => {
		const { problem } = await attempt({ what: 'it', command: '/no/such/program', args: [], limitMs, advice: '' });
		assert.match(problem ?? '', /^it: \/no\/such\/program could not be started: .*ENOENT/);
	});

	it('stops it at its time limit, with all that it started', async () => {
		const file = join(tempDir(), 'pid');
		const grandchild = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
		const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' })`;
		const { problem } = await attempt({ what: 'it', command: node, args: ['-e', child], limitMs: 1_500, advice: '' });
		assert.equal(problem, 'it did not end within 1.5 s and was stopped');
		await waitUntilGone([Number(readFileSync(file, 'utf8'))]);
	});
});
