/** A message of a client that wants it stopped: at a real server, whose answer may be late. */
import assert from 'node:assert/strict';
import { followStoppableTurn } from '../../../src/host/doors/stoppable-turn.ts';
import { TurnEnds } from '../../../src/host/doors/turn-ends.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { threadNotifications, threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { TurnScene } from '../../support/turn-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('A message that its client stops', () => {
	let scene: TurnScene;
	let threadId: ThreadId;
	let ends: TurnEnds;
	beforeEach(async () => {
		scene = await TurnScene.open({ script: () => ({ text: 'A first word', then: 'stall' }) });
		threadId = await scene.begin();
		ends = new TurnEnds();
		scene.server.peer.on(threadNotifications, {
			update: ({ events }) => {
				for (const event of events) if (event.type === 'turn.end') ends.put(event);
			},
		});
	});
	afterEach(() => scene.close());

	const stop = () => scene.server.call(threadRequests.stop, { threadId }, new AbortController().signal);
	const sends = async (signal: AbortSignal) => {
		scene.base.beginThread(threadId, 'talk for ever');
		return await scene.server.call(threadRequests.prompt, { threadId, text: 'talk for ever' }, signal);
	};

	it('is not sent where it was stopped before', async () => {
		const prompt = () => assert.fail('it was sent');
		const turn = { ends, gone: new AbortController(), prompt, stop };
		await assert.rejects(followStoppableTurn(turn, AbortSignal.abort()), { name: 'AbortError' });
	});

	it('ends its turn, whether it was on its way to the server, begun there or known here', async () => {
		for (const [at, moment] of ['on its way', 'begun', 'known'].entries()) {
			const stopping = new AbortController();
			const gone = new AbortController();
			const prompt = async (until: AbortSignal) => {
				if (moment === 'on its way') stopping.abort();
				const begun = await sends(until);
				if (moment === 'begun') stopping.abort();
				return begun;
			};
			const end = followStoppableTurn({ ends, gone, prompt, stop }, stopping.signal);
			if (moment === 'known') {
				await waitFor('the turn', () => scene.events.filter(({ type }) => type === 'item.delta').length > 0);
				stopping.abort();
			}
			assert.deepEqual([moment, (await end).outcome], [moment, 'stopped']);
			assert.equal(await scene.ended(at + 1), 'stopped');
		}
	});

	it('says so where it cannot be stopped, and where nobody can tell its end any more', async () => {
		const stopping = new AbortController();
		const refused = { ends, gone: new AbortController(), prompt: sends, stop: () => Promise.reject(new Error('busy')) };
		const end = followStoppableTurn(refused, stopping.signal);
		stopping.abort();
		await assert.rejects(end, /busy/);
		await stop();
		const gone = new AbortController();
		const lost = followStoppableTurn({ ends, gone, prompt: sends, stop }, new AbortController().signal);
		gone.abort(new Error('the server is gone'));
		await assert.rejects(lost, /the server is gone/);
		await stop();
	});
});
