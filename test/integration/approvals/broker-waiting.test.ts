/** Tests the time limits of ops, and which waiting counts as the user's time. */
import assert from 'node:assert/strict';
import type { QuestionId } from '../../../src/protocol/rpc/ids.ts';
import type { OpResult } from '../../../src/protocol/op-table/ops.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from './served-base.ts';

// A shell says its line at once, also on a busy machine, where Node takes a second to start.
const slow = ['sh', '-c', 'echo so far; exec sleep 600'];

describe('the time of an op', () => {
	const start = useServedBases();

	it('ends a command at its limit, its own or that of the setting, and keeps the output', async () => {
		const { perform } = await start({ settings: { 'prowess.agent.toolTimeoutSeconds': 2 } });
		for (const own of [{}, { timeoutMs: 1_500 }]) {
			const outcome = await perform('shell.run', { argv: slow, ...own });
			assert.ok(outcome.status === 'done', JSON.stringify(outcome));
			const { timedOut, output, running } = outcome.result as OpResult<'shell.run'>;
			assert.deepEqual([timedOut, output, running], [true, 'so far\n', false]);
		}
	});

	it('lets a command that asks for more time than the setting gives come to its end', async () => {
		// The limit leaves room to start a program and to ask how it stands on a busy machine; the command takes longer.
		const { perform } = await start({ settings: { 'prowess.agent.toolTimeoutSeconds': 2 } });
		const argv = [process.execPath, '-e', 'setTimeout(() => console.log("ready"), 2500)'];
		const foreground = await perform('shell.run', { argv, timeoutMs: 20_000 });
		assert.equal(foreground.status === 'done' && (foreground.result as OpResult<'shell.run'>).output, 'ready\n');
		const background = await perform('shell.run', { argv, background: true });
		assert.ok(background.status === 'done');
		const { commandId } = background.result as OpResult<'shell.run'>;
		let state: OpResult<'shell.output'>;
		do {
			const outcome = await perform('shell.output', { commandId, waitMs: 150 });
			assert.ok(outcome.status === 'done');
			state = outcome.result as OpResult<'shell.output'>;
		} while (state.running);
		assert.deepEqual([state.timedOut, state.exitCode], [false, 0]);
	});

	it('tells that it waits while the user is asked, and does not count that time', async () => {
		const { base, perform, progress } = await start({ approvalMode: 'ask' });
		const asked = new Promise<QuestionId>((resolve) => {
			base.desk.onDidChange(({ questions }) => questions[0] !== undefined && resolve(questions[0].id));
		});
		const askedAt = performance.now();
		const answered = perform('user.ask', { question: 'Which?' });
		const id = await asked;
		const shownAt = performance.now();
		await waitFor('some time to pass', () => performance.now() - shownAt > 300);
		assert.equal(progress.at(-1)?.kind, 'waiting');
		assert.ok(base.desk.reply(id, 'this one'));
		const outcome = await answered;
		assert.deepEqual(outcome.status === 'done' && outcome.result, { answer: 'this one', through: 'cli' });
		const othersMs = performance.now() - askedAt - 300;
		assert.ok(outcome.durationMs < othersMs, `${outcome.durationMs} of ${othersMs} ms`);
		assert.deepEqual(
			progress.map(({ kind }) => kind),
			['running', 'waiting', 'running'],
		);
	});
});
