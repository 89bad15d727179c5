/** The leak check itself: a run fails on each kind of thing left behind, and names the test. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { waitUntilGone } from './support/processes.ts';

const root = join(import.meta.dirname, '..');
const limitMs = 30_000;

const folder = 'test/fixtures/leaks';
const leaks = `${folder}/leaks.spec.ts`;
/** With two processes for three files, the last file comes to a process that has already run another. */
const sideBySide = [
	...['--parallel', '--jobs', '2'],
	...['clean.spec.ts', 'clean-too.spec.ts'].map((name) => `${folder}/${name}`),
];

describe('The leak check', () => {
	of('in one process', []);
	of('of files side by side', sideBySide);

	it('lets a hook go on after it has opened what the process shares', function () {
		this.timeout(limitMs);
		const { output, status } = runMocha([`${folder}/shared-first.spec.ts`]);
		assert.match(output, /1 passing/);
		assert.equal(status, 0);
	});
});

function runMocha(args: readonly string[]): { readonly output: string; readonly status: number | null } {
	const mocha = ['node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--extension', 'ts'];
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		[...mocha, '--require', './test/support/leaks.ts', ...args],
		{ cwd: root, encoding: 'utf8', timeout: limitMs },
	);
	return { output: stdout + stderr, status };
}

function of(how: string, args: readonly string[]): void {
	describe(how, function () {
		this.timeout(limitMs);
		let output: string;
		let status: number | null;

		before(() => {
			({ output, status } = runMocha([...args, leaks]));
		});

		for (const [title, said] of [
			['a child process', /child process \d+ opened at .*leaks\.spec\.ts/],
			['a server', /TCP server opened at .*leaks\.spec\.ts/],
			['a socket', /TCP socket opened at .*leaks\.spec\.ts/],
			['a timer', /timer opened at .*leaks\.spec\.ts/],
			['a worker', /worker thread opened at .*leaks\.spec\.ts/],
			['a watcher', /file watcher opened at .*leaks\.spec\.ts/],
			['a temporary folder', /the temporary file or folder forgotten-/],
			['a rejection', /a rejection that nobody handled: Error: nobody looked/],
		] as const) {
			it(`names the test that leaves ${title}`, () => {
				const lines = output.split('\n').filter((line) => line.startsWith(`- leaves ${title}: `));
				assert.ok(
					lines.some((line) => said.test(line)),
					output,
				);
			});
		}

		if (args === sideBySide) {
			it('counts what the files of a process share for no test, and ends it with the process', async () => {
				const pid = Number(/^kept: (\d+)$/m.exec(output)?.[1]);
				assert.ok(pid > 0, output);
				assert.doesNotMatch(output, new RegExp(`child process ${pid} `));
				await waitUntilGone([pid]);
			});
		}

		it('fails the run', () => {
			assert.notEqual(status, 0);
			assert.match(output, args.length === 0 ? /12 passing/ : /14 passing/);
			assert.match(output, /2 failing/);
		});

		it('says what a test that failed leaves, and does not count it beside the failure', () => {
			assert.match(
				output,
				/^left behind by a test that failed: fails before it ends its child process: child process/m,
			);
			assert.doesNotMatch(output, /^- fails /m);
		});

		it('has nothing to say about a test that cleans up', () => {
			assert.doesNotMatch(output, /^- cleans up/m);
		});
	});
}
