/** Tests a passed-over provider after its pause ends, through the real server, real HTTP and its real clock. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { modelRequests } from '../../../src/protocol/turn/models.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { traceRequests } from '../../../src/protocol/thread/turn-trace.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
const FAULTS = 2;
const noCredit: ScriptEntry = { error: 402, message: 'No credits' };

describe('A provider whose pause is over', function () {
	this.timeout(30_000);
	let first: ModelServer;
	let second: ModelServer;
	let server: ServerUnderTest;
	/** Answer of the first provider once it has been passed over. */
	let later: ScriptEntry;

	/** Ends with the first provider paused for so long, and the pause over. */
	async function paused(pauseSeconds: number): Promise<void> {
		first = await startModelServer((n) => (n < FAULTS ? noCredit : later));
		second = await startModelServer(() => ({ text: 'Second here.' }));
		server = await ServerUnderTest.startHere({
			home: tempDir('home'),
			host: new MemoryHost({}),
			modelUrl: first.baseUrl,
			settings: {
				'prowess.providers': [first, second].map(({ baseUrl }, at) => ({
					id: `p${at + 1}`,
					kind: 'openai-compatible',
					baseUrl,
					models: ['m'],
				})),
				'prowess.models.fallback': [{ provider: 'p2', model: 'm' }],
				'prowess.models.pause': { faults: FAULTS, withinSeconds: 3600, pauseSeconds },
			},
		});
		for (let turn = 0; turn < FAULTS; turn += 1) {
			await ended(await prompted());
		}
		assert.deepEqual([server.modelChanges, first.requests.length], [1, FAULTS]);
		await waitFor('the end of the pause', async () => (await resting()).length === 0);
	}
	afterEach(async () => {
		await server.stop();
		await Promise.all([first.close(), second.close()]);
	});

	/** A thread of its own, in which a turn runs. */
	async function prompted(): Promise<ThreadId> {
		const threadId = (await server.peer.call(threadRequests.create, { modelId: 'p1/m' }, signal)).id as ThreadId;
		await server.peer.call(threadRequests.prompt, { threadId, text: 'What is in this folder?' }, signal);
		return threadId;
	}

	/** The model that the turn began with. */
	async function ended(threadId: ThreadId): Promise<string | undefined> {
		const turn = await waitFor('the end of the turn', async () => {
			const { turns } = await server.peer.call(traceRequests.list, { threadId }, signal);
			return turns.find(({ status }) => status === 'done');
		});
		return turn.modelId ?? undefined;
	}

	async function resting(): Promise<readonly string[]> {
		return (await server.peer.call(modelRequests.list, {}, signal)).resting.map(({ provider }) => provider);
	}

	it('is passed over again when the one request that tries it fails, without two more', async () => {
		later = noCredit;
		await paused(1);
		await ended(await prompted());
		assert.deepEqual([first.requests.length, second.requests.length], [FAULTS + 1, FAULTS + 1]);
		assert.equal(server.modelChanges, 2);
	});

	it('gets no second request while the one that tries it has no answer', async () => {
		later = { text: 'Half of it', then: 'stall' };
		await paused(5);
		const trying = await prompted();
		await first.request(FAULTS + 1);
		assert.equal(await ended(await prompted()), 'p2/m');
		assert.deepEqual([first.requests.length, second.requests.length], [FAULTS + 1, FAULTS + 1]);
		await server.peer.call(threadRequests.stop, { threadId: trying }, signal);
		await first.closed(FAULTS + 1);
	});

	it('is asked first from then on when it has answered, and the host is told so', async () => {
		later = { text: 'First here.' };
		await paused(1);
		for (let turn = 1; turn <= 2; turn += 1) {
			assert.equal(await ended(await prompted()), 'p1/m');
			assert.deepEqual([first.requests.length, second.requests.length], [FAULTS + turn, FAULTS]);
		}
		assert.equal(server.modelChanges, 2);
	});
});
