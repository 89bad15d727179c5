/** Processes that stand still, and clocks that jump. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';
import { hostStandsStill, serverStandsStill } from './standing-still.ts';

const jumpingClock = ['--import', join(import.meta.dirname, '../../fixtures/processes/jumping-clock.mjs')];
const signal = new AbortController().signal;

describe('A process that stands still', function () {
	this.timeout(commandLimitMs);

	it('times out no command that ended meanwhile, and says that it stood still: the host (R-37, R-50)', async () => {
		const { result, log } = await hostStandsStill(4_000);
		assert.match(result, /ended\n\[exit code 0\]/);
		assert.match(log, /\[warn\] the host stood still \{"forMs":\d+\}/);
	});

	it('goes on with its turn when it wakes, and says that it stood still: the server (R-37, R-50)', async () => {
		// The limit of a call with all its graces is six seconds here.
		const logged = await serverStandsStill(7_000, 2_000);
		assert.ok(
			logged.some((line) => line.startsWith('warn the server stood still')),
			logged.join('\n'),
		);
	});
});

describe('A wall clock that jumps', function () {
	this.timeout(commandLimitMs);
	let model: ModelServer;
	afterEach(() => model.close());

	it('changes nothing for a host: the turn is done, ids are unique, the ledger verifies (R-50)', async () => {
		const user = new User();
		model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a.txt', content: 'one\n' } }] },
			{ toolCalls: [1, 2, 3].map((limit) => ({ name: 'fs_read', input: { path: 'a.txt', limit } })) },
			{ toolCalls: [{ name: 'shell_run', input: { argv: ['node', '-p', '6*7'], timeoutMs: 30_000 } }] },
			{ chunks: ['All ', 'is ', 'well.'], delayMs: 100 },
			{ text: 'Still here.' },
		]);
		const options = { env: { NODE_OPTIONS: jumpingClock.join('=') } };
		const run = await user.promptsApart(model.baseUrl, 'x', ['--approve', 'full', '--json'], options).ended;
		assert.equal(run.code, 0, run.stderr);
		const statuses = eventsOf(run).flatMap((event) => (event.type === 'item.tool' ? [event.patch.status] : []));
		assert.deepEqual(
			statuses.filter((status) => status !== 'running'),
			Array.from({ length: 5 }, () => 'done'),
		);

		const list = await user.runsApart(['ledger', 'list', '--json', '--limit', '100'], options);
		const rows = JSON.parse(list.stdout) as LedgerRow[];
		const intents = rows.filter(({ kind }) => kind === 'intent').map(({ opId }) => opId);
		assert.equal(new Set(intents).size, intents.length);
		assert.ok(intents.length >= 5);
		assert.equal((await user.runsApart(['ledger', 'verify'], options)).code, 0);

		const thread = /thr_[\w-]+/.exec((await user.runsApart(['thread', 'list', '--json'], options)).stdout)?.[0] ?? '';
		const again = await user.promptsApart(model.baseUrl, 'y', ['--thread', thread], options).ended;
		assert.match(again.stdout, /Still here\./, again.stderr);
	});

	it('changes nothing for a server: no limit passes, its thread stays its own, and is free after a kill (R-50)', async () => {
		model = await startModelServer([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a', content: 'a' } }] },
			// Longer than it takes to renew a lease.
			{ chunks: Array.from({ length: 12 }, (_, n) => `${n} `), delayMs: 500 },
			{ chunks: ['Hold'], then: 'stall' },
			{ text: 'Mine now.' },
		]);
		const options = { home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl };
		const first = await ServerUnderTest.start({ ...options, execArgv: jumpingClock });
		const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Write it' }, signal);
		const end = await first.event(({ type }) => type === 'turn.end');
		assert.equal(end.type === 'turn.end' && end.outcome, 'done');
		const snapshot = await first.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.equal(new Set(snapshot.items.map((item) => item.id)).size, snapshot.items.length);

		await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Hold it' }, signal);
		await model.request(3);
		await first.kill();
		const second = await ServerUnderTest.start(options);
		await second.peer.call(threadRequests.prompt, { threadId: id, text: 'And now?' }, signal);
		await second.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		const { items } = await second.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.deepEqual(
			items.slice(-2).map((item) => item.kind),
			['user', 'text'],
		);
		await second.stop();
	});
});
