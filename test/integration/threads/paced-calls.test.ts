/** Tool calls that wait for room in a minute: what a user set, said in each place where a turn is watched; by default none. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { jsonOutput } from '../../../src/cli/run/output.ts';
import { textOutput } from '../../../src/cli/run/text-output.ts';
import { Terminal } from '../../../src/cli/terminal/terminal.ts';
import type { ToolItem } from '../../../src/protocol/thread/items.ts';
import type { ThreadEvent } from '../../../src/protocol/thread/thread.ts';
import { TurnScene } from '../../support/turn-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('Tool calls in a minute', () => {
	let scene: TurnScene;
	afterEach(() => scene.close());

	const lines = Array.from({ length: 120 }, (_, n) => `line ${n + 1}\n`).join('');
	/** An answer that reads so many lines of a file, each with a call of its own. */
	const reads = (from: number, count: number) => ({
		toolCalls: Array.from({ length: count }, (_, n) => ({
			name: 'fs_read',
			input: { path: 'a.txt', offset: from + n, limit: 1 },
		})),
	});
	const pacedOf = (events: readonly ThreadEvent[]) =>
		events.flatMap((event) =>
			event.type === 'item.tool' && event.patch.paced !== undefined ? [event.patch.paced] : [],
		);
	const callsOf = async (threadId: Awaited<ReturnType<TurnScene['begin']>>): Promise<readonly ToolItem[]> =>
		(await scene.opened(threadId)).items.filter((item) => item.kind === 'tool');

	it('are not limited unless the user says so: 120 of one turn run without a wait', async () => {
		const script = [reads(1, 60), reads(61, 60), { text: 'Read.' }];
		scene = await TurnScene.open({ script, files: { 'a.txt': lines } });
		assert.equal(scene.host.ports.settings.current['prowess.quotas.toolCallsPerMinute'], 0);
		const threadId = await scene.begin();
		await scene.sends(threadId, 'Read it line by line');
		await waitFor('a wait or the end', () => pacedOf(scene.events).length > 0 || scene.model.requests.length === 3);
		assert.deepEqual(pacedOf(scene.events), []);
		assert.equal(await scene.ended(), 'done');
		const calls = await callsOf(threadId);
		assert.deepEqual([calls.length, new Set(calls.map(({ status }) => status))], [120, new Set(['done'])]);
	});

	const said = (events: readonly ThreadEvent[], output: typeof jsonOutput) => {
		const [stdout, stderr] = [new PassThrough(), new PassThrough()];
		const shown = output(new Terminal({ stdin: new PassThrough(), stdout, stderr }));
		for (const event of events) shown.event(event);
		return { out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
	};

	it('that poll and find the same wait longer each time, and each wait is said in text', async () => {
		const polls = { toolCalls: [{ name: 'shell_run', input: { argv: ['node', '--version'] } }] };
		scene = await TurnScene.open({
			script: Array.from({ length: 8 }, () => polls),
			settings: { 'prowess.approvals.level': 'full' },
		});
		const threadId = await scene.begin();
		await scene.sends(threadId, 'Poll it');
		await waitFor('the second wait', () => pacedOf(scene.events).length === 2);
		await scene.stops(threadId);
		assert.equal(await scene.ended(), 'stopped');
		assert.equal(said(scene.events, textOutput).err.match(/the agent waits before it tries again/g)?.length, 2);
	});

	describe('beyond a limit of 3', () => {
		it('wait, which is said as the wait begins: in text once, in JSON, and in the thread; a stop ends it', async () => {
			scene = await TurnScene.open({
				script: [reads(1, 5), { text: 'Never said.' }],
				files: { 'a.txt': lines },
				settings: { 'prowess.quotas.toolCallsPerMinute': 3 },
			});
			const threadId = await scene.begin();
			const begun = Date.now();
			await scene.sends(threadId, 'Read five lines');
			await waitFor('two calls that wait', () => pacedOf(scene.events).length === 2);
			const ran = () => scene.events.filter((event) => event.type === 'item.tool' && event.patch.status === 'done');
			await waitFor('three calls that ran', () => ran().length === 3);
			const waiting = (await callsOf(threadId)).filter(({ status }) => status === 'pending');
			assert.equal(waiting.length, 2);
			for (const { paced } of waiting) {
				assert.equal(paced?.limit, 3);
				const ms = Date.parse(paced.until) - begun;
				assert.ok(ms > 0 && ms <= Date.now() - begun + 60_000, `it says ${ms} ms`);
			}
			const { err } = said(scene.events, textOutput);
			assert.match(
				err,
				/^prowess: This thread made 3 tool calls within a minute, the limit of prowess\.quotas\.toolCallsPerMinute\. It continues at \d\d:\d\d:\d\d\.\n$/,
			);
			const json = said(scene.events, jsonOutput).out.split('\n');
			assert.equal(json.filter((line) => /^\{"type":"item\.tool".*"paced":\{"limit":3,"until":"/.test(line)).length, 2);

			await scene.stops(threadId);
			assert.equal(await scene.ended(), 'stopped');
			assert.equal(scene.model.requests.length, 1);
			const ends = (await callsOf(threadId)).map(({ status, opId }) => [status, opId] as const);
			assert.deepEqual(
				ends.map(([status]) => status),
				['done', 'done', 'done', 'cancelled', 'cancelled'],
			);
			const rows = await scene.base.ledger.query({ threadId, limit: 100 });
			for (const [status, opId] of ends) {
				const outcomes = rows.filter((row) => row.opId === opId && row.kind === 'outcome');
				assert.deepEqual(
					outcomes.map((row) => row.status),
					[status],
				);
			}
		});

		it('are said of again in the next turn', async () => {
			scene = await TurnScene.open({
				script: [reads(1, 4), reads(11, 4)],
				files: { 'a.txt': lines },
				settings: { 'prowess.quotas.toolCallsPerMinute': 3 },
			});
			const threadId = await scene.begin();
			for (const turn of [1, 2]) {
				await scene.sends(threadId, `Read ${turn}`);
				await waitFor(
					'a call that waits',
					() => scene.model.requests.length === turn && pacedOf(scene.events).length >= turn,
				);
				await scene.stops(threadId);
				assert.equal(await scene.ended(turn), 'stopped');
			}
			assert.equal(said(scene.events, textOutput).err.match(/It continues at/g)?.length, 2);
		});
	});
});
