/** A way back to a message, and a fork of a thread at one, in a real server process: what goes, what stays, what the model is told. */
import assert from 'node:assert/strict';
import { applyUpdate } from '../../../src/protocol/thread/apply-update.ts';
import type { ThreadId, TurnId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;
const NO_TURN = 'trn_none' as TurnId;

describe('A thread of three turns', () => {
	let model: ModelServer;
	let server: ServerUnderTest;
	let home: string;
	let threadId: ThreadId;

	beforeEach(async () => {
		const texts = ['First.', 'Second.', 'Third.', 'Fourth.', 'Fifth.'];
		model = await startModelServer((n, { text }) =>
			text.includes('Wait for it') ? { text: '', then: 'stall' as const } : { text: texts[n] ?? 'Nothing more.' },
		);
		home = tempDir('home');
		server = await begun();
		({ id: threadId } = await server.peer.call(threadRequests.create, {}, signal));
		for (const text of ['One alpha', 'Two beta', 'Three gamma']) await prompt(text);
	});

	afterEach(async () => {
		await server.stop();
		await model.close();
	});

	const begun = () => ServerUnderTest.startHere({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
	const open = (id = threadId) => server.peer.call(threadRequests.open, { threadId: id }, signal);
	async function prompt(text: string, id = threadId): Promise<void> {
		server.updates.length = 0;
		await server.peer.call(threadRequests.prompt, { threadId: id, text }, signal);
		await server.event(({ type }) => type === 'turn.end');
	}
	const turnAt = async (at: number) => (await open()).items.filter(({ kind }) => kind === 'user')[at]?.turnId as TurnId;
	const rewind = (turnId: TurnId, files: 'restored' | 'kept' = 'kept') =>
		server.peer.call(threadRequests.rewind, { threadId, turnId, files }, signal);
	const restore = (turnId?: TurnId) => server.peer.call(threadRequests.restore, { threadId, turnId }, signal);
	const fork = (before?: TurnId) => server.peer.call(threadRequests.fork, { threadId, before }, signal);
	const said = async (id = threadId) =>
		(await open(id)).items.flatMap((item) => (item.kind === 'user' || item.kind === 'text' ? [item.text] : []));
	const told = () => JSON.stringify(model.requests.at(-1)?.body['messages']);
	const whole = ['One alpha', 'First.', 'Two beta', 'Second.', 'Three gamma', 'Third.'];

	describe('that the user goes back in', () => {
		it('is left as it is where it has no such message, or where a turn runs', async () => {
			await assert.rejects(rewind(NO_TURN), { code: 'TURN_NOT_FOUND' });
			const first = await turnAt(0);
			await server.peer.call(threadRequests.prompt, { threadId, text: 'Wait for it' }, signal);
			await assert.rejects(rewind(first), { code: 'TURN_RUNNING' });
			await server.peer.call(threadRequests.stop, { threadId }, signal);
			assert.deepEqual((await said()).slice(0, 6), whole);
		});

		it('loses the message and what came after, for receivers as in the store, and says how many', async () => {
			const cut = await open();
			const second = await turnAt(1);
			server.updates.length = 0;
			assert.equal((await rewind(second)).turnIds.length, 2);
			assert.deepEqual(await said(), ['One alpha', 'First.']);
			const fresh = await open();
			const followed = server.updates.reduce((at, update) => applyUpdate(at, update) as ThreadSnapshot, cut);
			assert.deepEqual(followed, fresh);
			assert.equal(fresh.info.setAside, 2);
		});

		it('tells the model once that they are gone, and whether the files went back with them', async () => {
			await rewind(await turnAt(2), 'kept');
			await prompt('Four');
			assert.match(told(), /went back in this conversation: 1 message .*Files and all else stay as they are/);
			await rewind(await turnAt(1), 'restored');
			await prompt('Five');
			assert.match(told(), /went back in this conversation: 2 messages .*put back to how they were then/);
			await prompt('Six');
			assert.equal(told().split('went back in this conversation').length - 1, 1);
		});

		it('gets all of it back, also after the server was started anew, and the model reads no other course', async () => {
			await rewind(await turnAt(0));
			await server.stop();
			server = await begun();
			assert.deepEqual(await said(), []);
			await restore();
			assert.deepEqual(await said(), whole);
			assert.equal((await open()).info.setAside, undefined);
			await assert.rejects(restore(), { code: 'INVALID_STATE' });
			await prompt('Four');
			assert.doesNotMatch(told(), /went-back/);
			assert.match(told(), /Two beta/);
		});

		it('gets back only what was meant', async () => {
			const first = await turnAt(0);
			await rewind(await turnAt(2));
			await assert.rejects(restore(first), { code: 'INVALID_STATE' });
			assert.deepEqual(await said(), whole.slice(0, 4));
		});
	});

	describe('that is forked', () => {
		it('at no message of its own, or while what would be copied runs, gives no thread', async () => {
			await assert.rejects(fork(NO_TURN), { code: 'TURN_NOT_FOUND' });
			await server.peer.call(threadRequests.prompt, { threadId, text: 'Wait for it' }, signal);
			await assert.rejects(fork(), { code: 'TURN_RUNNING' });
			const { thread } = await fork(await turnAt(1));
			await server.peer.call(threadRequests.stop, { threadId }, signal);
			assert.deepEqual(await said(thread.id), ['One alpha', 'First.']);
			const { threads } = await server.peer.call(threadRequests.list, {}, signal);
			assert.equal(threads.length, 2);
		});

		it('at a message gives one with what was said before, and the words of that message', async () => {
			const { thread, said: words } = await fork(await turnAt(1));
			assert.deepEqual(await said(thread.id), ['One alpha', 'First.']);
			assert.equal(words?.text, 'Two beta');
			assert.equal(thread.title, 'One alpha (fork)');
			assert.deepEqual(await said(), whole);
			const { threads } = await server.peer.call(threadRequests.list, { query: 'alpha' }, signal);
			assert.equal(threads.length, 2);
		});

		it('whole goes on by itself: the model reads what was said, and the other thread hears nothing of it', async () => {
			const { thread } = await fork();
			await prompt('Four', thread.id);
			for (const text of whole) assert.ok(told().includes(text), text);
			assert.deepEqual(await said(thread.id), [...whole, 'Four', 'Fourth.']);
			assert.deepEqual(await said(), whole);
		});

		it('stays whole when the first thread is deleted', async () => {
			const { thread } = await fork();
			await server.peer.call(threadRequests.delete, { threadId }, signal);
			assert.deepEqual(await said(thread.id), whole);
			const fresh = await open(thread.id);
			assert.ok(fresh.items.every(({ id, turnId }) => id.startsWith('itm_') && turnId.startsWith('trn_')));
		});
	});
});
