/** Rights of sub-agents in a host with the real ledger, files and gate, and at its connection a server that does what it likes. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { usageRequests } from '../../../src/protocol/turn/usage.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useAgents, why } from './agent-scene.ts';

const never = new AbortController().signal;

describe('A sub-agent', () => {
	const start = useAgents();

	it('may no more than its parent, in mode and level, now and when the user makes that narrower', async () => {
		const { base, host, root, spawn, write } = await start({ approvalMode: 'full' });
		const child = await spawn(root);
		const grandchild = await spawn(child);
		assert.equal((await write(grandchild, 'a.txt')).status, 'done');
		await base.modes.set(root, 'ask', never);
		assert.match(why(await write(grandchild, 'b.txt')), /mode/);
		// A wider one that somebody gives to it counts no more.
		await base.modes.set(grandchild, 'agent', never);
		await base.modes.set(child, 'agent', never);
		assert.match(why(await write(grandchild, 'b.txt')), /mode/);
		assert.equal(existsSync(join(host.workspace, 'b.txt')), false);
		const reader = await spawn(root, { mode: 'agent' });
		assert.equal(await base.modes.of(reader, never), 'ask');
		await base.levels.set(root, 'manual', never);
		await base.levels.set(child, 'full', never);
		assert.equal((await base.levels.of(grandchild, never)).level, 'manual');
	});

	it('has the tools that it was given and its parents have, whatever its server asks for', async () => {
		const { root, spawn, as, write } = await start({ approvalMode: 'full', files: { 'a.txt': 'a\n' } });
		const child = await spawn(root, { tools: ['fs_read', 'agent_spawn'] });
		const grandchild = await spawn(child, { tools: ['fs_read', 'fs_write'] });
		assert.equal((await as(grandchild, 'fs.read', { path: 'a.txt' })).status, 'done');
		assert.match(why(await write(grandchild, 'b.txt')), /not among the tools/);
		assert.match(why(await as(child, 'shell.run', { argv: ['touch', 'b.txt'] })), /not among the tools/);
		const unknown = await as(root, 'agent.spawn', { task: 'x', tools: ['fs_fly'] });
		assert.match(why(unknown), /there is no tool fs_fly/);
	});

	it('is refused below four levels, and above twenty that live unless one rests', async () => {
		const { root, spawn, as, endTurn, base } = await start();
		let deepest = root;
		for (let level = 1; level <= 4; level += 1) deepest = await spawn(deepest);
		assert.match(why(await as(deepest, 'agent.spawn', { task: 'x', wait: false })), /at most 4 levels/);
		const others: ThreadId[] = [];
		while (others.length < 16) others.push(await spawn(root));
		assert.match(
			why(await as(root, 'agent.spawn', { task: 'x', wait: false })),
			/20 sub-agents are at work, of at most 20/,
		);
		const [resting] = others as [ThreadId];
		endTurn(resting);
		const stateOf = async () => (await base.agents.of(root)).find(({ id }) => id === resting)?.state;
		await waitFor('the agent to rest', async () => (await stateOf()) === 'suspended');
		await spawn(root);
		const views = await base.agents.of(root);
		assert.equal(views.find(({ id }) => id === resting)?.state, 'terminated');
		assert.equal(views.filter(({ state }) => state === 'running').length, 20);
	});

	it('lives beside as many others as the user allows', async () => {
		const limits = { subAgents: 100, subAgentSeconds: 600 };
		const { root, spawn, as, stopped } = await start({ settings: { 'prowess.agent.limits': limits } });
		let last = root;
		for (let count = 0; count < 100; count += 1) last = await spawn(root);
		assert.match(
			why(await as(root, 'agent.spawn', { task: 'x', wait: false })),
			/100 sub-agents are at work, of at most 100/,
		);
		assert.equal((await as(root, 'agent.stop', { id: last })).status, 'done');
		assert.deepEqual(stopped, [last]);
		await spawn(root);
	});

	it('ends with those that it started, asks for nothing then, and is nobody else’s to end', async () => {
		const { root, spawn, as, write, stopped, base } = await start({ approvalMode: 'full' });
		const child = await spawn(root);
		const grandchild = await spawn(child);
		const other = await spawn(root);
		assert.match(why(await as(other, 'agent.stop', { id: child })), /no sub-agent/);
		assert.equal((await as(root, 'agent.stop', { id: child })).status, 'done');
		assert.deepEqual(new Set(stopped), new Set([child, grandchild]));
		assert.match(why(await write(grandchild, 'a.txt')), /was terminated/);
		assert.match(why(await as(root, 'agent.send', { id: child, message: 'x' })), /is terminated/);
		assert.equal((await write(other, 'a.txt')).status, 'done');
		// Words of the user wake it.
		base.beginThread(child);
		await waitFor('the agent to wake', async () => (await write(child, 'c.txt')).status === 'done');
		const rows = await base.ledger.query({ threadId: root, limit: 50 });
		assert.ok(rows.some(({ op }) => op === 'agent.stop'));
	});

	it('stops when the turn of its parent is stopped', async () => {
		const { root, spawn, endTurn, stopped, base } = await start();
		const child = await spawn(root);
		const grandchild = await spawn(child);
		endTurn(root, 'stopped');
		const isAnyRunning = async () => (await base.agents.of(root)).some(({ state }) => state === 'running');
		await waitFor('all to rest', async () => !(await isAnyRunning()));
		assert.deepEqual(stopped, [child, grandchild]);
		const outcomes = (await base.agents.of(root)).map(({ state, outcome }) => [state, outcome]);
		assert.deepEqual(outcomes, [
			['suspended', 'stopped'],
			['suspended', 'stopped'],
		]);
	});

	it('stops with a thread above its parent, which rests', async () => {
		const { root, spawn, endTurn, stopped, base } = await start();
		const child = await spawn(root);
		const grandchild = await spawn(child);
		endTurn(child);
		endTurn(root, 'stopped');
		const isAnyRunning = async () => (await base.agents.of(root)).some(({ state }) => state === 'running');
		await waitFor('all to rest', async () => !(await isAnyRunning()));
		assert.deepEqual(stopped, [grandchild]);
	});

	it('only reads, as every agent does, while the file that says whose it is cannot be read', async () => {
		const { root, spawn, write, host } = await start({ approvalMode: 'full' });
		const child = await spawn(root);
		writeFileSync(join(host.home, 'agents.json'), '{"threads": 1');
		assert.equal((await write(child, 'a.txt')).status, 'denied');
	});

	it('has no tool where the user denies tools to sub-agents, and its parent has them all the same', async () => {
		const settings = { 'prowess.access.deny': { agent: ['tools' as const] } };
		const { root, spawn, write, as } = await start({ approvalMode: 'full', settings, files: { 'a.txt': 'a\n' } });
		const child = await spawn(root);
		const read = await as(child, 'fs.read', { path: 'a.txt' });
		assert.deepEqual(
			read.status === 'denied' && [read.error.code, read.error.facts['user'], read.error.facts['channel']],
			['ACCESS_DENIED', 'agent', child],
		);
		assert.equal((await write(root, 'b.txt')).status, 'done');
	});

	it('asks no model and reads no history where the user denies them to sub-agents, and is told whom, where and why', async () => {
		const settings = { 'prowess.access.deny': { agent: ['send' as const, 'history' as const] } };
		const { root, spawn, far } = await start({ approvalMode: 'full', settings });
		const child = await spawn(root);
		const refusal = await far.call(usageRequests.begin, { threadId: child }, never).catch((error: unknown) => error);
		assert.ok(isProwessError(refusal), String(refusal));
		const { code, facts } = refusal;
		assert.deepEqual([code, facts['right']], ['ACCESS_DENIED', 'send']);
		assert.deepEqual([facts['user'], facts['channel'], facts['reason']], ['agent', child, 'insufficient permissions']);
		// The parent is the user's own thread, so these denials do not apply to it.
		const { access } = await far.call(usageRequests.begin, { threadId: root }, never);
		assert.deepEqual(access?.denied, []);
	});

	it('works without what was said before where the user denies it the history', async () => {
		const settings = { 'prowess.access.deny': { agent: ['history' as const] } };
		const { root, spawn, far } = await start({ approvalMode: 'full', settings });
		const child = await spawn(root);
		const { access } = await far.call(usageRequests.begin, { threadId: child }, never);
		assert.deepEqual(access, { principal: 'agent', denied: ['history'] });
	});

	it('is gone with the thread that it worked for', async () => {
		const { root, spawn, base, write } = await start({ approvalMode: 'full' });
		const child = await spawn(root);
		await base.endThread(root);
		assert.deepEqual(await base.agents.all(), []);
		assert.match(why(await write(child, 'a.txt')), /has written nothing in thread/);
	});
});

describe('A scheduled run', () => {
	const start = useAgents();

	it('has, with its sub-agents, no tool that the user denies to schedules, and the ledger says for which one it ran', async () => {
		const settings = { 'prowess.access.deny': { schedule: [] as 'tools'[] } };
		const { base, host, spawn, write, endTurn } = await start({ approvalMode: 'full', settings });
		const schedule = { kind: 'prompt', text: 'Tidy up', words: 'every hour', mode: 'agent', asks: 'refuse' } as const;
		const { id } = await base.schedules.add(schedule, new AbortController().signal);
		const running = base.schedules.runNow(id);
		const run = await waitFor('the run to begin', () =>
			base.schedules.runs(id).find(({ state }) => state === 'started'),
		);
		const child = await spawn(run.threadId);
		assert.equal((await write(child, 'a.txt')).status, 'done');
		host.change({ 'prowess.access.deny': { schedule: ['tools'] } });
		for (const threadId of [run.threadId, child]) {
			const refused = await write(threadId, 'b.txt');
			assert.equal(refused.status === 'denied' && refused.error.code, 'ACCESS_DENIED');
		}
		endTurn(run.threadId);
		await running;
		const decisions = async (threadId: ThreadId) => {
			const rows = await base.ledger.query({ threadId, limit: 50 });
			return rows.filter(({ op }) => op === 'fs.write').map(({ decision }) => decision);
		};
		for (const decision of await decisions(run.threadId))
			assert.ok(decision.endsWith(`; for schedule ${id}`), decision);
		const ofChild = await decisions(child);
		assert.equal(ofChild.length, 3, 'two rows of what was done, and one of what was denied');
		const cause = `; for schedule ${id}; by a sub-agent of ${run.threadId}`;
		for (const decision of ofChild) assert.ok(decision.endsWith(cause), decision);
		// In the same thread the user has all rights of their own.
		base.beginThread(run.threadId);
		assert.equal((await write(run.threadId, 'c.txt')).status, 'done');
		assert.equal((await decisions(run.threadId)).filter((decision) => !decision.includes('for schedule')).length, 2);
	});
});
