/** Calls, ops, crashes, stops and time limits in any order: whatever happens, each call has exactly one end. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { PerformOp } from '../../../src/contract/ops/perform-op.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { below, pick, seeded } from '../../support/seeded.ts';
import { workerSandbox, type workerSkills } from '../../support/worker-skills.ts';

const CALLS = [
	...['count', 'count', 'asks', 'asks', 'asks', 'asksMany', 'asksMany', 'waits', 'throws', 'prints', 'reports'],
	...['sync', 'echo', 'dies', 'soon'],
] as const;
/** Calls that are open at once, at most. */
const OPEN = 40;

/** Resolves with how many calls ended how; beside `count` calls there are a few that end in each way there is. */
export async function interleave(
	{ runtime, file, text }: (typeof workerSkills)[number],
	seed: number,
	count: number,
): Promise<ReadonlyMap<string, number>> {
	const random = seeded(seed);
	const parked = new Set<() => void>();
	const perform: PerformOp = ({ opId, params }, _, signal) =>
		new Promise((resolve) => {
			const end = () => {
				if (!parked.delete(end)) return;
				const receipt = { writer: 'test', seq: 1, hash: '' };
				resolve({ status: 'done', opId, result: params, durationMs: 0, receipt });
			};
			parked.add(end);
			signal.addEventListener('abort', end, { once: true });
		});
	const scene = new ExecutionScene({
		executor: 'second-result',
		sandbox: workerSandbox,
		perform,
		manifest: `name: test\ntype: skill\nversion: 1.0.0\nlevel: MONITORED\nruntime: ${runtime}\n`,
		deps: { workerGraceMs: 50 },
	});
	scene.writes(file, text);
	try {
		const open = new Set<string>();
		const waiting: Promise<unknown>[] = [];
		const started: string[] = [];
		const begin = async (tool: (typeof CALLS)[number], params: object, soonMs: number) => {
			const id = await scene.start(params, {
				tool: tool === 'soon' ? 'waits' : tool,
				timeout: tool === 'soon' ? soonMs : 60_000,
			});
			started.push(id);
			return id;
		};
		for (let at = 0; at < count; at += 1) {
			const tool = pick(random, CALLS);
			const params = tool === 'asks' ? { op: 'x.y', params: { at } } : tool === 'asksMany' ? { count: 5 } : {};
			const id = await begin(tool, params, 1 + below(random, 300));
			open.add(id);
			waiting.push(scene.manager.wait(id).then(() => open.delete(id)));
			if (tool === 'count' && random() < 0.7) await scene.manager.wait(id);
			for (let more = below(random, 4); more > 0; more -= 1) {
				[...parked].at(below(random, parked.size + 1))?.();
				await setImmediate();
			}
			if (open.size > OPEN || (open.size > 0 && random() < 0.05)) {
				[...parked].forEach((end) => end());
				await scene.manager.stop(pick(random, [...open]));
			}
		}
		for (const id of open) void scene.manager.stop(id);
		await Promise.all(waiting);
		// The machine's speed decides the ends of the executions above; run each end once more with nothing else open.
		for (const tool of ['count', 'throws', 'dies', 'soon', 'waits'] as const) {
			const id = await begin(tool, {}, 1);
			if (tool === 'waits') void scene.manager.stop(id);
			await scene.manager.wait(id);
		}
		const ends = new Map<string, number>();
		for (const { executionId, success, error } of scene.ended) {
			assert.ok(started.includes(executionId));
			const how = success ? 'done' : (error?.code ?? '');
			ends.set(how, (ends.get(how) ?? 0) + 1);
		}
		assert.equal(new Set(scene.ended.map(({ executionId }) => executionId)).size, started.length, `seed ${seed}`);
		assert.equal(scene.ended.length, started.length, `seed ${seed}`);
		const rows = (kind: string) => scene.ledger.rows.filter((row) => row.kind === kind && row.op === 'capability.run');
		assert.equal(rows('intent').length, started.length, `seed ${seed}`);
		assert.equal(rows('outcome').length, started.length, `seed ${seed}`);
		assert.equal(ends.get('PROTOCOL_VIOLATION'), undefined, `seed ${seed}`);
		return ends;
	} finally {
		await scene.close();
	}
}
