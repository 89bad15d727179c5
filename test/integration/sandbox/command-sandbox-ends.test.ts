/** The end of a command in the sandbox: its own, one it is asked for, and that of its host. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LateBubblewrap } from '../../support/late-bubblewrap.ts';
import { isRunning, processTree, runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { bubblewrap, eachWithScene, type SandboxScene } from '../../support/sandbox-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { specProgram } from '../../support/programs.ts';

const program = specProgram(join(import.meta.dirname, 'sandboxed-host-program.ts'));
/** Nobody else's sleep takes as long. */
const long = String(90_000 + process.pid);
const sleepers = () => runningProcesses().filter(({ commandLine }) => commandLine.includes(`sleep ${long}`));

/** The system ends the processes of a namespace right after its first one, and a busy machine takes a moment for each. */
async function noneLeft(): Promise<void> {
	await waitUntilGone(
		sleepers().map(({ pid }) => pid),
		2_000,
	);
}

/** Ways to leave a process behind: its own session, deaf to hangups, a child of nobody, in the background of a subshell. */
const DAEMONS = `i=0; while [ $i -lt 5 ]; do i=$((i + 1))
	setsid sleep ${long} >/dev/null 2>&1 &
	nohup sleep ${long} >/dev/null 2>&1 &
	(sleep ${long} & ) >/dev/null 2>&1
	(trap '' TERM HUP INT; setsid setsid sleep ${long} &) >/dev/null 2>&1
done`;

describe('A command in the sandbox', function () {
	this.timeout(30_000);
	let scene: SandboxScene;

	eachWithScene((made) => (scene = made));

	it('leaves none of 20 daemons behind', async () => {
		const counted = `n=0; while [ $n -lt 20 ]; do n=$(ps -eo args | grep -c '^sleep ${long}'); done; echo $n`;
		const { output } = await scene.sh(`${DAEMONS}\n${counted}`);
		assert.equal(output, '20\n');
		await noneLeft();
	});

	it('gets the time to end by itself when it is stopped', async () => {
		const script = 'trap "echo bye > bye.txt; exit 4" TERM; echo ready; while :; do sleep 0.05; done';
		const { commandId } = await scene.start(['sh', '-c', script]);
		await scene.commands.output(commandId, null, 5_000, new AbortController().signal);
		const state = await scene.commands.stop(commandId, null);
		assert.equal(state.exitCode, 4);
		assert.equal(existsSync(scene.path('bye.txt')), true);
	});

	it('ends at once when it is stopped before its program runs', async () => {
		const { commandId } = await scene.start(['sleep', long]);
		const { signal } = await scene.commands.stop(commandId, null);
		assert.match(signal ?? '', /^SIG(?:TERM|KILL)$/);
		await noneLeft();
	});

	it('is killed with its daemons when it does not end by itself', async () => {
		const script = `trap '' TERM; ${DAEMONS}; echo ready; while :; do sleep 0.05; done`;
		const { commandId } = await scene.start(['sh', '-c', script]);
		await waitFor('its daemons', () => sleepers().length >= 20);
		const state = await scene.commands.stop(commandId, null);
		assert.deepEqual([state.running, state.signal], [false, 'SIGKILL']);
		await noneLeft();
	});

	it('is stopped by its time limit', async () => {
		const state = await scene.run(['sleep', long], { timeoutMs: 200 });
		assert.equal(state.timedOut, true);
		// A machine that is busy has not started it by then, so that there is nothing to ask.
		assert.match(state.signal ?? '', /^SIG(?:TERM|KILL)$/);
	});

	it('ends the writer of a pipe when its reader has had enough', async () => {
		const state = await scene.pipe([['yes'], ['head', '-n', '1']]);
		assert.deepEqual([state.output, state.exitCode], ['y\n', 0]);
		assert.equal(state.ends?.[0]?.signal, 'SIGPIPE');
	});

	it('ends with a host that is killed', async () => {
		const order = JSON.stringify({
			workspace: scene.workspace,
			home: scene.prowessHome,
			script: `${DAEMONS}; sleep ${long}`,
		});
		const host = spawn(process.execPath, ['--no-warnings', program, order], {
			stdio: ['ignore', 'inherit', 'inherit'],
		});
		await waitFor('its daemons', () => sleepers().length >= 20);
		const below = processTree(host.pid ?? 0).slice(1);
		assert.ok(
			below.some(({ commandLine }) => commandLine.includes('--unshare-net')),
			'what holds its network',
		);
		const left = [...sleepers(), ...below].map(({ pid }) => pid);
		host.kill('SIGKILL');
		await once(host, 'exit');
		assert.equal(isRunning(host.pid ?? 0), false);
		await waitUntilGone(left);
	});

	it('never starts when its host is killed while its sandbox is being made', async () => {
		const late = new LateBubblewrap(scene.prowessHome, bubblewrap ?? '', ['*"echo > ran.txt"*']);
		const order = JSON.stringify({
			workspace: scene.workspace,
			home: scene.prowessHome,
			script: `echo > ran.txt; sleep ${long}`,
		});
		const host = spawn(process.execPath, ['--no-warnings', program, order], {
			stdio: ['ignore', 'inherit', 'inherit'],
			env: { ...process.env, PROWESS_TEST_BWRAP: late.file },
		});
		try {
			const pids = await late.waiting(host.pid ?? 0, 15_000);
			host.kill('SIGKILL');
			await once(host, 'exit');
			late.release();
			await waitUntilGone(pids);
			assert.deepEqual([late.hasPassed, existsSync(scene.path('ran.txt'))], [true, false]);
		} finally {
			late.dispose();
		}
	});
});
