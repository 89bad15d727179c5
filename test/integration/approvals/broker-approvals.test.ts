/** Tests standing approvals in trusted bases as windows have them: kept by answers, listed, and revoked for all. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import type { Approval, ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from './served-base.ts';

const never = new AbortController().signal;

describe('kept approvals', () => {
	const start = useServedBases();

	/** A window whose person gives these answers, one after the other; then none. */
	async function windowOf(kinds: readonly ApprovalAnswer['kind'][], home?: string, workspace?: string) {
		const asked: Approval[] = [];
		const served = await start({
			approvalMode: 'ask',
			...(home === undefined ? {} : { home }),
			...(workspace === undefined ? {} : { workspace }),
			person: {
				isOnlyWay: true,
				approve: (approval) => {
					const kind = kinds[asked.push(approval) - 1];
					return Promise.resolve(kind === undefined ? undefined : { kind });
				},
			},
		});
		const write = async (path: string) => {
			const outcome = await served.perform('fs.write', { path, content: `${Math.random()}` });
			return outcome.status;
		};
		return { ...served, asked, write };
	}

	async function listOf({ approvals }: TrustedBase) {
		const list = await approvals.list(never);
		return list.approvals.map((each) => [each.in.kind, inEnglish(each.what), each.exact]);
	}

	it('that are gone are not revoked once more', async () => {
		const { base, write } = await windowOf(['project']);
		await write('src/a.txt');
		const [approval] = (await base.approvals.list(never)).approvals;
		assert.equal((await base.approvals.revoke(approval?.id ?? '', never))?.id, approval?.id);
		assert.equal(await base.approvals.revoke(approval?.id ?? '', never), undefined);
		assert.equal(await base.approvals.revoke('no such id', never), undefined);
		assert.deepEqual(await base.approvals.reset(never), []);
	});

	it('stay what they are when it cannot be read where they came from', async () => {
		const { base, host, write } = await windowOf(['project']);
		await write('src/a.txt');
		writeFileSync(join(host.home, 'approval-origins.json'), '{"origins": [');
		const { approvals, problems } = await base.approvals.list(never);
		assert.deepEqual(
			[approvals.map(({ exact, origin }) => [exact, origin]), problems],
			[[['fs.write src/**', null]], []],
		);
		assert.equal(await write('src/b.txt'), 'done');
	});

	it('know their question and when it was answered, without the content of the file', async () => {
		const { base, asked, threadId, write } = await windowOf(['project']);
		const before = Date.now();
		await write('src/a.txt');
		const [approval] = (await base.approvals.list(never)).approvals;
		const { at, ...origin } = approval?.origin ?? { at: '' };
		assert.deepEqual(origin, { title: asked[0]?.title, opId: asked[0]?.opId, threadId });
		assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now());
	});

	it('of a thread are listed with it, and one that is revoked is asked about again', async () => {
		const { base, asked, threadId, write } = await windowOf(['thread', 'deny']);
		await write('a.txt');
		await write('b.txt');
		const { approvals } = await base.approvals.list(never);
		assert.deepEqual(
			approvals.map((each) => [each.in, inEnglish(each.what), each.exact]),
			[[{ kind: 'thread', threadId }, 'Change files in this workspace, except protected and secret files', null]],
		);
		assert.equal(asked.length, 1);
		await base.approvals.revoke(approvals[0]?.id ?? '', never);
		assert.deepEqual(await listOf(base), []);
		assert.equal(await write('c.txt'), 'denied');
		assert.equal(asked.length, 2);
	});

	it('of a project that one window revokes are asked about at once in another, which hears of it', async () => {
		const one = await windowOf(['project', 'deny']);
		const other = await windowOf(['deny'], one.host.home, one.host.workspace);
		let heard = 0;
		const listening = other.base.approvals.onDidChange(() => void (heard += 1));
		assert.equal(await one.write('src/a.txt'), 'done');
		assert.equal(await other.write('src/b.txt'), 'done');
		await waitFor('the other window to hear of the rule', () => heard > 0);
		const [approval] = (await other.base.approvals.list(never)).approvals;
		await other.base.approvals.revoke(approval?.id ?? '', never);
		assert.equal(await one.write('src/c.txt'), 'denied');
		assert.equal(await other.write('src/d.txt'), 'denied');
		assert.deepEqual([one.asked.length, other.asked.length], [2, 1]);
		listening.dispose();
	});

	it('of all projects end for the thread they were given in, too', async () => {
		const { base, host, asked, write } = await windowOf(['always', 'deny']);
		await write('src/a.txt');
		// The settings of this host are a list of their own, which the gate does not read again.
		assert.deepEqual(host.saved, ['fs.write src/**']);
		assert.deepEqual(await listOf(base), [['thread', 'Write src/**', 'fs.write src/**']]);
		await base.approvals.reset(never);
		assert.equal(await write('src/b.txt'), 'denied');
		assert.equal(asked.length, 2);
	});

	it('would be, as an open question says: by which rule it asks, and from which level on it passes', async () => {
		const { base, perform, threadId } = await start({ approvalMode: 'ask' });
		const outcome = perform('fs.write', { path: 'src/a.txt', content: 'x' });
		await waitFor('the question', () => base.desk.current.approvals.length === 1);
		const [approval] = base.desk.current.approvals;
		assert.ok(approval !== undefined);
		const why = await base.policy.why(approval.id, never);
		const { decision, rule, threadLevel, asked } = why?.explanation ?? {};
		assert.deepEqual(
			[decision, rule, threadLevel, asked?.pattern, asked?.passesAt],
			['ask', 'writes', 'ask', 'fs.write src/**', 'edit'],
		);
		assert.equal(why?.question, 'fs.write {"path":"src/a.txt","content":"x"}');
		await base.levels.set(threadId, 'manual', never);
		assert.equal((await base.policy.why(approval.id, never))?.explanation.threadLevel, 'manual');
		assert.equal((await base.policy.why(approval.id, never))?.explanation.asked?.passesAt, null);
		base.desk.approve(approval.id, { kind: 'deny' });
		await outcome;
		assert.equal(await base.policy.why(approval.id, never), undefined);
	});

	it('have the level of a thread among them, and revoked it is that of the settings again', async () => {
		const { base, threadId } = await windowOf([]);
		await base.levels.set(threadId, 'auto', never);
		const { approvals } = await base.approvals.list(never);
		assert.deepEqual(
			approvals.map((each) => [each.in, inEnglish(each.what)]),
			[
				[
					{ kind: 'level', threadId },
					'Work at the permission level Auto: Changes files and runs sandboxed commands without asking.',
				],
			],
		);
		await base.approvals.revoke(approvals[0]?.id ?? '', never);
		assert.equal((await base.levels.of(threadId, never)).level, 'ask');
		assert.deepEqual(await listOf(base), []);
	});

	it('are all asked about again after a reset, and the ledger says which', async () => {
		const { base, host, write } = await windowOf(['project', 'thread']);
		await write('src/a.txt');
		await write('b.txt');
		assert.equal((await base.approvals.reset(never)).length, 2);
		assert.deepEqual(await listOf(base), []);
		assert.equal(await write('src/a.txt'), 'denied');
		assert.deepEqual(JSON.parse(readFileSync(join(host.home, 'project-rules.json'), 'utf8')), { projects: [] });
		const rows = await base.ledger.query({ op: 'approval.reset', limit: 10 });
		assert.match(rows.map(({ output }) => output ?? '').join(), /revoked: Change files .*; Write src\/\*\*/);
	});
});
