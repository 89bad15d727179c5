/**
 * Stops an execution, or closes its host, at moments that nobody chose: from before there is a process until after the result.
 * The same seed gives the same moments.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { builtInExecutors } from '../../../src/catalog/executors.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { processTree } from '../../support/processes.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { waitFor } from '../../support/wait-for.ts';

const AT_ONCE = 4;
const FOLDERS_MS = 10_000;
const TERMINAL = ['completed', 'failed', 'timeout', 'stopped'];
const skill = builtInExecutors('').find(({ name }) => name === 'skill')?.executor ?? assert.fail();
/** Source of a capability that, left alone, performs ops, reports progress, and ends. */
const capability = `
export const execute = async (params, { op, progress }) => {
	await op('x.y', {});
	progress('half', 0.5);
	await op('x.y', {});
	return 'done';
};`;

function sceneOf(): ExecutionScene {
	const scene = new ExecutionScene({
		executor: '',
		standby: true,
		deps: { executorFor: () => Promise.resolve(skill) },
	});
	scene.writes('index.js', capability);
	return scene;
}

/** Measures an execution that is left alone, in milliseconds. */
async function wholeMs(scene: ExecutionScene): Promise<number> {
	const from = performance.now();
	const { success, error } = await scene.run();
	assert.ok(success, JSON.stringify(error));
	return performance.now() - from;
}

async function nothingIsLeft(scene: ExecutionScene, moment: string): Promise<void> {
	const left = processTree(process.pid).filter(({ commandLine }) => commandLine.includes(scene.host.home));
	assert.deepEqual(left, [], moment);
	// The scratch folder is missing when the host was closed before there was a process; closing does not wait long for
	// the last folders to go, so wait here.
	const scratch = join(scene.host.home, 'scratch');
	const folders = () => (existsSync(scratch) ? readdirSync(scratch) : []);
	await waitFor(`its folders to go, ${moment}`, () => folders().length === 0, FOLDERS_MS);
}

export async function stopAtAnyMoment(count: number, seed: number): Promise<void> {
	const random = seeded(seed);
	const scene = sceneOf();
	const ends = new Map<string, number>();
	scene.manager.onDidEnd(({ executionId }) => void ends.set(executionId, (ends.get(executionId) ?? 0) + 1));
	const stopOne = async (afterMs: number, stops: number) => {
		const id = await scene.start();
		// Not a wait for something: the moment itself.
		await wait(afterMs);
		await Promise.all(Array.from({ length: stops }, () => scene.manager.stop(id)));
		const status = scene.manager.status(id);
		assert.ok(TERMINAL.includes(status), `${status} after ${afterMs} ms`);
		const { success, error } = await scene.manager.wait(id);
		assert.equal(success, status === 'completed', `${status} after ${afterMs} ms: ${error?.message}`);
		if (status !== 'completed') assert.equal(error?.code, 'CANCELLED', `${afterMs} ms: ${error?.message}`);
		await scene.manager.stop(id);
		assert.equal(scene.manager.status(id), status, 'a terminal status changed');
		return id;
	};
	try {
		const whole = await wholeMs(scene);
		for (let done = 0; done < count; done += AT_ONCE) {
			const moments = Array.from({ length: Math.min(AT_ONCE, count - done) }, () => ({
				afterMs: Math.round(random() * whole * 1.5),
				stops: pick(random, [1, 1, 2, 3]),
			}));
			const ids = await Promise.all(moments.map(({ afterMs, stops }) => stopOne(afterMs, stops)));
			for (const id of ids) assert.equal(ends.get(id), 1, `seed ${seed}: ended ${ends.get(id)} times`);
		}
	} finally {
		await scene.close();
	}
	await nothingIsLeft(scene, `seed ${seed}`);
}

async function wholeOfOne(): Promise<number> {
	const scene = sceneOf();
	try {
		return await wholeMs(scene);
	} finally {
		await scene.close();
	}
}

export async function closeAtAnyMoment(count: number, seed: number): Promise<void> {
	const random = seeded(seed);
	const whole = await wholeOfOne();
	for (let n = 0; n < count; n += 1) {
		const afterMs = Math.round(random() * whole * 2);
		const moment = `moment ${n} of seed ${seed}: closed after ${afterMs} ms`;
		const scene = sceneOf();
		const runs = Array.from({ length: 1 + below(random, 3) }, () => scene.run().catch((error: unknown) => error));
		await wait(afterMs);
		await scene.close();
		await nothingIsLeft(scene, moment);
		// Hundreds of them at the end would take longer than the end of a test may.
		for (const folder of [scene.host.home, scene.host.workspace]) rmSync(folder, { recursive: true, force: true });
		// Every caller that waits is answered: with a result, or with an error that the execution never began.
		assert.equal((await Promise.all(runs)).length, runs.length, moment);
		await assert.rejects(scene.start(), { code: 'CANCELLED' }, moment);
	}
}
