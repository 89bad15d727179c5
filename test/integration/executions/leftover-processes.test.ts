/**
 * Executors that start daemons. Node's flags keep them from it; here they run with a Node that does not know the flags, as
 * where the flags do not hold.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capabilityOps } from '../../../src/ops/agent/capabilities.ts';
import type { OpContext } from '../../../src/contract/ops/op-implementation.ts';
import type { SandboxState } from '../../../src/machine/sandbox/sandbox.ts';
import { seccompFilter } from '../../../src/machine/sandbox/seccomp-filter.ts';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { capabilityStatus } from '../../../src/protocol/capability/capability-ops.ts';
import { ExecutionScene, fixtureExecutor, user } from '../../support/execution-scene.ts';
import { runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';

const bwrap = process.env['PROWESS_TEST_BWRAP'] ?? '/usr/bin/bwrap';
const node = process.execPath;
const all = ['fork', 'setsid', 'double fork', 'chain'];

describe('An executor that leaves daemons', function () {
	this.timeout(2 * commandLimitMs);
	let scene: ExecutionScene;
	let lax: string;
	before(function () {
		if (process.platform !== 'linux') this.skip();
	});
	beforeEach(() => {
		lax = join(tempDir('lax'), 'node');
		writeFileSync(lax, `#!/bin/sh\nfor last; do :; done\nexec '${node}' "$last"\n`, { mode: 0o700 });
		process.execPath = lax;
	});
	afterEach(async () => {
		process.execPath = node;
		await scene.close();
	});
	const made = (sandbox: SandboxState) => {
		const { program, readable } = fixtureExecutor('leaves-daemons');
		const executor = { program, readable: [...readable, join(dirname(node), '*')] };
		scene = new ExecutionScene({ executor: '', sandbox, deps: { executorFor: () => Promise.resolve(executor) } });
		return scene;
	};
	/** Returns the state as `capability.status` tells it to the agent and other capabilities. */
	const stateOf = async (executionId: string) => {
		const op = capabilityOps({ capabilities: scene.manager })['capability.status'];
		const { run } = await op.prepare({ executionId }, { caller: user } as OpContext);
		const result = await run({ caller: user } as OpContext);
		const [state] = result.executions;
		return { leftovers: state?.leftovers, status: capabilityStatus.present(result) };
	};
	const daemons = () => runningProcesses().filter(({ commandLine }) => commandLine === 'sleep 600');
	const noSandbox: SandboxState = { sandbox: 'none', bwrap: undefined };

	it('without a sandbox has them ended, and it is recorded and shown (R-12)', async () => {
		const { executionId, result } = await made(noSandbox).run({ how: all });
		const pids = result as number[];
		assert.equal(pids.length, all.length);
		await waitUntilGone(pids);
		const { leftovers } = await scene.manager.waitUntilClosed(executionId);
		assert.ok(
			leftovers.some(({ name }) => name === 'sleep'),
			JSON.stringify(leftovers),
		);
		const { status } = await stateOf(executionId);
		for (const pid of pids.slice(1)) {
			assert.ok(leftovers.some((left) => left.pid === pid));
			assert.match(status, new RegExp(`completed\\]\\n\\[what it started .*\\(${pid}\\)`));
		}
		await scene.close();
		const [note = '', ...others] = scene.notes.filter((text) => text.includes('left its group'));
		assert.deepEqual(others, []);
		for (const pid of pids.slice(1)) assert.match(note, new RegExp(`\\b${pid}\\b`));
		assert.match(scene.manager.output(executionId), /left its group/);
		assert.deepEqual(daemons(), []);
	});

	it('and is stopped, or crashes, leaves none either (R-12)', async () => {
		made(noSandbox);
		for (const end of ['stop', 'crash'] as const) {
			scene.progress.length = 0;
			const id = await scene.start({ how: ['setsid', 'double fork'], stay: true });
			const said = await waitFor('its daemons', () => scene.progress[0]);
			const pids = JSON.parse(said) as number[];
			if (end === 'stop') await scene.manager.stop(id);
			else process.kill(scene.manager.info(id).pid ?? 0, 'SIGKILL');
			const { leftovers } = await scene.manager.wait(id);
			assert.deepEqual(
				pids.filter((pid) => leftovers?.some((left) => left.pid === pid) !== true),
				[],
			);
			assert.deepEqual((await stateOf(id)).leftovers, leftovers);
			await waitUntilGone(pids);
		}
		await scene.close();
		assert.equal(scene.notes.filter((text) => text.includes('left its group')).length, 2);
	});

	it('and is stopped by another process: that is told what was ended', async () => {
		made(noSandbox);
		const person = new User();
		const stopped = async () => {
			process.execPath = lax;
			const id = await scene.start({ how: ['setsid'], stay: true });
			const [pid] = JSON.parse(await waitFor('its daemon', () => scene.progress.shift(), 15_000)) as number[];
			process.execPath = node;
			const json = scene.ended.length === 0 ? [] : ['--json'];
			const env = { PROWESS_HOME: scene.host.home };
			const { code, stdout, stderr } = await person.runs(['capability', 'stop', id, ...json], { env });
			assert.equal(code, 0, stderr);
			return { pid, stdout };
		};
		const first = await stopped();
		assert.match(first.stdout, new RegExp(`has ended; what it started .*\\(${first.pid}\\)`));
		const { pid, stdout } = await stopped();
		const { leftovers } = JSON.parse(stdout) as CapabilityExecutionResult;
		assert.ok(
			leftovers?.some((left) => left.pid === pid),
			stdout,
		);
		assert.deepEqual(readdirSync(join(scene.host.home, 'executions')), []);
	});

	it('within the sandbox of the system takes them with it (R-12)', async function () {
		if (!existsSync(bwrap)) this.skip();
		const before = daemons().length;
		const { success, error } = await made({
			sandbox: 'bwrap',
			bwrap: { file: bwrap, filter: seccompFilter(process.arch) },
		}).run({ how: all });
		assert.ok(success, JSON.stringify(error));
		await waitFor('their end', () => daemons().length === before);
		await scene.close();
		assert.deepEqual(
			scene.notes.filter((text) => text.includes('left its group')),
			[],
		);
	});
});
