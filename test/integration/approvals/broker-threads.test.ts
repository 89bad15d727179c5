/** Tests approvals and other state that hold for one thread and end with it. */
import assert from 'node:assert/strict';
import { exactArgvPattern } from '../../../src/trust/gate/policy/rules/argv-pattern.ts';
import type { Approval } from '../../../src/protocol/approvals/approvals.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import type { OpResult } from '../../../src/protocol/op-table/ops.ts';
import { runningProcesses } from '../../support/processes.ts';
import { useServedBases } from './served-base.ts';

const slow = [process.execPath, '-e', 'console.log("so far"); setInterval(() => {}, 1000)'];

describe('a thread in the trusted base', () => {
	const start = useServedBases();

	it('asks once for all file changes of a thread, and still for what steers tools', async () => {
		const asked: string[] = [];
		const approve = (approval: Approval) => {
			asked.push(approval.title);
			return Promise.resolve({ kind: approval.threadScope === null ? 'once' : 'thread' } as const);
		};
		const { perform } = await start({ approvalMode: 'ask', person: { approve }, files: { 'a.txt': 'one\n' } });
		const edits = [{ find: 'one', replace: 'two' }];
		await perform('fs.edit', { path: 'a.txt', edits });
		await perform('fs.write', { path: 'deep/b.txt', content: 'b' });
		await perform('fs.write', { path: '.git/config', content: '' });
		await perform('fs.write', { path: '.env', content: '' });
		assert.deepEqual(asked, ['Edit a.txt', 'Write .git/config', 'Write .env']);
	});

	it('ends a deleted thread: its commands, questions, answers and before-images, and nothing of another', async () => {
		const asked: string[] = [];
		const { base, perform, performFor, threadId } = await start({
			approvalMode: 'ask',
			settings: { 'prowess.approvals.allow': [`shell.run ${exactArgvPattern(slow)}`] },
			person: {
				approve: (approval) => {
					asked.push(approval.title);
					return Promise.resolve({ kind: 'thread' });
				},
			},
			files: { 'a.txt': 'one\n' },
		});
		const other = newId('thr');
		const state = (outcome: OpOutcome) =>
			outcome.status === 'done' ? (outcome.result as OpResult<'shell.run'>) : assert.fail(outcome.error.message);
		for (const thread of [threadId, other]) {
			await performFor(thread, 'fs.write', { path: `${thread}.txt`, content: 'x' });
		}
		const [mine, theirs] = [
			state(await performFor(threadId, 'shell.run', { argv: slow, background: true })),
			state(await performFor(other, 'shell.run', { argv: slow, background: true })),
		];
		const isOpen = new Promise<void>((resolve) => {
			base.desk.onDidChange(({ questions }) => questions.length > 0 && resolve());
		});
		const question = perform('user.ask', { question: 'Which?' });
		await isOpen;

		await base.endThread(threadId);

		assert.equal((await question).status, 'cancelled');
		assert.deepEqual(base.desk.current.questions, []);
		const gone = await performFor(threadId, 'shell.output', { commandId: mine.commandId });
		assert.equal(gone.status !== 'done' && gone.error.code, 'NOT_FOUND');
		assert.equal(state(await performFor(other, 'shell.output', { commandId: theirs.commandId })).running, true);
		assert.deepEqual([await base.changes.list(threadId), (await base.changes.list(other)).length], [[], 1]);
		for (const thread of [threadId, other]) {
			await performFor(thread, 'fs.write', { path: `${thread}.txt`, content: 'y' });
		}
		assert.deepEqual(asked, [`Write ${threadId}.txt`, `Write ${other}.txt`, `Write ${threadId}.txt`]);
	});

	it('ends the processes of a deleted thread', async () => {
		const { base, perform, threadId } = await start();
		const marker = `86397.${process.pid}`;
		const isThere = () => runningProcesses().some(({ commandLine }) => commandLine === `sleep ${marker}`);
		// In a sandbox its whole name is not seen from here.
		await perform('shell.run', { argv: ['sleep', marker], background: true, needs: { noSandbox: true } });
		assert.ok(isThere());
		await base.endThread(threadId);
		assert.ok(!isThere());
	});
});
