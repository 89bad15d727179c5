/** Tests that the host gets done with an executor that misbehaves for as long as it runs. */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { slow, testedChannel } from '../../support/execution-scene.ts';
import { turnsDuring } from '../../support/processor-time.ts';
import { codeOf, useExecutionScenes } from '../../support/execution-suite.ts';
import { isRunning, processTree, waitUntilGone } from '../../support/processes.ts';

const receipt = { writer: '', seq: 1, hash: '' };

describe('In time, an executor', function () {
	this.timeout(30_000);
	const scenes = useExecutionScenes();
	const { made, pidOf, running, endsAsViolation } = scenes;

	it('that ignores the wish to end is killed (R-03, R-15)', async () => {
		made('ignores-cancel');
		const id = await running();
		await Promise.all([scenes.scene.manager.stop(id), scenes.scene.manager.stop(id)]);
		assert.equal(scenes.scene.manager.status(id), 'stopped');
		assert.equal(codeOf(await scenes.scene.manager.wait(id)), 'CANCELLED');
		assert.equal(isRunning(pidOf(id)), false);
		await scenes.scene.manager.stop(id);
		assert.equal(scenes.scene.ended.length, 1);
	});

	it('that spins is killed all the same, and the host stays responsive (R-04)', async () => {
		made('busy-loop');
		const id = await running();
		const { p99 } = await turnsDuring(() => scenes.scene.manager.stop(id));
		assert.equal(scenes.scene.manager.status(id), 'stopped');
		assert.ok(p99 < 100, `the 99th percentile of turns is ${p99} ms`);
	});

	it('that floods is read slowly, and the host stays responsive (R-10)', async () => {
		made('floods-progress');
		const started = performance.now();
		const { result, p99 } = await turnsDuring(() => scenes.scene.run({ frames: 1_000 }));
		assert.equal(result.result, 'flooded');
		assert.equal(scenes.scene.progress.length, 1_000);
		const took = performance.now() - started;
		assert.ok(took > 2_900, `1000 frames at 200 a second, 400 at once, came in ${took} ms`);
		assert.ok(p99 < 100, `the 99th percentile of turns is ${p99} ms`);
	});

	for (const kind of testedChannel === 'ipc' ? ['frames'] : ['frames', 'pings']) {
		it(`that floods with ${kind} without an end is ended (R-10)`, async () => {
			const started = performance.now();
			const result = await made('floods-forever').run({ kind });
			const took = performance.now() - started;
			await endsAsViolation(result, /more than 600 frames a second for 5 seconds/);
			assert.ok(took > 4_900, `${took} ms`);
		});
	}

	it('that leaves a thousand folders in one another does not hold up its host (R-13)', async () => {
		made('nests-folders');
		const watch = setInterval(() => (turns += 1), 5);
		let turns = 0;
		try {
			const { result, executionId } = await scenes.scene.run();
			assert.equal(result, 1_000);
			// The place of the execution is free: its folder is removed, or removal takes too long, and meanwhile all
			// else goes on.
			await waitUntilGone([pidOf(executionId)]);
			turns = 0;
			await scenes.scene.close();
			assert.ok(turns > 10, `${turns} turns of the loop`);
		} finally {
			clearInterval(watch);
		}
	});

	it('does not lose its time while a person is asked', async () => {
		made('waits-for-ops', {
			perform: async ({ opId }, { onProgress }) => {
				onProgress({ opId, kind: 'waiting', reason: 'may it?' });
				await delay(3_500);
				onProgress({ opId, kind: 'running' });
				return { status: 'done', opId, result: 'yes', durationMs: 0, receipt };
			},
		});
		assert.equal(codeOf(await scenes.scene.run({ op: 'x.y' }, { timeout: 3_000 })), 'success');
	});

	it('is stopped cleanly at any moment, once (R-15)', async () => {
		made('waits-for-ops', { perform: slow });
		const ids = await Promise.all(
			Array.from({ length: 8 }, async (_, at) => {
				const id = await scenes.scene.start({ op: 'x.y' });
				await delay(at * 40);
				await scenes.scene.manager.stop(id);
				return id;
			}),
		);
		assert.deepEqual([...new Set(ids.map((id) => scenes.scene.manager.status(id)))], ['stopped']);
		assert.equal(scenes.scene.ended.length, ids.length);
		assert.equal(processTree(process.pid).filter(({ commandLine }) => commandLine.includes('waits-for-ops')).length, 0);
	});
});
