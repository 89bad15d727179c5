/** Commands that ask for a terminal: what their programs find, how they end, and that they are judged as without one. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { findTerminalProgram } from '../../../src/machine/sandbox/pseudo-terminal.ts';
import { runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from '../approvals/served-base.ts';

const never = new AbortController().signal;
const terminal = findTerminalProgram();
/** Nobody else's sleep takes as long. */
const long = String(80_000 + process.pid);
const sleepers = () => runningProcesses().filter(({ commandLine }) => commandLine === `sleep ${long}`);

describe('A command with a terminal', function () {
	this.timeout(30_000);
	let scene: SandboxScene;

	before(function () {
		if (terminal === undefined) this.skip();
	});
	eachWithScene((made) => (scene = made));

	it('finds a terminal with a size, gets its words as they are, and ends with its own code', async () => {
		const script = `const { stdin, stdout, stderr } = process;
			console.log(JSON.stringify([stdin.isTTY, stdout.isTTY, stderr.isTTY, stdout.columns, stdout.rows, ...process.argv.slice(1)]));
			process.exitCode = 3;`;
		const words = ["it's", '"$HOME" `id`', '', '*', 'a\\\nb', '-x'];
		const { output, exitCode } = await scene.run([process.execPath, '-e', script, '--', ...words], { terminal });
		assert.deepEqual(JSON.parse(output), [true, true, true, 120, 40, ...words]);
		assert.equal(exitCode, 3);
		const without = await scene.run([process.execPath, '-p', 'process.stdout.isTTY']);
		assert.equal(without.output, 'undefined\n');
	});

	it('finds its input at the end, so that it waits for nobody', async () => {
		const { output } = await scene.sh('read -r line; echo "$? [$line]"', { terminal });
		assert.equal(output, '1 []\n');
	});

	it('gives both outputs in the order in which they were written, with redrawn lines as drawn last', async () => {
		const { output } = await scene.sh('echo one; echo two >&2; printf "10%%\\r20%%\\r30%%\\n"; echo three', {
			terminal,
		});
		assert.match(output, /^one\ntwo\n30%\nthree\n\[… \d redraws of lines left out …\]\n$/);
	});

	it('gets the time to end by itself when it is stopped', async () => {
		const script = 'trap "echo bye > bye.txt; exit 4" TERM; echo ready; while :; do sleep 0.05; done';
		const { commandId } = await scene.start(['sh', '-c', script], { terminal });
		await scene.commands.output(commandId, null, 5_000, never);
		const state = await scene.commands.stop(commandId, null);
		assert.equal(state.exitCode, 4);
		assert.equal(existsSync(scene.path('bye.txt')), true);
	});

	it('is killed with all that it started when it does not end by itself', async () => {
		const script = `trap '' TERM HUP; setsid sleep ${long} & sleep ${long} & echo ready; while :; do sleep 0.05; done`;
		const { commandId } = await scene.start(['sh', '-c', script], { terminal });
		await waitFor('its processes', () => sleepers().length >= 2);
		const { running } = await scene.commands.stop(commandId, null);
		assert.equal(running, false);
		await waitUntilGone(
			sleepers().map(({ pid }) => pid),
			2_000,
		);
	});

	it('ends at its time limit', async () => {
		const { timedOut } = await scene.run(['sleep', long], { terminal, timeoutMs: 300 });
		assert.equal(timedOut, true);
	});

	it('is kept in as without one', async () => {
		const outside = `${scene.userHome}/made.txt`;
		await scene.run(['touch', outside], { terminal });
		assert.equal(existsSync(outside), false);
		const { exitCode } = await scene.run(['touch', 'made.txt'], { terminal, onlyReads: true });
		assert.notEqual(exitCode, 0);
		assert.equal(existsSync(scene.path('made.txt')), false);
	});
});

describe('A command that asks for a terminal', function () {
	this.timeout(30_000);
	const start = useServedBases();

	before(function () {
		if (bubblewrap === undefined || terminal === undefined) this.skip();
	});

	it('is judged as without one: the same rules, the same reasons', async () => {
		const settings = {
			'prowess.tools.bubblewrapPath': bubblewrap ?? '',
			'prowess.approvals.deny': ['shell.run git push'],
		};
		const { perform } = await start({ approvalMode: 'never', settings, files: { 'a.txt': 'x\n' } });
		for (const argv of [
			['git', 'push', 'origin', 'main'],
			['rm', 'a.txt'],
			['cat', '/etc/passwd', 'a.txt'],
			['script', '-qec', 'cat a.txt', '/dev/null'],
		]) {
			const [without, within] = [await perform('shell.run', { argv }), await perform('shell.run', { argv, tty: true })];
			assert.equal(within.status, 'denied', argv.join(' '));
			assert.deepEqual('error' in within && within.error, 'error' in without && without.error);
			if (argv[0] !== 'script') assert.doesNotMatch(JSON.stringify(within), /script/);
		}
	});

	it('runs without a question where it only reads, and is refused beside a pipe', async () => {
		const { perform } = await start({
			approvalMode: 'never',
			settings: { 'prowess.tools.bubblewrapPath': bubblewrap ?? '' },
			files: { 'a.txt': 'read me\n' },
		});
		const read = await perform('shell.run', { argv: ['cat', 'a.txt'], tty: true });
		assert.match(JSON.stringify(read), /read me/);
		const chain = [{ join: '|', argv: ['cat'] }];
		const piped = await perform('shell.run', { argv: ['cat', 'a.txt'], chain, tty: true });
		assert.match(JSON.stringify(piped), /INVALID_PARAMS/);
	});
});
