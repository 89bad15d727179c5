/** Sub-agents in worktrees of their own, in a host with the real ledger, files, gate and Git, and a server that does what it likes. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalAnswer } from '../../../src/protocol/approvals/approvals.ts';
import { type AgentReport, agentSend } from '../../../src/protocol/agents/agent-ops.ts';
import { newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import { turnNotifications } from '../../../src/protocol/thread/thread-requests.ts';
import { brokerRequests, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import { useAgents, why } from '../agents/agent-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';

const never = new AbortController().signal;
const isolation = { isolation: 'worktree' };

describe('A sub-agent with a worktree of its own', function () {
	this.timeout(60_000);
	const start = useAgents();

	async function begin(settings: object = {}, approve?: () => Promise<ApprovalAnswer>) {
		const scene = await start({
			approvalMode: approve === undefined ? 'full' : 'ask',
			...(approve && { person: { approve } }),
			files: { 'a.txt': 'one\ntwo\nthree\n', '.gitignore': 'x/\n' },
			settings,
		});
		const { workspace } = scene.host;
		const git = (...args: string[]) =>
			execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: workspace, encoding: 'utf8' });
		git('init', '--quiet', '--initial-branch=main');
		git('add', '-A');
		git('commit', '--quiet', '-m', 'first');
		const turns = new Map<ThreadId, TurnId>();
		const act = async (threadId: ThreadId, op: string, params: unknown): Promise<OpOutcome> => {
			const turnId = turns.get(threadId) ?? newId('trn');
			turns.set(threadId, turnId);
			return await scene.far.call(brokerRequests.perform, { opId: newId('op'), op, params, threadId, turnId }, never);
		};
		/** Ends its turn, as its server says. */
		const rest = (threadId: ThreadId) => {
			const turnId = turns.get(threadId);
			if (turnId !== undefined) scene.far.notify(turnNotifications.ended, { turnId, outcome: 'done' });
			turns.delete(threadId);
			scene.endTurn(threadId);
		};
		const edit = async (threadId: ThreadId, path: string, content: string) => {
			await act(threadId, 'fs.read', { path });
			const done = await act(threadId, 'fs.write', { path, content });
			assert.equal(done.status, 'done', why(done));
		};
		const report = async (parent: ThreadId, id: ThreadId): Promise<AgentReport> => {
			const outcome = await act(parent, 'agent.send', { id });
			assert.equal(outcome.status, 'done', why(outcome));
			return (outcome as { readonly result: AgentReport }).result;
		};
		const read = (path: string) => readFileSync(join(workspace, path), 'utf8');
		return { ...scene, git, act, rest, edit, report, read, workspace };
	}

	it('is refused where its parent works in a worktree already, and works there unless it asks for one', async () => {
		const { root, spawn, act, edit, read } = await begin();
		const child = await spawn(root, isolation);
		assert.match(
			why(await act(child, 'agent.spawn', { task: 'x', wait: false, ...isolation })),
			/you work in a worktree/,
		);
		const grandchild = await spawn(child);
		await edit(grandchild, 'a.txt', 'of the grandchild\n');
		assert.equal(read('a.txt'), 'one\ntwo\nthree\n');
		assert.match(JSON.stringify(await act(child, 'fs.read', { path: 'a.txt' })), /of the grandchild/);
	});

	it('has commands of which the host knows that they run, and how they ended', async () => {
		const { root, spawn, act, far, base } = await begin();
		const child = await spawn(root, isolation);
		await act(child, 'fs.read', { path: 'a.txt' });
		const [view] = await base.worktrees.list(never);
		const at = (name: string) => join(view?.folder ?? '', name);
		const opId = newId('op');
		const askOutcome = async () => (await far.call(brokerRequests.outcome, { opId }, never)).kind;
		assert.equal(await askOutcome(), 'unknown');
		const params = { argv: ['sh', '-c', 'echo > begun; until [ -e end ]; do sleep 0.02; done'], background: false };
		const asked = { opId, op: 'shell.run', params, threadId: child, turnId: newId('trn') };
		const ended = far.call(brokerRequests.perform, asked, never);
		await waitFor('the command to begin', () => existsSync(at('begun')));
		assert.equal(await askOutcome(), 'running');
		writeFileSync(at('end'), '');
		assert.equal((await ended).status, 'done');
		assert.equal(await askOutcome(), 'settled');
	});

	it('sees no edits of others, leaves the folder alone, and tells its parent what to apply', async () => {
		const { root, spawn, act, rest, edit, report, read, base } = await begin();
		const [one, other] = [
			await spawn(root, { ...isolation, name: 'One' }),
			await spawn(root, { ...isolation, name: 'Other' }),
		];
		await edit(one, 'a.txt', 'ONE\ntwo\nthree\n');
		await edit(one, 'new/n.txt', 'new\n');
		await edit(other, 'a.txt', 'one\ntwo\nTHREE\n');
		assert.doesNotMatch(JSON.stringify(await act(other, 'fs.read', { path: 'a.txt' })), /ONE/);
		assert.match(why(await act(other, 'fs.read', { path: 'new/n.txt' })), /new\/n\.txt/);
		const ran = await act(other, 'shell.run', { argv: ['cat', 'a.txt'] });
		assert.match(JSON.stringify(ran), /THREE/);
		assert.equal(read('a.txt'), 'one\ntwo\nthree\n');
		assert.match(why(await act(root, 'agent.apply', { id: one })), /another run works in the worktree/);
		rest(one);
		rest(other);
		const told = await report(root, one);
		assert.equal(told.worktree?.files, 2);
		assert.match(told.worktree?.changes ?? '', /changed: a\.txt\nadded: new\/n\.txt\n[^]*-one\n\+ONE/);
		assert.equal((await act(root, 'agent.apply', { id: one })).status, 'done');
		assert.deepEqual([read('a.txt'), read('new/n.txt')], ['ONE\ntwo\nthree\n', 'new\n']);
		// Both sides have changed other lines: merged.
		const merged = await act(root, 'agent.apply', { id: other });
		assert.match(JSON.stringify(merged), /"merged":\["a\.txt"\]/);
		assert.equal(read('a.txt'), 'ONE\ntwo\nTHREE\n');
		// They are changes of the parent's thread, and can be undone there.
		assert.deepEqual(
			(await base.changes.list(root)).map(({ path }) => path),
			['a.txt', 'new/n.txt'],
		);
		await base.changes.undo(root, undefined, false, never);
		assert.equal(read('a.txt'), 'one\ntwo\nthree\n');
		assert.equal((await base.changes.list(one)).length, 2, 'the changes of the sub-agent are in its worktree still');
	});

	it('brings nothing home that a rule or a hook on writing keeps from its parent', async () => {
		const { root, spawn, act, rest, edit, read, host } = await begin();
		const child = await spawn(root, isolation);
		await edit(child, 'a.txt', 'theirs\n');
		rest(child);
		for (const refusing of [
			...['fs.write a.txt', 'fs.edit *.txt', 'fs.* a.txt'].map((rule) => ({ 'prowess.approvals.deny': [rule] })),
			{ 'prowess.hooks': [{ when: 'before', ops: 'fs.write', run: ['false'] }] },
		] as const) {
			host.change({ 'prowess.approvals.deny': [], 'prowess.hooks': [], ...refusing } as object);
			const outcome = await act(root, 'agent.apply', { id: child });
			assert.equal(outcome.status, 'denied', JSON.stringify(refusing));
			assert.equal(read('a.txt'), 'one\ntwo\nthree\n');
		}
		host.change({ 'prowess.approvals.deny': [], 'prowess.hooks': [] });
		assert.equal((await act(root, 'agent.apply', { id: child })).status, 'done');
	});

	it('brings nothing home to a place that was not free when it was asked about', async () => {
		const asked = Promise.withResolvers<void>();
		const answered = Promise.withResolvers<void>();
		const { root, spawn, act, rest, edit, workspace, base } = await begin({}, async () => {
			asked.resolve();
			await answered.promise;
			return { kind: 'once' };
		});
		const child = await spawn(root, isolation);
		await base.levels.set(root, 'edit', never);
		await edit(child, 'a.txt', 'ours\n');
		await edit(child, 'lib/a.txt', 'ours\n');
		rest(child);
		await base.levels.set(root, 'ask', never);
		mkdirSync(join(workspace, 'other'));
		symlinkSync('other', join(workspace, 'lib'));
		const applying = act(root, 'agent.apply', { id: child });
		await asked.promise;
		rmSync(join(workspace, 'lib'));
		answered.resolve();
		assert.match(why(await applying), /has changed since/);
		assert.equal(existsSync(join(workspace, 'lib')), false);
	});

	it('writes nothing over another change of the same lines', async () => {
		const { root, spawn, act, rest, edit, read, workspace } = await begin();
		const child = await spawn(root, isolation);
		await edit(child, 'a.txt', 'theirs\ntwo\nthree\n');
		rest(child);
		writeFileSync(join(workspace, 'a.txt'), 'ours\ntwo\nthree\n');
		const done = await act(root, 'agent.apply', { id: child });
		assert.match(JSON.stringify(done), /"conflicts":\["a\.txt"\]/);
		assert.equal(read('a.txt'), 'ours\ntwo\nthree\n');
		assert.match(why(await act(root, 'agent.apply', { id: child, paths: ['b.txt'] })), /has no change/);
	});

	it('tells its parent that what no commit has is not in its worktree, and says nothing where all is committed', async () => {
		const { root, spawn, act, rest, edit, report, workspace, git } = await begin();
		const clean = await spawn(root, { ...isolation, name: 'Clean' });
		await act(clean, 'fs.read', { path: 'a.txt' });
		rest(clean);
		assert.equal((await report(root, clean)).worktree?.changes, '');
		await edit(root, 'a.txt', 'of the parent\n');
		writeFileSync(join(workspace, 'b.txt'), 'new\n');
		const child = await spawn(root, { ...isolation, name: 'Child' });
		assert.match(JSON.stringify(await act(child, 'fs.read', { path: 'a.txt' })), /one/);
		// Counted when it was made.
		git('add', '-A');
		git('commit', '--quiet', '-m', 'second');
		rest(child);
		const told = await report(root, child);
		assert.match(told.worktree?.changes ?? '', /^not in it: 2 uncommitted in your folder when it began$/);
		assert.match(agentSend.present?.(told) ?? '', /It has changed nothing in its worktree\.\nnot in it: 2 uncommitted/);
	});

	it('has one where the settings say so, which goes with it unless it holds work', async () => {
		const { root, spawn, act, rest, edit, base, git } = await begin({
			'prowess.worktrees': { isolation: { agents: 'worktree' } },
		});
		const [idle, busy] = [await spawn(root, { name: 'Idle' }), await spawn(root, { name: 'Busy' })];
		await act(idle, 'fs.read', { path: 'a.txt' });
		await edit(busy, 'a.txt', 'work\n');
		rest(idle);
		rest(busy);
		assert.equal((await base.worktrees.list(never)).length, 2);
		assert.equal((await act(root, 'agent.stop', { id: idle })).status, 'done');
		assert.equal((await act(root, 'agent.stop', { id: busy })).status, 'done');
		const left = await base.worktrees.list(never);
		assert.deepEqual(
			left.map(({ name }) => name.replace(/-[0-9a-f]+$/, '')),
			['busy'],
		);
		await base.worktrees.discard(left[0]?.name ?? '', never);
		assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
		assert.equal(git('branch', '--list', 'prowess/*'), '');
	});

	it('has the rules of its parent, and none of its own wish', async () => {
		const { root, spawn, act, base, workspace } = await begin();
		const child = await spawn(root, isolation);
		const secret = await act(child, 'fs.write', { path: join(realpathSync(workspace), 'a.txt'), content: 'x' });
		assert.notEqual(secret.status, 'done');
		await base.modes.set(root, 'ask', never);
		assert.match(why(await act(child, 'fs.write', { path: 'b.txt', content: 'x' })), /mode/);
		assert.equal(existsSync(join(workspace, 'b.txt')), false);
	});

	it('has one where the head of its custom agent says so, as a thread of the user that follows this agent', async () => {
		const { root, spawn, act, rest, edit, read, base, host } = await begin();
		const custom = (isolation: string) =>
			`---\nname: writer\ndescription: Writes\nisolation: ${isolation}\n---\nWrite.\n`;
		host.write('.claude/agents/writer.md', custom('remote'));
		assert.match(
			why(await act(root, 'agent.spawn', { task: 'x', agent: 'writer' })),
			/writer\.md: isolation: expected worktree/,
		);
		assert.deepEqual(await base.worktrees.list(never), []);
		host.write('.claude/agents/writer.md', custom('worktree'));
		const child = await spawn(root, { agent: 'writer' });
		await edit(child, 'a.txt', 'of the agent\n');
		rest(child);
		const own = await base.agents.begin('writer', 'agent', null, never);
		base.beginThread(own);
		await edit(own, 'a.txt', 'of the thread\n');
		assert.equal(read('a.txt'), 'one\ntwo\nthree\n');
		const views = await base.worktrees.list(never);
		assert.deepEqual(views.map(({ folder }) => readFileSync(join(folder, 'a.txt'), 'utf8')).sort(), [
			'of the agent\n',
			'of the thread\n',
		]);
	});

	it('is under the hooks, the rules and the redaction of the folder', async () => {
		const hook = join(tempDir('hook'), 'hook.mjs');
		const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;
		writeFileSync(
			hook,
			`import { readFileSync } from 'node:fs';
if (readFileSync(0, 'utf8').includes('frozen.txt')) { console.error('it is frozen'); process.exit(2); }`,
		);
		const { root, spawn, act, rest, edit, report, git, workspace } = await begin({
			'prowess.hooks': [{ when: 'before', ops: 'fs.*', run: [process.execPath, hook], sandbox: false }],
			'prowess.approvals.deny': ['fs.write denied.txt'],
		});
		writeFileSync(join(workspace, 'key.txt'), `key = ${token}\n`);
		git('add', '-A');
		git('commit', '--quiet', '-m', 'key');
		const child = await spawn(root, isolation);
		assert.match(why(await act(child, 'fs.write', { path: 'frozen.txt', content: 'x' })), /it is frozen/);
		assert.match(why(await act(child, 'fs.write', { path: 'denied.txt', content: 'x' })), /denied/i);
		const key = await act(child, 'fs.read', { path: 'key.txt' });
		assert.equal(key.status, 'done', why(key));
		assert.doesNotMatch(JSON.stringify(key), new RegExp(token));
		const shown = JSON.stringify(await act(child, 'shell.run', { argv: ['cat', 'key.txt'] }));
		assert.match(shown, /key = /);
		assert.doesNotMatch(shown, new RegExp(token));
		await edit(child, 'other.txt', `${token}\n`);
		rest(child);
		const told = JSON.stringify(await report(root, child));
		assert.match(told, /added: other\.txt/);
		assert.doesNotMatch(told, new RegExp(token));
	});

	it('cannot go on in a worktree that was discarded, and gets a new one with the next message', async () => {
		const { root, spawn, act, rest, edit, base } = await begin();
		const child = await spawn(root, isolation);
		await edit(child, 'a.txt', 'work\n');
		rest(child);
		const [view] = await base.worktrees.list(never);
		await base.worktrees.discard(view?.name ?? '', never);
		assert.match(why(await act(child, 'fs.read', { path: 'a.txt' })), /is gone/);
		await waitFor('the agent to rest', async () => (await base.agents.of(root))[0]?.state === 'suspended');
		assert.equal((await act(root, 'agent.send', { id: child, message: 'again', wait: false })).status, 'done');
		assert.match(JSON.stringify(await act(child, 'fs.read', { path: 'a.txt' })), /one/);
	});
});
