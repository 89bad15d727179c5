/**
 * The channel of a real executor, cut within and between the messages that it sends and is sent: it has one end, and what it asked for
 * has happened once or not at all, as the ledger says.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CapabilityExecutionResult } from '../../../src/protocol/execution/execution.ts';
import { CapabilityScene } from '../../support/capability-scene.ts';

const root = join(import.meta.dirname, '../../..');
const executor = 'cuts-its-channel';
const AT_ONCE = 4;
const MESSAGES = ['ready', 'dispatch', 'progress', 'result'] as const;

type Cut = { readonly cutAt: number } | { readonly goneAt: 'call' | 'answer' } | undefined;
/** Bytes that were sent after each message. */
type After = Readonly<Record<(typeof MESSAGES)[number], number>>;

describe('An execution whose channel is cut', function () {
	this.timeout(180_000);
	let scene: CapabilityScene;
	beforeEach(async () => {
		scene = await CapabilityScene.open();
		const folder = join(scene.host.home, 'capabilities/executors', executor);
		cpSync(join(root, 'test/fixtures/executors', executor), folder, { recursive: true });
		cpSync(realpathSync(join(root, 'node_modules/ws')), join(folder, 'node_modules/ws'), { recursive: true });
	});
	afterEach(() => scene.close());

	const nameOf = (at: number) => `cut-${String(at).padStart(3, '0')}`;
	async function run(at: number, cut: Cut): Promise<CapabilityExecutionResult> {
		const name = nameOf(at);
		scene.capability('cuts', name, {
			'capability.yaml': `name: ${name}\ntype: cuts\nversion: 1.0.0\npermissions: [workspace.write]\n`,
			'cut.json': JSON.stringify({ path: `${name}.txt`, ...cut }),
		});
		return await scene.run(name);
	}
	/** The rows of the one effect that it asks for. */
	async function effectOf(at: number) {
		const rows = (await scene.rows('fs.write')).filter((row) => JSON.stringify(row).includes(nameOf(at)));
		return { kinds: rows.map(({ kind }) => kind).join(), status: rows.at(-1)?.status };
	}
	const fileOf = (at: number) => join(scene.host.workspace, `${nameOf(at)}.txt`);
	const made = (at: number) => existsSync(fileOf(at));

	it('has one end, and its effect once or not at all', async () => {
		const whole = await run(0, undefined);
		assert.ok(whole.success, JSON.stringify(whole.error));
		const after = whole.result as After;
		// Cuts each message after one byte, half, and all but one; where more follows, also after all of it (none of
		// the next). Cuts the result after 1 and 10 bytes.
		const cuts: Exclude<Cut, undefined>[] = MESSAGES.flatMap((message, index) => {
			const from = index === 0 ? 0 : after[MESSAGES[index - 1] ?? 'ready'];
			const inside = message === 'result' ? [1, 10] : [1, (after[message] - from) >> 1, after[message] - from - 1];
			return [...inside, ...(message === 'result' ? [] : [after[message] - from])].map((bytes) => ({
				cutAt: from + bytes,
			}));
		});
		cuts.push({ goneAt: 'call' }, { goneAt: 'answer' });
		for (let done = 0; done < cuts.length; done += AT_ONCE) {
			await Promise.all(cuts.slice(done, done + AT_ONCE).map((cut, at) => endsOnce(done + at + 1, cut, after)));
		}
		// Closing the host ends work that is under way.
		await scene.close();
		scene = await CapabilityScene.open({ home: scene.host.home, workspace: scene.host.workspace });
		assert.deepEqual(await effectOf(0), { kinds: 'intent,outcome', status: 'done' });
		for (const [at, cut] of cuts.entries()) await hasHappenedOnce(at + 1, cut, after);
	});

	async function endsOnce(at: number, cut: Exclude<Cut, undefined>, after: After): Promise<void> {
		const ends: string[] = [];
		const following = scene.base.capabilities.onDidEnd(({ executionId }) => void ends.push(executionId));
		const { success, executionId, error } = await run(at, cut);
		following.dispose();
		const moment = JSON.stringify({ cut, error });
		const wasReady = 'goneAt' in cut || cut.cutAt >= after.ready;
		assert.deepEqual([success, error?.code], [false, wasReady ? 'EXECUTION_FAILED' : 'CONNECTION_FAILED'], moment);
		assert.equal(ends.filter((id) => id === executionId).length, 1, moment);
	}

	async function hasHappenedOnce(at: number, cut: Exclude<Cut, undefined>, after: After): Promise<void> {
		const { kinds, status } = await effectOf(at);
		const moment = `${JSON.stringify(cut)}: ${kinds} ${status}`;
		const wasAsked = 'goneAt' in cut ? cut.goneAt === 'answer' : cut.cutAt >= after.dispatch;
		const wasAnswered = 'goneAt' in cut ? cut.goneAt === 'answer' : cut.cutAt > after.progress;
		// Stopped before it was judged, it has an end alone, or nothing.
		const possible = wasAnswered ? ['intent,outcome'] : wasAsked ? ['', 'outcome', 'intent,outcome'] : [''];
		assert.ok(possible.includes(kinds), moment);
		if (wasAnswered) assert.equal(status, 'done', moment);
		assert.equal(made(at), status === 'done', moment);
		if (made(at)) assert.equal(readFileSync(fileOf(at), 'utf8'), 'made');
	}
});
