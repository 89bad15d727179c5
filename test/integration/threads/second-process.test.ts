import assert from 'node:assert/strict';
import { applyUpdate } from '../../../src/protocol/thread/apply-update.ts';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../support/wait-for.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;
const holding: ScriptEntry = { chunks: ['Some', ' words'], then: 'stall' };

describe('A second server process on the same threads', () => {
	let model: ModelServer;
	let servers: ServerUnderTest[];
	let home: string;
	let threadId: ThreadId;

	beforeEach(() => {
		servers = [];
		home = tempDir('home');
	});

	afterEach(async () => {
		await Promise.all(servers.map((server) => server.stop()));
		await model.close();
	});

	/** The first has begun a thread, and both show it. */
	async function two(script: readonly ScriptEntry[]): Promise<[ServerUnderTest, ServerUnderTest]> {
		model = await startModelServer(script);
		const start = () => ServerUnderTest.start({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		const one = await start();
		const other = await start();
		servers.push(one, other);
		threadId = (await one.peer.call(threadRequests.create, {}, signal)).id;
		await open(one);
		return [one, other];
	}

	function open(server: ServerUnderTest): Promise<ThreadSnapshot> {
		return server.peer.call(threadRequests.open, { threadId, follow: true }, signal);
	}

	function prompt(server: ServerUnderTest, text: string): Promise<unknown> {
		return server.peer.call(threadRequests.prompt, { threadId, text }, signal);
	}

	/** Returns the thread as a receiver that started from `first` shows it. */
	function shown(server: ServerUnderTest, first: ThreadSnapshot): ThreadSnapshot {
		return server.updates.reduce((at, update) => {
			const next = applyUpdate(at, update);
			assert.notEqual(next, 'gap');
			return next as ThreadSnapshot;
		}, first);
	}

	it('is refused a message and a stop, and told that the thread is busy', async () => {
		const [one, other] = await two([holding]);
		await prompt(one, 'Hold it');
		await assert.rejects(prompt(other, 'Me too'), { code: 'THREAD_BUSY' });
		await assert.rejects(other.peer.call(threadRequests.stop, { threadId }, signal), { code: 'THREAD_BUSY' });
		const { info } = await open(other);
		assert.deepEqual([info.running, info.heldBy], [true, 'cli']);
		assert.equal((await open(one)).info.heldBy, undefined);
	});

	it('follows a turn from its begin to its end, and shows at the end what is stored', async () => {
		const [one, other] = await two([
			{
				chunks: ['Some', ' words', ' first.'],
				delayMs: 400,
				toolCalls: [{ name: 'fs_read', input: { path: 'no.ts' } }],
			},
			{ text: 'Done.' },
			{ text: 'Mine.' },
		]);
		const first = await open(other);
		await prompt(one, 'Tell me');
		await other.event(({ type }) => type === 'item.delta');
		assert.equal(shown(other, first).info.heldBy, 'cli');
		await other.event(({ type }) => type === 'turn.end');
		const followed = shown(other, first);
		const { seq, ...stored } = await open(other);
		assert.deepEqual({ ...followed, seq }, { ...stored, seq });
		assert.equal(stored.info.heldBy, undefined);
		assert.ok(other.updates.every(({ isElsewhere }) => isElsewhere === true));
	});

	it('follows an answer that takes the place of another', async () => {
		const [one, other] = await two([
			{ text: 'I have updated a.ts.' },
			{ chunks: ['No, ', 'not ', 'yet.'], delayMs: 400 },
		]);
		const first = await open(other);
		await prompt(one, 'Update a.ts');
		await other.event(({ type }) => type === 'turn.end');
		const texts = ({ items }: ThreadSnapshot) => items.map((item) => (item.kind === 'text' ? item.text : item.kind));
		assert.deepEqual(texts(shown(other, first)), ['user', 'No, not yet.']);
		assert.deepEqual(texts(await open(one)), ['user', 'No, not yet.']);
	});

	it('numbers its own next turn so that nobody who followed misses it', async () => {
		const [one, other] = await two([{ text: 'Done.' }, { text: 'Mine.' }]);
		await prompt(one, 'Tell me');
		const first = await open(other);
		await waitFor('the end', async () => !shown(other, first).info.running);
		await prompt(other, 'And me');
		await other.event((event) => event.type === 'item.end' && other.updates.at(-1)?.isElsewhere !== true);
		await waitFor('the end of its own turn', () => !shown(other, first).info.running);
		assert.deepEqual(
			shown(other, first).items.map((item) => (item.kind === 'user' || item.kind === 'text' ? item.text : item.kind)),
			['Tell me', 'Done.', 'And me', 'Mine.'],
		);
	});

	it('tells nothing twice of a turn of its own that ended before it looked', async () => {
		const [one, other] = await two(Array.from({ length: 3 }, () => ({ text: 'Done.' })));
		await open(one);
		const events = () => one.updates.flatMap((update) => update.events);
		for (let n = 1; n <= 3; n += 1) {
			await prompt(one, `Tell me ${n}`);
			await waitFor('the end', () => events().filter(({ type }) => type === 'turn.end').length === n);
			// The end of a turn is told before its lease is given back.
			await waitFor('the thread to be free', () =>
				other.peer.call(threadRequests.update, { threadId, title: `Title ${n}` }, signal).then(
					() => true,
					() => false,
				),
			);
			await one.event((event) => event.type === 'thread.changed' && event.info.title === `Title ${n}`);
			assert.equal(events().filter(({ type }) => type === 'item.start').length, 2 * n);
		}
	});

	it('follows a rerun that drops a turn, and a new title', async () => {
		const [one, other] = await two([{ text: 'Done.' }, { text: 'Better.' }]);
		await prompt(one, 'Tell me');
		await one.event(({ type }) => type === 'turn.end');
		const first = await open(other);
		const turnId = first.items[0]?.turnId;
		assert.ok(turnId);
		await one.peer.call(threadRequests.rerun, { threadId, turnId }, signal);
		await one.peer.call(threadRequests.update, { threadId, title: 'Renamed' }, signal).catch(() => {});
		await waitFor('the better answer', () =>
			shown(other, first).items.some((item) => item.kind === 'text' && item.text === 'Better.'),
		);
		assert.equal(shown(other, first).items.length, 2);
		await waitFor('the title', () => shown(other, first).info.title === 'Renamed');
	});

	it('takes a thread over: the turn ends where it ran, says why, and the next message goes on here', async () => {
		const [one, other] = await two([holding, { text: 'Mine now.' }]);
		await prompt(one, 'Hold it');
		await one.event(({ type }) => type === 'item.delta');
		const first = await open(other);
		await other.peer.call(threadRequests.takeOver, { threadId }, signal);
		const end = await one.event(({ type }) => type === 'turn.end');
		assert.ok(end.type === 'turn.end' && end.outcome === 'stopped');
		await waitFor('the end, seen here', () => !shown(other, first).info.running);
		assert.ok(shown(other, first).items.some((item) => item.kind === 'notice' && item.text.includes('taken over')));
		await prompt(other, 'Go on');
		await other.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		await waitFor('the answer, seen there', async () =>
			(await open(one)).items.some((item) => item.kind === 'text' && item.text === 'Mine now.'),
		);
	});

	it('takes over nothing from a process that is only stopped until its lease is gone', async function () {
		this.timeout(40_000);
		const [one, other] = await two([holding, { text: 'Mine now.' }]);
		await prompt(one, 'Hold it');
		await one.event(({ type }) => type === 'item.delta');
		await open(other);
		process.kill(one.pid, 'SIGSTOP');
		try {
			const begunMs = performance.now();
			await other.peer.call(threadRequests.takeOver, { threadId }, signal);
			assert.ok(performance.now() - begunMs > 5_000, 'before its lease was gone');
			await prompt(other, 'Go on');
			await other.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		} finally {
			process.kill(one.pid, 'SIGCONT');
		}
		await one.event(({ type }) => type === 'turn.end');
		const texts = (await open(other)).items.map(({ kind }) => kind);
		assert.deepEqual(texts, ['user', 'text', 'notice', 'user', 'text']);
	});

	it('settles the turn of a process that died, and says so to whoever followed it', async function () {
		this.timeout(20_000);
		const [one, other] = await two([holding]);
		await prompt(one, 'Hold it');
		await one.event(({ type }) => type === 'item.delta');
		const first = await open(other);
		await one.kill();
		await waitFor('the end', () => !shown(other, first).info.running);
		assert.ok(shown(other, first).items.some((item) => item.kind === 'notice' && item.text.includes('interrupted')));
	});

	it('keeps a thread that the other one works in, or has worked in, where it is to be deleted as unused', async () => {
		const [one, other] = await two([holding, { text: 'Done.' }]);
		const unusedSince = new Date().toISOString();
		const remove = () => other.peer.call(threadRequests.delete, { threadId, unusedSince }, signal);
		await prompt(one, 'Hold it');
		await one.event(({ type }) => type === 'item.delta');
		await assert.rejects(remove(), { code: 'THREAD_BUSY' });
		await one.peer.call(threadRequests.stop, { threadId }, signal);
		await assert.rejects(remove(), { code: 'INVALID_STATE' });
		assert.equal((await open(other)).info.id, threadId);
	});

	it('closes a thread that was deleted elsewhere', async () => {
		const [one, other] = await two([]);
		await open(other);
		await one.peer.call(threadRequests.delete, { threadId }, signal);
		await other.event(({ type }) => type === 'thread.deleted');
	});
});
