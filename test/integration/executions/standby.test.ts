/** Processes that stand by, with the real executor of skills: what they may, whom they serve, and when they end. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInExecutors } from '../../../src/catalog/executors.ts';
import { StandbyProcesses } from '../../../src/execution/processes/standby-processes.ts';
import { CommandGuard } from '../../../src/machine/shell/command-guard.ts';
import { ExecutionScene, type ExecutionSceneOptions, testedChannel } from '../../support/execution-scene.ts';
import { testHost } from '../../support/host-ports.ts';
import { isRunning, waitUntilGone } from '../../support/processes.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

const root = join(import.meta.dirname, '../../..');
const skill = builtInExecutors(join(root, 'dist')).find(({ name }) => name === 'skill')?.executor ?? assert.fail();
const reports = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { progress } from '@prowess/sdk';
const { env } = process;
const tried = (act) => { try { return act(); } catch ({ code }) { return code; } };
export const execute = (params, { capability }) => {
	progress('from the package');
	return {
		pid: process.pid,
		params,
		ids: [env.SIDE_EXECUTION_ID.slice(5), capability.executionId.slice(4), env.ACTION_BLOCK_PATH === capability.path],
		data: readFileSync(capability.path + '/data.txt', 'utf8'),
		work: readdirSync('.'),
		overwritten: tried(() => writeFileSync(capability.path + '/data.txt', 'mine')),
		elsewhere: tried(() => readFileSync(params.secret, 'utf8')),
	};
};`;
interface Report {
	readonly pid: number;
	readonly ids: [string, string, boolean];
}

describe('A process that stands by', function () {
	this.timeout(60_000);
	let scene: ExecutionScene;
	afterEach(() => scene.close());
	const made = (options: Partial<ExecutionSceneOptions> = {}) => {
		scene = new ExecutionScene({
			executor: '',
			standby: true,
			deps: { executorFor: () => Promise.resolve(skill) },
			...options,
		});
		scene.writes('index.js', reports);
		scene.writes('data.txt', 'data');
		return scene;
	};
	const run = async () => {
		const { success, result, error } = await scene.run({ secret: join(scene.host.workspace, 'secret.txt') });
		assert.ok(success, JSON.stringify(error));
		return result as Report;
	};
	const oneStandsBy = () => waitFor('a process to stand by', () => scene.manager.standbyPids[0]);

	it('is not there before the first use, nor when it is switched off', async () => {
		made({ standby: false });
		await run();
		await run();
		assert.deepEqual(scene.manager.standbyPids, []);
		await scene.close();
		made();
		await scene.manager.sandbox();
		assert.deepEqual(scene.manager.standbyPids, []);
	});

	it('does the same as one that was started for it, knows what it runs for, and may no more', async () => {
		made();
		scene.host.write('secret.txt', 'secret');
		const cold = await run();
		const pid = await oneStandsBy();
		const warm = await run();
		assert.equal(warm.pid, pid);
		for (const { pid: ran, ids, ...rest } of [cold, warm]) {
			const [side, execution, isThere] = ids;
			assert.deepEqual([ran > 0, side === execution, isThere], [true, true, true]);
			assert.deepEqual(rest, {
				...{ params: { secret: join(scene.host.workspace, 'secret.txt') }, data: 'data', work: [] },
				...{ overwritten: 'ERR_ACCESS_DENIED', elsewhere: 'ERR_ACCESS_DENIED' },
			});
		}
		assert.deepEqual(scene.progress, ['from the package', 'from the package']);
	});

	it('serves one execution and no other', async () => {
		made();
		const seen = new Set([(await run()).pid]);
		for (let at = 0; at < 3; at += 1) {
			await oneStandsBy();
			seen.add((await run()).pid);
		}
		assert.equal(seen.size, 4);
		await waitUntilGone([...seen]);
	});

	it('is not handed what is large, which starts a process of its own', async () => {
		made();
		scene.writes('model.bin', 'x'.repeat(300_000));
		await run();
		const pid = await oneStandsBy();
		assert.notEqual((await run()).pid, pid);
		assert.deepEqual(scene.manager.standbyPids, [pid]);
	});

	it('that died is not missed', async () => {
		made();
		await run();
		const pid = await oneStandsBy();
		process.kill(pid, 'SIGKILL');
		await waitFor('its end to be noticed', () => scene.manager.standbyPids.length === 0);
		assert.notEqual((await run()).pid, pid);
	});

	it('that speaks before it is called is ended', async () => {
		made({ executor: 'speaks-while-waiting', deps: {} });
		assert.equal((await scene.run()).result, 'in order');
		const pid = await oneStandsBy();
		await waitUntilGone([pid]);
		await waitFor('its end to be noticed', () => scene.manager.standbyPids.length === 0);
		assert.equal((await scene.run()).result, 'in order');
	});

	it('ends with its host, and leaves no folder', async () => {
		made();
		await run();
		const pid = await oneStandsBy();
		await scene.close();
		assert.equal(isRunning(pid), false);
		assert.deepEqual(readdirSync(join(scene.host.home, 'scratch')), []);
	});
});

describe('Processes that stand by', function () {
	this.timeout(60_000);
	const { log } = testHost().ports;

	it('end when nobody wants them for long, and when their program cannot be used there are none', async () => {
		const guard = new CommandGuard();
		const scratchRoot = tempDir('scratch');
		const standby = new StandbyProcesses({ isOn: () => true, log, idleMs: 1_000 });
		standby.refill({
			executor: { program: '/no/such/program.mjs', readable: [] },
			scratchRoot,
			bwrap: undefined,
			channel: testedChannel,
			guard,
		});
		standby.refill({ executor: skill, scratchRoot, bwrap: undefined, channel: testedChannel, guard });
		const pid = await waitFor('one to stand by', () => standby.pids[0]);
		await waitUntilGone([pid]);
		assert.equal(standby.take(skill.program), undefined);
		await standby.close();
		await guard.close();
		await waitFor('its folder to be gone', () => !existsSync(scratchRoot) || readdirSync(scratchRoot).length === 0);
	});
});
