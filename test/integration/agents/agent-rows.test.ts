/** All agents of a home in a list, from a host with its real stores and a server that tells of threads. */
import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { listAgentRows } from '../../../src/host/list-agent-rows.ts';
import type { TrustedBase } from '../../../src/host/trusted-base.ts';
import type { AgentRow } from '../../../src/protocol/agents/agent-rows.ts';
import type { BackgroundState } from '../../../src/protocol/background.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { Peer } from '../../../src/protocol/rpc/peer.ts';
import type { ThreadInfo } from '../../../src/protocol/thread/thread.ts';
import { threadNotifications, threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { usageNotifications, usageRequests } from '../../../src/protocol/turn/usage.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useAgents } from './agent-scene.ts';

const never = new AbortController().signal;
const LONG_AGO = '2025-01-01T12:00:00.000Z';

const thread = (title: string, more: Partial<ThreadInfo> = {}): ThreadInfo => ({
	...{ id: newId('thr'), title, modelId: null, mode: 'agent', createdAt: LONG_AGO, updatedAt: LONG_AGO },
	...{ workspace: null, running: false },
	...more,
});

/** The server at the far end lists these. */
function serveThreads(far: Peer, threads: readonly ThreadInfo[]): void {
	const { list } = threadRequests;
	far.serve({ list }, { list: ({ limit }) => Promise.resolve({ threads: threads.slice(0, limit) }) });
}

describe('The list of all agents', () => {
	const start = useAgents();
	const listed = (
		base: TrustedBase,
		server: Peer | undefined,
		more: { background?: BackgroundState; most?: number } = {},
	) => listAgentRows({ base, server, background: undefined, most: 100, ...more }, never);
	const inShort = ({ kind, title, state }: AgentRow) => `${state} ${kind} ${title}`;

	it('has nothing where there is nothing and no server', async () => {
		const { base } = await start();
		assert.deepEqual(await listed(base, undefined), { rows: [], left: 0 });
	});

	it('has each thing once, in the order in which it needs the user, with what it does now', async () => {
		const { base, host, near, far, root, spawn, as } = await start({ approvalMode: 'ask' });
		const folder = realpathSync(host.workspace);
		const goal = await base.goals.add({
			title: 'Port it',
			folder,
			mode: 'agent',
			steps: [{ text: 'Do it', after: [] }],
		});
		const now = new Date().toISOString();
		serveThreads(far, [
			thread('Fix it', { id: root, running: true, updatedAt: now }),
			thread('Thread of the goal', { id: goal.threadId }),
			thread('Old'),
			thread('Archived today', { shelf: 'archived', updatedAt: now }),
			thread('Archived long ago', { shelf: 'archived' }),
		]);
		const child = await spawn(root, { name: 'reviewer' });
		const asked = as(child, 'fs.write', { path: 'a.txt', content: 'x' });
		await waitFor('the question', () => base.desk.current.approvals.length === 1);
		const turnId = newId('trn');
		far.notify(threadNotifications.update, {
			threadId: root,
			seq: 1,
			events: [
				{ type: 'turn.start', turnId, modelId: 'm' },
				{
					type: 'item.start',
					item: {
						...{
							id: newId('itm'),
							turnId,
							at: now,
							kind: 'tool',
							opId: newId('op'),
							tool: 'fs_read',
							title: 'Read b.txt',
						},
						...{ input: {}, status: 'running', output: '', outputTruncated: false },
					},
				},
			],
		});
		await waitFor('the call to be heard of', () => base.agents.doing(root) !== undefined);
		const background: BackgroundState = {
			...{ pid: 1, version: '0', startedAt: 1, waiting: [], nextDue: null, ended: [] },
			working: [{ folder: '/w/site', pid: 2, since: 5 }],
		};
		const { rows, left } = await listed(base, near, { background });
		assert.deepEqual(rows.map(inShort), [
			'needsYou agent reviewer',
			'working thread Fix it',
			'working background site',
			'resting goal Port it',
			'resting thread Old',
			'ended thread Archived today',
		]);
		assert.equal(left, 0);
		const [question, work] = rows;
		assert.match(question?.doing?.title ?? '', /a\.txt/);
		assert.equal(question?.worksFor, 'Fix it');
		assert.equal(work?.doing?.title, 'Read b.txt');
		const [open] = base.desk.current.approvals;
		assert.ok(open && base.desk.approve(open.id, { kind: 'deny' }));
		await asked;
		far.notify(threadNotifications.update, {
			...{ threadId: root, seq: 3 },
			events: [{ type: 'turn.end', turnId, outcome: 'done', durationMs: 1 }],
		});
		await waitFor('the end of the turn', () => base.agents.doing(root) === undefined);
	});

	it('has the goal that ended today, and its thread where that goes on', async () => {
		const { base, host, near, far } = await start();
		const steps = [{ text: 'Do it', after: [] }];
		const folder = realpathSync(host.workspace);
		const add = (title: string) => base.goals.add({ title, folder, mode: 'agent', steps });
		const [over, left] = [await add('Port it'), await add('Clean up')];
		await base.goals.cancel(over.id);
		await base.goals.cancel(left.id);
		serveThreads(far, [
			thread('Of the first', { id: over.threadId, updatedAt: new Date().toISOString() }),
			thread('Of the second', { id: left.threadId, running: true }),
		]);
		const { rows } = await listed(base, near);
		assert.deepEqual(rows.map(inShort), ['working thread Of the second', 'ended goal Port it']);
	});

	it('says what a thread has used and which files it has changed', async () => {
		const { base, near, far, root, as } = await start({ approvalMode: 'full' });
		serveThreads(far, [thread('Fix it', { id: root })]);
		const { invocation } = await far.call(usageRequests.begin, { threadId: root }, never);
		const used = { model: 'm', invocation, inputTokens: 1_000, outputTokens: 20, cost: 0.5 };
		far.notify(usageNotifications.used, used);
		assert.equal((await as(root, 'fs.write', { path: 'new.txt', content: 'x' })).status, 'done');
		const { rows } = await listed(base, near);
		assert.deepEqual(
			rows.map(({ title, tokens, cost, files }) => [title, tokens, cost, files]),
			[['Fix it', 1_020, 0.5, 1]],
		);
	});

	it('is bounded, and quick, where there are a thousand threads', async () => {
		const { base, near, far } = await start();
		const many = Array.from({ length: 1_000 }, (_, at): ThreadInfo => thread(`Thread ${at}`));
		serveThreads(far, many);
		const began = performance.now();
		const { rows, left } = await listed(base, near, { most: 200 });
		const took = performance.now() - began;
		assert.deepEqual([rows.length, left], [200, 800]);
		assert.ok(took < 2_000, `${took} ms`);
	});

	it('has sub-agents that rest, and after them those that ended today', async () => {
		const { base, near, far, root, spawn, endTurn, as } = await start();
		serveThreads(far, []);
		const [resting, ended]: readonly ThreadId[] = [
			await spawn(root, { name: 'rests' }),
			await spawn(root, { name: 'ends' }),
		];
		assert.ok(resting !== undefined && ended !== undefined);
		endTurn(resting);
		assert.equal((await as(root, 'agent.stop', { id: ended })).status, 'done');
		const rows = async () => (await listed(base, near)).rows.map(inShort);
		await waitFor('both to be kept', async () => (await rows()).every((row) => !row.startsWith('working')));
		assert.deepEqual(await rows(), ['resting agent rests', 'ended agent ends']);
	});
});
