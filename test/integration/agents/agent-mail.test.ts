/** Messages between the agents of one tree, in a host with the real ledger, records and gate. */
import assert from 'node:assert/strict';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import type { TestHostOptions } from '../../support/host-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useAgents, why } from './agent-scene.ts';

describe('A message of an agent', () => {
	const start = useAgents();

	/** A parent with two sub-agents, the first of which has one of its own. */
	async function startFamily(options: TestHostOptions = {}) {
		const scene = await start({ approvalMode: 'full', ...options });
		const first = await scene.spawn(scene.root, { name: 'first' });
		const second = await scene.spawn(scene.root, { name: 'second' });
		const grandchild = await scene.spawn(first, { name: 'grandchild' });
		const tell = (from: ThreadId, to: ThreadId, more: object = {}) =>
			scene.as(from, 'agent.send', { id: to, message: 'Look', wait: false, ...more }, scene.turns.get(from));
		return { ...scene, first, second, grandchild, tell };
	}

	it('reaches no agent of another tree, not itself, and none that has ended', async () => {
		const { root, first, second, tell, as, messages } = await startFamily();
		const stranger = newId('thr');
		assert.match(why(await tell(first, stranger)), /no agent .* in this tree/);
		assert.match(why(await tell(first, first)), /no agent .* in this tree/);
		assert.match(why(await tell(root, root)), /no agent .* in this tree/);
		assert.equal((await as(root, 'agent.stop', { id: second })).status, 'done');
		assert.match(why(await tell(first, second)), /is terminated/);
		assert.match(why(await as(first, 'agent.send', { id: root })), /message: say what/);
		assert.deepEqual(messages, []);
	});

	it('reaches those beside and above it, with its name, and asks for no answer from above', async () => {
		const { root, first, second, grandchild, tell, messages } = await startFamily();
		assert.equal((await tell(grandchild, second)).status, 'done');
		assert.equal((await tell(grandchild, first)).status, 'done');
		const above = await tell(grandchild, root, { wait: true });
		assert.equal(above.status === 'done' && (above.result as { isAbove?: boolean }).isAbove, true);
		assert.deepEqual(
			messages.map(({ to, from }) => [to, from]),
			[
				[second, 'grandchild'],
				[first, 'grandchild'],
				[root, 'grandchild'],
			],
		);
	});

	it('wakes one above it that has not worked in this host yet', async () => {
		const home = tempDir('agents-home');
		const { root, first, grandchild } = await startFamily({ home });
		const { base, as, write } = await start({ approvalMode: 'full', home });
		base.beginThread(root);
		const tell = (from: ThreadId, id: ThreadId) => as(from, 'agent.send', { id, message: 'Look', wait: false });
		assert.equal((await tell(root, grandchild)).status, 'done');
		assert.match(why(await write(first, 'a.txt')), /has written nothing/);
		assert.equal((await tell(grandchild, first)).status, 'done');
		assert.equal(why(await write(first, 'a.txt')), 'done');
	});

	it('finds the others in the list, which a thread of the user does not need', async () => {
		const { root, first, second, grandchild, as } = await startFamily();
		const list = async (threadId: ThreadId) => {
			const outcome = await as(threadId, 'agent.list', {});
			assert.equal(outcome.status, 'done');
			return (outcome.status === 'done' && (outcome.result as { others: object[] }).others) || [];
		};
		assert.deepEqual(await list(root), []);
		assert.deepEqual(await list(grandchild), [
			{ id: root, name: 'main', isAbove: true },
			{ id: first, name: 'first', isAbove: true },
			{ id: second, name: 'second' },
		]);
	});

	it('is refused where both would wait for each other, also over a third', async () => {
		const { root, first, second, grandchild, spawn, as, tell, endTurn, messages } = await startFamily();
		const third = await spawn(root);
		// The parent waits for the first, which waits for the second, which waits for the third.
		const waits = [
			as(root, 'agent.send', { id: first }),
			tell(first, second, { wait: true }),
			tell(second, third, { wait: true }),
		];
		// Their waits begin with the answers to these messages, which come before any later call.
		await waitFor('the messages', () => messages.length === 2);
		assert.match(why(await tell(third, first, { wait: true })), /waits for you/);
		assert.match(why(await tell(third, second, { wait: true })), /waits for you/);
		assert.equal((await tell(third, first)).status, 'done');
		assert.equal((await tell(third, grandchild)).status, 'done');
		for (const each of [third, second, first]) endTurn(each);
		assert.deepEqual(
			(await Promise.all(waits)).map(({ status }) => status),
			['done', 'done', 'done'],
		);
	});

	it('lets at most one of two wait that write to each other at the same time', async () => {
		const { first, second, tell, endTurn } = await startFamily();
		const sent = [tell(first, second, { wait: true }), tell(second, first, { wait: true })];
		assert.match(why(await Promise.race(sent)), /^done$|waits for you/);
		for (const each of [first, second]) endTurn(each);
		await Promise.all(sent);
	});

	for (const [what, start] of [
		['a message', (scene) => scene.tell(scene.first, scene.second)],
		[
			'a first task',
			(scene) => scene.as(scene.first, 'agent.spawn', { task: 'Work', wait: false }, scene.turns.get(scene.first)),
		],
	] satisfies [string, (scene: Awaited<ReturnType<typeof startFamily>>) => Promise<OpOutcome>][]) {
		it(`begins no work that goes on when all are stopped while ${what} is under way`, async () => {
			const scene = await startFamily();
			const { root, second, endTurn, turns, held, base } = scene;
			endTurn(second);
			turns.delete(second);
			const reached = Promise.withResolvers<void>();
			const released = Promise.withResolvers<void>();
			Object.assign(held, { until: released.promise, reached: reached.resolve });
			const sent = start(scene);
			await reached.promise;
			endTurn(root, 'stopped');
			const runningNow = async () => (await base.agents.of(root)).filter(({ state }) => state === 'running');
			await waitFor('those that run to be stopped', async () => (await runningNow()).length === 0);
			released.resolve();
			assert.match(why(await sent), /were stopped/);
			assert.deepEqual(await runningNow(), []);
		});
	}

	it('that goes round in a circle is found and ended, and a new turn begins anew', async () => {
		const { first, second, tell, turns, messages } = await startFamily();
		let last = 'done';
		let sent = 0;
		while (last === 'done' && sent < 100) {
			const [from, to] = sent % 2 === 0 ? [first, second] : [second, first];
			last = why(await tell(from, to));
			sent += 1;
		}
		assert.match(last, /gone round 10 times between first, second/);
		assert.equal(messages.length, 19);
		turns.set(first, newId('trn'));
		assert.equal((await tell(first, second)).status, 'done');
	});

	it('is one of at most 60 in a minute in its tree', async () => {
		const { root, first, tell } = await startFamily();
		for (let count = 0; count < 60; count += 1) assert.equal((await tell(root, first)).status, 'done');
		assert.match(why(await tell(root, first)), /60 messages in a minute/);
	});
});
