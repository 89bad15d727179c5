/** Modes of threads in a host, with the real ledger, files and gate: what a server that lies gets in a thread that only reads. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;

describe('The mode of a thread', () => {
	const start = useServedBases();
	const writing = (path: string) => ({ path, content: 'new\n' });

	it('is enforced by the host at every level: a server that asks all the same changes and runs nothing in the mode Ask', async () => {
		const { base, host, performFor } = await start({ approvalMode: 'full' });
		host.write('a.txt', 'old\n');
		const thread = newId('thr');
		await base.levels.set(thread, 'full', never);
		await base.modes.set(thread, 'ask', never);
		for (const [op, params] of [
			['fs.write', writing('new.txt')],
			['fs.edit', { path: 'a.txt', edits: [{ find: 'old', replace: 'new' }] }],
			['fs.delete', { path: 'a.txt' }],
			['fs.move', { from: 'a.txt', to: 'b.txt' }],
			['shell.run', { argv: ['touch', 'run.txt'] }],
		] as const) {
			const outcome = await performFor(thread, op, params);
			assert.equal(outcome.status, 'denied', op);
			assert.match(outcome.status === 'denied' ? outcome.error.message : '', /"mode": The mode Ask only reads/, op);
		}
		assert.deepEqual(
			['a.txt', 'new.txt', 'b.txt', 'run.txt'].map((name) => existsSync(join(host.workspace, name))),
			[true, false, false, false],
		);
		assert.equal((await performFor(thread, 'fs.read', { path: 'a.txt' })).status, 'done');
		assert.equal((await performFor(newId('thr'), 'fs.write', writing('new.txt'))).status, 'done');
	});

	it('is kept by the host: a server can neither claim another one nor set it', async () => {
		const { base, far } = await start({ approvalMode: 'full' });
		const thread = newId('thr');
		await base.modes.set(thread, 'ask', never);
		base.beginThread(thread);
		const claimed = {
			opId: newId('op'),
			op: 'fs.write',
			params: writing('a.txt'),
			threadId: thread,
			turnId: newId('trn'),
			mode: 'agent',
		};
		assert.equal((await far.call(brokerRequests.perform, claimed, never)).status, 'denied');
		const raw: { call(message: { method: string }, params: unknown, signal: AbortSignal): Promise<unknown> } =
			far as never;
		await assert.rejects(raw.call({ method: 'mode/set' }, { threadId: thread, mode: 'agent' }, never));
		assert.equal(await base.modes.of(thread, never), 'ask');
	});

	it('is still there after the host has ended, is recorded when it changes, and is gone with the thread', async () => {
		const first = await start();
		const thread = newId('thr');
		await first.base.modes.set(thread, 'ask', never);
		const rows = await first.base.ledger.query({ threadId: thread, limit: 20 });
		assert.match(rows.find(({ op }) => op === 'mode.set')?.input ?? '', /Agent → Ask/);
		await first.base.close();
		const { home, workspace } = first.host;
		const second = await start({ home, workspace });
		assert.equal((await second.performFor(thread, 'fs.write', writing('a.txt'))).status, 'denied');
		await second.base.modes.set(thread, 'agent', never);
		assert.equal((await second.performFor(thread, 'fs.write', writing('a.txt'))).status, 'done');
		await second.base.modes.set(thread, 'ask', never);
		await second.base.endThread(thread);
		assert.equal(await second.base.modes.of(thread, never), 'agent');
	});

	it('is Ask for every thread while the file with the modes cannot be read, and the problem is told', async () => {
		const { base, host, performFor } = await start({ approvalMode: 'full' });
		writeFileSync(join(host.home, 'thread-modes.json'), '{"threads": 1');
		assert.equal((await performFor(newId('thr'), 'fs.write', writing('a.txt'))).status, 'denied');
		assert.match((await base.policy.problems(never)).join('\n'), /thread-modes\.json/);
	});

	it('is Plan until the person says yes to a plan: what is refused changes nothing, at any level', async () => {
		const asked: Approval[] = [];
		const answers: ApprovalAnswer[] = [{ kind: 'deny', reason: 'Too long.' }, { kind: 'once' }];
		const approve = async (approval: Approval): Promise<ApprovalAnswer> => {
			asked.push(approval);
			return answers.shift() ?? { kind: 'deny' };
		};
		const { base, host, performFor } = await start({ approvalMode: 'ask', person: { approve } });
		const thread = newId('thr');
		await base.levels.set(thread, 'full', never);
		await base.modes.set(thread, 'plan', never);
		const plan = { plan: '# Mend it\n\n1. Write a.txt\n' };
		const refused = await performFor(thread, 'plan.write', plan);
		assert.equal(refused.status === 'denied' && refused.error.code, 'DENIED_BY_USER');
		assert.equal((await performFor(thread, 'fs.write', writing('a.txt'))).status, 'denied');
		assert.equal((await performFor(thread, 'shell.run', { argv: ['touch', 'a.txt'] })).status, 'denied');
		assert.equal(await base.modes.of(thread, never), 'plan');
		assert.equal(existsSync(join(host.workspace, 'a.txt')), false);
		const approved = await performFor(thread, 'plan.write', plan);
		assert.deepEqual(approved.status === 'done' && approved.result, { ...plan, isEdited: false });
		assert.equal(await base.modes.of(thread, never), 'agent');
		assert.equal((await performFor(thread, 'fs.write', writing('a.txt'))).status, 'done');
		assert.deepEqual(
			asked.map(({ op, detail, pattern, threadScope }) => [op, detail.kind, pattern, threadScope]),
			Array.from({ length: 2 }, () => ['plan.write', 'plan', null, null]),
		);
		const rows = await base.ledger.query({ threadId: thread, limit: 50 });
		assert.ok(rows.some(({ op, input }) => op === 'mode.set' && input.endsWith('Plan → Agent')));
	});

	it('is Plan still where nobody can be asked, and a thread at Ask has no plan', async () => {
		const { base, performFor } = await start({ approvalMode: 'full' });
		const [planning, asking] = [newId('thr'), newId('thr')];
		await base.modes.set(planning, 'plan', never);
		await base.modes.set(asking, 'ask', never);
		for (const thread of [planning, asking]) {
			assert.equal((await performFor(thread, 'plan.write', { plan: 'x' })).status, 'denied');
		}
		assert.deepEqual([await base.modes.of(planning, never), await base.modes.of(asking, never)], ['plan', 'ask']);
	});

	it('is Agent with the text that the person made of the plan', async () => {
		const changed = '# Mend it\n\n1. Write b.txt\n';
		const { base, performFor } = await start({
			approvalMode: 'ask',
			person: { approve: () => Promise.resolve({ kind: 'once' as const, text: changed }) },
		});
		const thread = newId('thr');
		await base.modes.set(thread, 'plan', never);
		const outcome = await performFor(thread, 'plan.write', { plan: '# Mend it\n' });
		assert.deepEqual(outcome.status === 'done' && outcome.result, { plan: changed, isEdited: true });
	});
});
