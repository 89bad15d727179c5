/** Tests the limits on a capability's process together with all that it starts, each with a small limit. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxState } from '../../../src/machine/sandbox/sandbox.ts';
import { EXECUTOR_LIMITS, type ProcessLimits } from '../../../src/machine/sandbox/watch/watch-limits.ts';
import { ExecutionScene, type ExecutionSceneOptions, fixtureExecutor } from '../../support/execution-scene.ts';
import { codeOf } from '../../support/execution-suite.ts';
import { runningProcesses, waitUntilGone } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { workerSandbox, workerSkills } from '../../support/worker-skills.ts';

const root = join(import.meta.dirname, '../../..');
const MB = 1_048_576;
const flags: SandboxState = { sandbox: 'permission', bwrap: undefined };
const node = process.execPath;
/** Nobody else's sleep takes as long. */
const long = String(70_000 + process.pid);
const sleepers = () => runningProcesses().filter(({ commandLine }) => commandLine === `sleep ${long}`);
const SAFE = 'name: test\ntype: skill\nversion: 1.0.0\nlevel: SAFE\n';

const PYTHON = `import asyncio, os, time
async def count():
    return 1
async def waits():
    await asyncio.sleep(1_000)
async def forks(count: int):
    for _ in range(count):
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "${long}"])
    await asyncio.sleep(1_000)
async def fills(count: int, megabytes: int):
    for _ in range(count):
        if os.fork() == 0:
            held = b"x" * (megabytes * ${MB})
            os.spawnvp(os.P_WAIT, "sleep", ["sleep", "${long}"])
    await asyncio.sleep(1_000)
async def shares(count: int, megabytes: int):
    held = b"x" * (megabytes * ${MB})
    for _ in range(count):
        if os.fork() == 0:
            time.sleep(0.7)
            os._exit(0)
    for _ in range(count):
        os.wait()
    return len(held)
async def opens(count: int):
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(count)]
    await asyncio.sleep(1_000)
`;
const JAVASCRIPT = `
let held = [];
export const count = async () => 1;
export const waits = async () => await new Promise(() => {});
export async function fills({ megabytes }) { held.push(Buffer.alloc(megabytes * ${MB}, 1)); await new Promise(() => {}); }
`;

describe('A capability that takes more of the machine than it may', function () {
	this.timeout(60_000);
	let scene: ExecutionScene;
	const made = (limits: Partial<ProcessLimits>, options: Partial<ExecutionSceneOptions>) => {
		const { deps, ...others } = options;
		scene = new ExecutionScene({
			executor: 'second-result',
			manifest: SAFE,
			...others,
			deps: { ...deps, limits: { ...EXECUTOR_LIMITS, ...limits } },
		});
		return scene;
	};
	before(function () {
		if (process.platform !== 'linux') this.skip();
	});
	afterEach(async () => {
		process.execPath = node;
		await scene.close();
	});

	/** With another call in flight: both are told, nothing of the worker is left, it is recorded, and the next call has another. */
	const endsWorker = async (tool: string, params: unknown, said: RegExp) => {
		const other = await scene.start({}, { tool: 'waits' });
		await waitFor('another call', () => scene.manager.status(other) === 'running');
		const [pid = 0] = scene.manager.workerPids;
		const { error } = await scene.run(params, { tool });
		assert.equal(error?.code, 'EXECUTION_FAILED');
		assert.match(error?.message ?? '', said);
		assert.match(error?.message ?? '', /Have it do less at once/);
		assert.equal(codeOf(await scene.manager.wait(other)), 'EXECUTION_FAILED');
		await waitUntilGone([pid]);
		await waitFor('the end of what it has started', () => sleepers().length === 0);
		assert.equal(scene.ended.length, 2);
		assert.equal((await scene.run({}, { tool: 'count' })).result, 1);
		assert.equal(scene.notes.filter((note) => said.test(note)).length, 1, scene.notes.join('\n'));
		const failures = scene.ledger.rows.filter(({ kind, status }) => kind === 'outcome' && status === 'failed');
		assert.deepEqual(
			failures.map(({ output }) => said.test(output ?? '')),
			[true, true],
		);
	};

	describe('in a Python worker', () => {
		const [python] = workerSkills.filter(({ runtime }) => runtime === 'python-worker');
		const worker = (limits: Partial<ProcessLimits>) => {
			made(limits, { sandbox: workerSandbox, manifest: `${SAFE}runtime: python-worker\n` });
			scene.writes('skill.py', PYTHON);
		};
		before(function () {
			if (python?.lack !== undefined) this.skip();
		});

		it('is ended with all that it has forked', async () => {
			worker({ processes: 12 });
			await endsWorker('forks', { count: 40 }, /more than 12 processes ran at once/);
		});

		it('is ended for the memory of all its processes together', async () => {
			worker({ mappedBytes: 120 * MB });
			await endsWorker('fills', { count: 6, megabytes: 40 }, /it used more than 120 MB of memory/);
		});

		it('is ended for the files that all have open', async () => {
			worker({ openFiles: 200 });
			await endsWorker('opens', { count: 300 }, /it had more than 200 files open/);
		});

		it('may have many processes that hold the same memory', async () => {
			worker({ mappedBytes: 150 * MB });
			const { result } = await scene.run({ count: 6, megabytes: 60 }, { tool: 'shares' });
			assert.equal(result, 60 * MB);
			assert.deepEqual(scene.notes, []);
		});
	});

	for (const { how, sandbox, isHere } of [
		{ how: 'in the sandbox of the system', sandbox: workerSandbox, isHere: workerSandbox.bwrap !== undefined },
		{ how: "behind Node's flags alone", sandbox: flags, isHere: true },
	]) {
		describe(`in a Node worker ${how}`, () => {
			it('is ended for its memory beside the heap', async function () {
				if (!isHere) this.skip();
				made({ mappedBytes: 200 * MB }, { sandbox, manifest: `${SAFE}runtime: node-worker\n` });
				scene.writes('index.js', JAVASCRIPT);
				await endsWorker('fills', { megabytes: 300 }, /it used more than 200 MB of memory/);
			});
		});

		it(`is ended as a skill ${how}, and its one result says so`, async function () {
			if (!isHere) this.skip();
			made({ mappedBytes: 200 * MB }, { executor: 'fills-its-memory', sandbox });
			const { error, executionId } = await scene.run({ megabytes: 300 });
			assert.equal(error?.code, 'EXECUTION_FAILED');
			assert.match(error?.message ?? '', /it used more than 200 MB of memory\. Have it do less/);
			const { pid = 0 } = await scene.manager.waitUntilClosed(executionId);
			await waitUntilGone([pid]);
			assert.equal((await scene.run({ megabytes: 10, then: 'end' })).result, 'filled');
			assert.equal(scene.notes.filter((note) => note.includes('more than 200 MB')).length, 1);
		});
	}

	it('is ended while it stands by, and the next execution starts one of its own', async () => {
		made({ mappedBytes: 200 * MB }, { executor: 'fills-its-memory', sandbox: flags, standby: true });
		assert.equal((await scene.run({ megabytes: 10, then: 'end' })).result, 'filled');
		const pid = await waitFor('one to stand by', () => scene.manager.standbyPids[0]);
		await waitUntilGone([pid]);
		await waitFor('its end to be noticed', () => scene.manager.standbyPids.length === 0);
		assert.equal((await scene.run({ megabytes: 10, then: 'end' })).result, 'filled');
	});

	it('is ended with its group where nothing keeps it from starting programs', async () => {
		const lax = join(tempDir('lax'), 'node');
		writeFileSync(lax, `#!/bin/sh\nfor last; do :; done\nexec '${node}' "$last"\n`, { mode: 0o700 });
		process.execPath = lax;
		const { program, readable } = fixtureExecutor('starts-programs');
		const executor = { program, readable: [...readable, join(dirname(node), '*')] };
		const sandbox: SandboxState = { sandbox: 'none', bwrap: undefined };
		made({ processes: 8 }, { sandbox, deps: { executorFor: () => Promise.resolve(executor) } });
		const { error } = await scene.run({ count: 12, seconds: long });
		assert.equal(error?.code, 'EXECUTION_FAILED');
		assert.match(error?.message ?? '', /more than 8 processes ran at once/);
		await waitFor('the end of its programs', () => sleepers().length === 0);
	});
});

describe('The limits of capabilities', () => {
	it('are those that docs/executors.md and docs/workers.md say', () => {
		const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8').replaceAll(/\s+/g, ' ');
		const { processes, mappedBytes, openFiles } = EXECUTOR_LIMITS;
		assert.deepEqual([processes, mappedBytes, openFiles], [64, 1024 * MB, 10_000]);
		assert.match(page('executors.md'), /\| Memory \| 1 GiB; .* \| Processes \| 64 \| \| Open files \| 10,000,/);
		assert.match(page('workers.md'), /use 1 GiB of memory, run 64 processes and have 10,000 files open/);
	});
});
