/** Answers to ops in any order, late and more than once: each goes to the op that it names, and to no other. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { builtInExecutors } from '../../../src/catalog/executors.ts';
import { ExecutorChannel } from '../../../src/execution/processes/executor-channel.ts';
import { ExecutorProcess } from '../../../src/execution/processes/executor-process.ts';
import { makeSnapshot } from '../../../src/execution/processes/snapshot.ts';
import { readCapabilityFiles } from '../../../src/catalog/capability-files.ts';
import type { InheritedChannel } from '../../../src/execution/processes/waiting-channel.ts';
import { CommandGuard } from '../../../src/machine/shell/command-guard.ts';
import { type ExecutorFrame, frameLimits, type HostFrame } from '../../../src/protocol/execution/execution.ts';
import { blockTheLoop } from '../../support/block-the-loop.ts';
import { ExecutionScene } from '../../support/execution-scene.ts';
import { seeded, shuffled } from '../../support/seeded.ts';
import { waitFor } from '../../support/wait-for.ts';

const skill = builtInExecutors('').find(({ name }) => name === 'skill')?.executor ?? assert.fail();
/** So many at once, so many times; each notes what it was answered. */
const capability = `
export const execute = async ({ rounds, atOnce }, { op }) => {
	const wrong = [];
	for (let round = 0; round < rounds; round += 1) {
		await Promise.all(Array.from({ length: atOnce }, async (_, n) => {
			const asked = round + '/' + n;
			const got = await op('x.y', { asked }).then(({ answer }) => answer, ({ message }) => message);
			if (got !== asked) wrong.push([asked, got]);
		}));
	}
	return wrong;
};`;
type Dispatch = Extract<ExecutorFrame, { type: 'dispatch' }>;

describe('The answers to the ops of an execution', function () {
	this.timeout(120_000);
	const rounds = 4;
	let scene: ExecutionScene;
	afterEach(() => scene.close());
	const made = (perform?: ConstructorParameters<typeof ExecutionScene>[0]['perform']) => {
		const deps = { executorFor: () => Promise.resolve(skill) };
		scene = new ExecutionScene({ executor: '', deps, ...(perform === undefined ? {} : { perform }) });
		scene.writes('index.js', capability);
		return scene;
	};

	it(`are those to the op that was asked, when ${frameLimits.dispatchesInFlight} end in any order`, async () => {
		const random = seeded(20_261_121);
		const waiting: (() => void)[] = [];
		made(async ({ opId, params }) => {
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				if (waiting.length === frameLimits.dispatchesInFlight) {
					for (const end of shuffled(random, waiting.splice(0))) setImmediate(end);
				}
			});
			const answer = (params as { asked: string }).asked;
			// Some fail, and then the message says which.
			return random() < 0.5
				? { status: 'done', opId, result: { answer }, durationMs: 0, receipt: { writer: '', seq: 1, hash: '' } }
				: { status: 'failed', opId, error: { code: 'INTERNAL', message: answer, facts: {} }, durationMs: 0 };
		});
		const { result, error } = await scene.run({ rounds, atOnce: frameLimits.dispatchesInFlight });
		assert.deepEqual(result, [], JSON.stringify(error));
	});

	for (const kind of ['descriptor', 'ipc'] as const satisfies InheritedChannel[]) {
		it(`are taken once by the op they name, when 100 come reordered, late, twice and for nobody: ${kind}`, async () => {
			const random = seeded(20_261_122);
			const { folder, host } = made();
			const { root, capability: path } = await makeSnapshot(host.home, await readCapabilityFiles(folder));
			const guard = new CommandGuard();
			const variables = {
				...{ sideExecutionId: 'side_1', threadId: null, parentAgentId: null, parentAgentInstanceId: null },
				capabilityPath: path,
			};
			const executor = await ExecutorProcess.start({
				...{ ...skill, snapshot: root, scratchRoot: join(host.home, 'scratch'), bwrap: undefined },
				...{ channel: kind, guard, variables },
			});
			const asked: Dispatch[] = [];
			const ends: string[] = [];
			let result: Extract<ExecutorFrame, { type: 'result' }> | undefined;
			let hasBegun = false;
			const channel = new ExecutorChannel(executor.wire, {
				onFrame(frame) {
					if (frame.type === 'ready') hasBegun = true;
					if (frame.type === 'dispatch') asked.push(frame);
					if (frame.type === 'result') result = frame;
				},
				onForged: (names) => void ends.push(`forged: ${names.join(', ')}`),
				onViolation: (problem) => void ends.push(problem),
				onUnanswered: () => {},
				onClosed: () => void ends.push('closed'),
			});
			try {
				await waitFor('it to be ready', () => hasBegun || ends.length > 0);
				const threadContext = { threadId: null, messages: [], projectPath: null, agentId: null, agentInstanceId: null };
				channel.send({
					...{ type: 'call', callId: 'c', params: { rounds, atOnce: 100 } },
					context: {
						...threadContext,
						metadata: {},
						capability: { name: 'test', type: 'skill', path, config: {}, executionId: 'c' },
					},
					limits: { timeoutMs: null, dispatchesInFlight: 100, frameBytes: frameLimits.bytes },
				});
				const answered: HostFrame[] = [];
				for (let round = 0; round < rounds; round += 1) {
					await waitFor('a hundred ops', () => asked.length === 100, 30_000);
					const now: HostFrame[] = asked.splice(0).map(({ dispatchId, params }) => ({
						...{ type: 'dispatch_result', dispatchId },
						ok: { answer: (params as { asked: string }).asked },
					}));
					const again = answered.filter(() => random() < 0.3).map((frame) => ({ ...frame, ok: { answer: 'again' } }));
					const nobody: HostFrame = {
						type: 'dispatch_result',
						dispatchId: `d-${9_000 + round}`,
						ok: { answer: 'nobody' },
					};
					answered.push(...now);
					for (const frame of shuffled(random, [...now, ...again, nobody])) {
						channel.send(frame);
						// At once a second time, with something else in it.
						if (random() < 0.3) channel.send({ ...frame, ok: { answer: 'twice' } } as HostFrame);
						if (random() < 0.05) await new Promise((resolve) => setImmediate(resolve));
					}
				}
				// The host has much to do, and writes before it reads: what the executor has said last is not lost with its end.
				await new Promise((resolve) => setImmediate(resolve));
				blockTheLoop(500);
				for (const frame of answered.slice(-3)) channel.send(frame);
				await waitFor('the result', () => result !== undefined || ends.length > 0, 30_000);
				assert.deepEqual(result?.value, [], JSON.stringify([ends, executor.lastOutput]));
			} finally {
				executor.kill();
				await executor.ended;
				channel.close();
				await guard.close();
			}
		});
	}
});
