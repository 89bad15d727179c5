/** A retry of an older message in a real server process: what it removes can be put back, and the model is told. */
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

describe('A retry of an older message', () => {
	let model: ModelServer;
	let server: ServerUnderTest;
	let home: string;
	let threadId: ThreadId;

	/** A thread of three turns, as the script answers them. */
	beforeEach(async () => {
		const texts = ['First.', 'Second.', 'Third.', 'Anew.', 'After.', 'Last.'];
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
	const open = () => server.peer.call(threadRequests.open, { threadId }, signal);
	const restore = () => server.peer.call(threadRequests.restore, { threadId }, signal);
	const ended = () => server.event(({ type }) => type === 'turn.end');
	async function prompt(text: string): Promise<void> {
		server.updates.length = 0;
		await server.peer.call(threadRequests.prompt, { threadId, text }, signal);
		await ended();
	}
	async function retry(at: number): Promise<void> {
		server.updates.length = 0;
		const turnId = (await open()).items.filter(({ kind }) => kind === 'user')[at]?.turnId as TurnId;
		await server.peer.call(threadRequests.rerun, { threadId, turnId }, signal);
		await ended();
	}
	const said = async () =>
		(await open()).items.flatMap((item) => (item.kind === 'user' || item.kind === 'text' ? [item.text] : []));
	const told = () => JSON.stringify(model.requests.at(-1)?.body['messages']);
	const before = ['One alpha', 'First.', 'Two beta', 'Second.', 'Three gamma', 'Third.'];

	it('of which there was none cannot be taken back, nor one of the last message', async () => {
		await assert.rejects(restore(), { code: 'INVALID_STATE' });
		await retry(2);
		await assert.rejects(restore(), { code: 'INVALID_STATE' });
		assert.equal((await open()).info.setAside, undefined);
	});

	it('tells the model that later messages are gone, and that files are not', async () => {
		await retry(1);
		assert.deepEqual(await said(), ['One alpha', 'First.', 'Two beta', 'Anew.']);
		assert.match(told(), /The user went back to this message: what came after it \(1 later message /);
		assert.match(told(), /Files and all else stay as they are now/);
		assert.equal((await open()).info.setAside, 2);
	});

	it('is taken back whole, in the store, for receivers and in the search, and again the other way round', async () => {
		await retry(1);
		const cut = await open();
		server.updates.length = 0;
		await restore();
		assert.deepEqual(await said(), before);
		const fresh = await open();
		const followed = server.updates.reduce((at, update) => applyUpdate(at, update) as ThreadSnapshot, cut);
		assert.deepEqual(followed, fresh);
		assert.equal(fresh.info.setAside, 1);
		const found = await server.peer.call(threadRequests.list, { query: 'gamma' }, signal);
		assert.deepEqual(
			found.threads.map(({ id }) => id),
			[threadId],
		);
		await restore();
		assert.deepEqual(await said(), ['One alpha', 'First.', 'Two beta', 'Anew.']);
	});

	it('is taken back after the server was started anew, and the model reads what it had read, and is told', async () => {
		await retry(1);
		await server.stop();
		server = await begun();
		await restore();
		await prompt('Four');
		const messages = told();
		for (const text of before) assert.ok(messages.includes(text), text);
		assert.doesNotMatch(messages, /Anew\./);
		assert.match(messages, /The user took a retry back: another course of this conversation is gone/);
		await prompt('Five');
		assert.equal(told().split('took a retry back').length - 1, 1);
	});

	it('is not taken back while a turn runs', async () => {
		await retry(1);
		await server.peer.call(threadRequests.prompt, { threadId, text: 'Wait for it' }, signal);
		await assert.rejects(restore(), { code: 'TURN_RUNNING' });
		await server.peer.call(threadRequests.stop, { threadId }, signal);
	});
});
