/** Many executions, one after the other or at once, with the real executor of skills: what is left of them. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { builtInExecutors } from '../../../src/catalog/executors.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { processTree } from '../../support/processes.ts';

const skill = builtInExecutors('').find(({ name }) => name === 'skill')?.executor ?? assert.fail();
const KINDS = ['returns', 'throws', 'exits', 'is stopped'] as const;
const capability = `
export const execute = ({ kind, at }, { signal }) => {
	if (kind === 'throws') throw new Error('thrown');
	if (kind === 'exits') process.exit(3);
	return kind === 'is stopped' ? new Promise((resolve) => (signal.onabort = resolve)) : at;
};`;

export interface Left {
	readonly descriptors: number;
	readonly heapMb: number;
}

/** With processes that stand by, and every end an execution can come to by itself, in turn. */
export async function inARow(count: number, onRound: (left: Left) => void = () => {}): Promise<void> {
	const scene = sceneOf();
	try {
		for (let at = 0; at < count; at += 1) {
			await one(scene, at);
			if (at % 100 === 99) onRound(left());
		}
		assert.equal(scene.ended.length, count);
	} finally {
		await scene.close();
	}
	nothingIsLeft(scene);
}

export async function atOnce(count: number): Promise<void> {
	const scene = sceneOf();
	try {
		await Promise.all(Array.from({ length: count }, (_, at) => one(scene, at)));
		assert.equal(scene.ended.length, count);
		assert.equal(new Set(scene.ended.map(({ executionId }) => executionId)).size, count);
	} finally {
		await scene.close();
	}
	nothingIsLeft(scene);
}

function sceneOf(): ExecutionScene {
	const deps = { executorFor: () => Promise.resolve(skill) };
	const scene = new ExecutionScene({ executor: '', standby: true, deps });
	scene.writes('index.js', capability);
	return scene;
}

async function one(scene: ExecutionScene, at: number): Promise<void> {
	const kind = KINDS[at % KINDS.length] ?? 'returns';
	const id = await scene.start({ kind, at });
	if (kind === 'is stopped') {
		await scene.manager.stop(id);
	}
	const { success, result, error } = await scene.manager.wait(id);
	const code = { returns: undefined, throws: 'EXECUTION_FAILED', exits: 'PROCESS_CRASHED', 'is stopped': 'CANCELLED' }[
		kind
	];
	assert.deepEqual([success, result, error?.code], [kind === 'returns', kind === 'returns' ? at : undefined, code]);
}

export function left(): Left {
	globalThis.gc?.();
	return {
		descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
		heapMb: process.memoryUsage().heapUsed / 1_048_576,
	};
}

function nothingIsLeft(scene: ExecutionScene): void {
	assert.deepEqual(readdirSync(join(scene.host.home, 'scratch')), []);
	assert.deepEqual(
		processTree(process.pid).filter(({ commandLine }) => commandLine.includes(scene.host.home)),
		[],
	);
}
