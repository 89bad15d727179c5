import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { waitFor } from '../../test/support/wait-for.ts';
import { isProcessRunning, isRunningSince, readProcessStart } from './running-process.ts';

const commandOf = (pid = 0): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

describe('isRunning', () => {
	it('is false for what is no process', () => {
		assert.deepEqual([0, -1, 1.5, Number.NaN].map(isProcessRunning), [false, false, false, false]);
	});

	it('is true for this process, and false for one that has ended', async () => {
		const child = spawn(process.execPath, ['-e', '']);
		await once(child, 'exit');
		assert.deepEqual([process.pid, child.pid ?? 0].map(isProcessRunning), [true, false]);
	});

	it('is false for one that has ended and that its parent does not notice', async function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		// The shell becomes a program that looks after no children.
		const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 3<&-'], {
			stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
		});
		try {
			assert.ok(parent.stdout);
			const [line] = (await once(parent.stdout, 'data')) as [Buffer];
			const ended = Number(line.toString());
			await waitFor('the shell to be that program', () => commandOf(parent.pid).startsWith('sleep'));
			parent.stdio[3]?.destroy();
			await waitFor('the end of the child', () => !isProcessRunning(ended));
			// The number of the ended process is still taken.
			assert.doesNotThrow(() => process.kill(ended, 0));
		} finally {
			parent.kill('SIGKILL');
			await once(parent, 'exit');
		}
	});
});

describe('isRunningSince', () => {
	it('is false for a later process of the same number', function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		const start = readProcessStart(process.pid);
		assert.match(start ?? '', /^\d+$/);
		assert.deepEqual(
			[
				isRunningSince(process.pid, start),
				isRunningSince(process.pid, `${Number(start) - 1}`),
				isRunningSince(0, start),
			],
			[true, false, false],
		);
	});

	it('goes by the number alone where the system does not say when a process started', () => {
		assert.equal(isRunningSince(process.pid, undefined), true);
	});
});
