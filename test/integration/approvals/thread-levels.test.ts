/** Levels of threads in a host, with the real ledger, files and gate: what each lets through, and what no server can say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { brokerRequests } from '../../../src/protocol/turn/broker.ts';
import { newId } from '../../../src/protocol/rpc/ids.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;

describe('A permission level', () => {
	const start = useServedBases();

	/** A person who denies, and remembers what was asked. */
	function denying() {
		const asked: Approval[] = [];
		const approve = async (approval: Approval): Promise<ApprovalAnswer> => {
			asked.push(approval);
			return { kind: 'deny' };
		};
		return { asked, person: { approve } };
	}
	const writing = (path: string) => ({ path, content: 'new\n' });

	it('is that of one thread: at the same time one asks and the other does not', async () => {
		const { asked, person } = denying();
		const { base, host, performFor } = await start({ approvalMode: 'ask', person });
		const [careful, free] = [newId('thr'), newId('thr')];
		await base.levels.set(free, 'edit', never);
		const outcomes = await Promise.all([
			performFor(careful, 'fs.write', writing('careful.txt')),
			performFor(free, 'fs.write', writing('free.txt')),
		]);
		assert.deepEqual(
			outcomes.map(({ status }) => status),
			['denied', 'done'],
		);
		assert.deepEqual(
			asked.map(({ threadId }) => threadId),
			[careful],
		);
		assert.equal(readFileSync(join(host.workspace, 'free.txt'), 'utf8'), 'new\n');
	});

	it('is still there after the host has ended, and gone once the thread is deleted', async () => {
		const { asked, person } = denying();
		const first = await start({ approvalMode: 'ask', person });
		const thread = newId('thr');
		await first.base.levels.set(thread, 'edit', never);
		await first.base.close();
		const { home, workspace } = first.host;
		const second = await start({ approvalMode: 'ask', person, home, workspace });
		assert.equal((await second.performFor(thread, 'fs.write', writing('a.txt'))).status, 'done');
		await second.base.endThread(thread);
		assert.equal((await second.performFor(thread, 'fs.write', writing('b.txt'))).status, 'denied');
		assert.equal(asked.length, 1);
	});

	it('is kept by the host: what a server says of it changes nothing, and it has the level of the thread it names', async () => {
		const { person } = denying();
		const { base, far, performFor } = await start({ approvalMode: 'ask', person });
		const [careful, free] = [newId('thr'), newId('thr')];
		await base.levels.set(free, 'edit', never);
		base.beginThread(careful);
		const claimed = {
			opId: newId('op'),
			op: 'fs.write',
			params: writing('a.txt'),
			threadId: careful,
			turnId: newId('trn'),
			level: 'full',
		};
		const outcome = await far.call(brokerRequests.perform, claimed, never);
		assert.equal(outcome.status, 'denied');
		const raw: { call(message: { method: string }, params: unknown, signal: AbortSignal): Promise<unknown> } =
			far as never;
		await assert.rejects(raw.call({ method: 'level/set' }, { threadId: careful, level: 'full' }, never));
		assert.equal((await base.levels.of(careful, never)).level, 'ask');
		assert.equal((await performFor(free, 'fs.write', writing('b.txt'))).status, 'done');
	});

	it('is recorded when it changes, and named in the row of what it has let through', async () => {
		const { base, performFor } = await start({ approvalMode: 'ask' });
		const thread = newId('thr');
		await base.levels.set(thread, 'edit', never);
		await performFor(thread, 'fs.write', writing('a.txt'));
		const entries = await base.ledger.query({ threadId: thread, limit: 20 });
		const changed = entries.filter(({ op }) => op === 'level.set');
		assert.deepEqual(changed.map(({ kind, trigger }) => `${kind} by the ${trigger}`).toSorted(), [
			'intent by the user',
			'outcome by the user',
		]);
		assert.match(changed[0]?.input ?? '', /Ask first → Edit freely/);
		const written = entries.find(({ op, kind }) => op === 'fs.write' && kind === 'intent');
		assert.match(written?.decision ?? '', /^allow \(edit\): Allowed by the permission level Edit freely\./);
	});

	it('that the workspace forbids cannot be chosen, and limits a thread that has it; the place of the rule is named', async () => {
		const { asked, person } = denying();
		const { base, host, performFor } = await start({ approvalMode: 'ask', person });
		const thread = newId('thr');
		await base.levels.set(thread, 'full', never);
		host.write('.prowess/policy.yaml', '# ours\nwidestLevel: ask\n');
		assert.equal((await performFor(thread, 'fs.write', writing('a.txt'))).status, 'denied');
		assert.equal(asked.length, 1);
		const inForce = await base.levels.of(thread, never);
		assert.deepEqual([inForce.level, inForce.widest], ['ask', 'ask']);
		assert.deepEqual(inForce.why?.args, { source: '.prowess/policy.yaml:2:1' });
		await assert.rejects(
			base.levels.set(newId('thr'), 'edit', never),
			/"edit" is forbidden: \.prowess\/policy\.yaml:2:1 /,
		);
	});

	it('is Ask while the policy of the workspace names none that there is, and the place is said', async () => {
		const { asked, person } = denying();
		const { base, performFor } = await start({
			approvalMode: 'ask',
			person,
			settings: { 'prowess.approvals.level': 'full' },
			files: { '.prowess/policy.yaml': 'widestLevel: Auto\n' },
		});
		const thread = newId('thr');
		const inForce = await base.levels.of(thread, never);
		assert.equal(inForce.level, 'ask');
		assert.match(
			inEnglish(inForce.why ?? assert.fail()),
			/: \.prowess\/policy\.yaml:1:1: "widestLevel" names no permission level; /,
		);
		assert.equal((await performFor(thread, 'fs.write', writing('a.txt'))).status, 'denied');
		assert.match(inEnglish(asked[0]?.reason ?? assert.fail()), /names no permission level/);
		const problems = await base.policy.problems(never);
		assert.ok(problems.some((problem) => /names no permission level/.test(problem)));
	});

	it('of the settings is limited by those of the user, too', async () => {
		const settings = { 'prowess.approvals.level': 'full', 'prowess.approvals.widestLevel': 'auto' } as const;
		const { base } = await start({ approvalMode: 'ask', settings });
		const inForce = await base.levels.of(null, never);
		assert.deepEqual([inForce.level, inForce.why?.args], ['auto', { source: 'prowess.approvals.widestLevel' }]);
	});
});
