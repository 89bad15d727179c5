/** A provider that fails often is passed over, the host is told so, and a person can have it asked again. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { modelRequests } from '../../../src/protocol/turn/models.ts';
import { serverRequests } from '../../../src/protocol/server.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { traceRequests } from '../../../src/protocol/thread/turn-trace.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';
import { inEnglish } from '../../../src/protocol/text/text.ts';

const signal = new AbortController().signal;
/** Faults of a provider until it is passed over. */
const FAULTS = 3;

describe('A provider that has failed often', () => {
	let first: ModelServer;
	let second: ModelServer;
	let server: ServerUnderTest;
	let threadId: ThreadId;
	let isBack: boolean;
	/** Events in which the thread reports providers that are passed over. */
	let pauses: object[];

	beforeEach(async () => {
		isBack = false;
		pauses = [];
		first = await startModelServer(() => (isBack ? { text: 'First here.' } : { error: 402, message: 'No credits' }));
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
			},
		});
		threadId = (await server.peer.call(threadRequests.create, { modelId: 'p1/m' }, signal)).id as ThreadId;
		for (let turn = 0; turn < FAULTS; turn += 1) {
			await prompted();
		}
	});
	afterEach(async () => {
		await server.stop();
		await Promise.all([first.close(), second.close()]);
	});

	/** Requests of each provider so far, after one more turn. */
	async function prompted(): Promise<readonly [number, number]> {
		const ended = new Promise<void>((resolve) => {
			const subscription = server.onUpdate.event(({ events }) => {
				for (const event of events) {
					if (event.type === 'item.start' && event.item.kind === 'notice' && / is paused /.test(event.item.text)) {
						pauses.push({ text: event.item.text, passedOver: event.item.passedOver });
					}
				}
				if (events.some(({ type }) => type === 'turn.end')) {
					subscription.dispose();
					resolve();
				}
			});
		});
		await server.peer.call(threadRequests.prompt, { threadId, text: 'What is in this folder?' }, signal);
		await ended;
		return [first.requests.length, second.requests.length];
	}

	async function resting(): Promise<readonly string[]> {
		const list = await server.peer.call(modelRequests.list, {}, signal);
		return list.resting.map(({ provider }) => provider);
	}

	it('stays passed over when another provider is to be asked again', async () => {
		await server.peer.call(modelRequests.askAgain, { provider: 'p2' }, signal);
		await server.peer.call(modelRequests.askAgain, { provider: 'nobody' }, signal);
		assert.deepEqual(await resting(), ['p1']);
		assert.deepEqual(await prompted(), [FAULTS, FAULTS + 1]);
	});

	it('is passed over from the start of a turn, whose row and trace name the model that answered', async () => {
		assert.deepEqual(await prompted(), [FAULTS, FAULTS + 1]);
		const { turns } = await server.peer.call(traceRequests.list, { threadId }, signal);
		const last = turns.at(-1);
		assert.equal(last?.modelId, 'p2/m');
		assert.deepEqual(last?.stages[0]?.facts, {
			model: 'p2/m',
			resolution: ['breaker: p1 has failed often and is passed over', 'alternative: p2/m'],
		});
	});

	it('is named in the thread with who answers, at the start of each such turn and of no other', async () => {
		assert.deepEqual(pauses, []);
		await prompted();
		const pause = { provider: 'p1', faults: FAULTS, next: 'p2/m' };
		assert.deepEqual(pauses, [{ text: 'p1 is paused after 3 faults; p2/m answers.', passedOver: pause }]);
		isBack = true;
		await server.peer.call(modelRequests.askAgain, { provider: 'p1' }, signal);
		await prompted();
		assert.equal(pauses.length, 1);
	});

	it('is told to the host once, and named by the doctor', async () => {
		assert.equal(server.modelChanges, 1);
		const { checks } = await server.peer.call(serverRequests.doctor, {}, signal);
		const providers = checks.find(({ name }) => inEnglish(name) === 'Providers');
		assert.equal(providers?.ok, false);
		assert.match(inEnglish(providers?.detail ?? ''), /Passed over because they failed often: p1 \(\d+ s\)/);
	});

	it('is asked first again as soon as a person wants it', async () => {
		isBack = true;
		await server.peer.call(modelRequests.askAgain, { provider: 'p1' }, signal);
		assert.deepEqual(await resting(), []);
		assert.equal(server.modelChanges, 2);
		assert.deepEqual(await prompted(), [FAULTS + 1, FAULTS]);
	});
});
