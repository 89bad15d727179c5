/** Executions as other processes see them: `prowess capability ps` and `stop` against real hosts. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { CapabilityScene } from '../../support/capability-scene.ts';
import { processTree, waitUntilGone } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type RunningCli, User } from '../cli/cli-process.ts';

const folder = '.prowess/capabilities/skill/endless';
const manifest = 'name: endless\ntype: skill\nversion: 1.0.0\ndescription: Never ends\n';
/** Ignores that it is told to stop. */
const endless = 'export const execute = () => new Promise(() => setInterval(() => {}, 1_000))';
const unknown = 'cap_1700000000000_0123abcd';

interface Running {
	readonly executionId: string;
	readonly name: string;
	readonly hostPid: number;
}

describe('prowess capability stop', function () {
	this.timeout(2 * commandLimitMs);
	let user: User;
	beforeEach(() => {
		user = new User();
		user.writes(`${folder}/capability.yaml`, manifest);
		user.writes(`${folder}/index.js`, endless);
	});
	const stop = (id: string, words: readonly string[] = []) => user.runs(['capability', 'stop', id, ...words]);
	const records = () => (existsSync(join(user.home, 'executions')) ? readdirSync(join(user.home, 'executions')) : []);

	async function running(): Promise<Running[]> {
		const { code, stdout, stderr } = await user.runs(['capability', 'ps', '--json']);
		assert.equal(code, 0, stderr);
		return JSON.parse(stdout) as Running[];
	}

	async function started(): Promise<{ cli: RunningCli; id: string; pids: number[] }> {
		const cli = user.starts(['capability', 'run', 'endless', '--trust', '--approve', 'auto', '--json']);
		const pids = () => processTree(cli.pid).map(({ pid }) => pid);
		await waitFor(
			`the execution; so far: ${cli.stderr}`,
			() => records().length === 1 && pids().length > 1,
			commandLimitMs,
		);
		const [own] = await running();
		assert.deepEqual([own?.name, own?.hostPid], ['endless', cli.pid]);
		return { cli, id: own?.executionId ?? '', pids: pids() };
	}

	it('takes an id and nothing else', async () => {
		for (const id of ['../settings', '']) {
			const { code, stderr } = await stop(id);
			assert.equal(code, 2, stderr);
			assert.match(stderr, /takes an execution id/);
		}
	});

	it('says that nothing of that id runs', async () => {
		const { code, stderr } = await stop(unknown);
		assert.equal(code, 1);
		assert.match(stderr, /No execution cap_1700000000000_0123abcd is running\. \(INVALID_REQUEST\)/);
		assert.deepEqual(await running(), []);
	});

	it('stops what another command line has started: its process is gone, and who waits for it is told', async () => {
		const { cli, id, pids } = await started();
		const [first, second] = await Promise.all([stop(id), stop(id, ['--json'])]);
		await waitUntilGone(pids);
		const ended = await cli.ended;
		assert.equal(ended.code, 1);
		const { success, error } = JSON.parse(ended.stdout) as CapabilityExecutionResult;
		assert.deepEqual([success, error?.code], [false, 'CANCELLED']);
		assert.match(error?.message ?? '', /was stopped/);
		// Both asked, and both may find it gone already.
		assert.ok(
			[first, second].some(({ code }) => code === 0),
			`${first.stderr}${second.stderr}`,
		);
		assert.deepEqual(records(), []);
		assert.match((await user.runs(['ledger', 'list'])).stdout, /Stopped .* Run skill endless /);
		const again = await stop(id);
		assert.equal(again.code, 1);
		assert.match(again.stderr, /INVALID_REQUEST/);
	});

	it('forgets one whose host was killed', async () => {
		const { cli, id, pids } = await started();
		cli.child.kill('SIGKILL');
		await cli.ended;
		const { code } = await stop(id);
		assert.equal(code, 1);
		assert.deepEqual(records(), []);
		await waitUntilGone(pids);
	});

	it('says which process does not answer, and leaves the wish to it', async function () {
		if (process.platform === 'win32') {
			this.skip();
		}
		const { cli, id, pids } = await started();
		cli.child.kill('SIGSTOP');
		const { code, stderr } = await stop(id);
		assert.equal(code, 1);
		assert.match(stderr, new RegExp(`\\(TIMEOUT\\)[^]*process ${cli.pid}, did not stop it within 6 s`));
		cli.child.kill('SIGCONT');
		await waitUntilGone(pids, commandLimitMs);
		assert.equal((await cli.ended).code, 1);
		assert.deepEqual(records(), []);
	});

	it('stops what a host that goes on has started, and nothing else of it', async () => {
		const scene = await CapabilityScene.open();
		try {
			scene.host.write(`${folder}/capability.yaml`, manifest);
			scene.host.write(`${folder}/index.js`, endless);
			const options = {
				capability: { name: 'endless' },
				params: {},
				caller: { kind: 'user', threadId: null },
			} as const;
			const never = new AbortController().signal;
			const { capabilities } = scene.base;
			const one = await capabilities.start(options, never);
			const other = await capabilities.start(options, never);
			const env = { PROWESS_HOME: scene.host.home };
			await waitFor(
				'both to run',
				() => [one, other].every(({ executionId }) => capabilities.status(executionId) === 'running'),
				commandLimitMs,
			);
			const listed = await user.runs(['capability', 'ps'], { env });
			assert.equal(listed.stdout.trim().split('\n').length, 2, listed.stderr);
			const { code, stdout, stderr } = await user.runs(['capability', 'stop', one.executionId], { env });
			assert.deepEqual([code, stdout], [0, `skill endless ${one.executionId} has ended\n`], stderr);
			assert.deepEqual(
				[one, other].map(({ executionId }) => capabilities.status(executionId)),
				['stopped', 'running'],
			);
		} finally {
			await scene.close();
		}
		assert.deepEqual(readdirSync(join(scene.host.home, 'executions')), []);
	});
});
