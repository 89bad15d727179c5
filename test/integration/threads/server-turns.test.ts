import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { applyUpdate } from '../../../src/protocol/thread/apply-update.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { serverRequests } from '../../../src/protocol/server.ts';
import type { ThreadEvent, ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { waitUntilGone } from '../../support/processes.ts';
import { programs } from '../../support/programs.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { type ServerOptions, ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;

describe('The server process', () => {
	let model: ModelServer;
	let servers: ServerUnderTest[];

	beforeEach(() => {
		servers = [];
	});

	afterEach(async () => {
		await Promise.all(servers.map((server) => server.stop()));
		await model.close();
	});

	async function start(script: readonly ScriptEntry[], options: Partial<ServerOptions> = {}): Promise<ServerUnderTest> {
		model = await startModelServer(script);
		return another({ home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl, ...options });
	}

	async function another(options: ServerOptions): Promise<ServerUnderTest> {
		const server = await ServerUnderTest.start(options);
		servers.push(server);
		return server;
	}

	it('serves nothing before the handshake', async () => {
		model = await startModelServer([]);
		const server = new ServerUnderTest({ home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl });
		servers.push(server);
		await assert.rejects(server.peer.call(threadRequests.list, {}, signal), { code: 'INVALID_STATE' });
	});

	it('refuses a host that speaks another version of the protocol, and says both', async () => {
		model = await startModelServer([]);
		const server = new ServerUnderTest({ home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl });
		servers.push(server);
		await assert.rejects(server.handshake(999), { code: 'VERSION_MISMATCH', facts: { host: 999, server: 1 } });
	});

	it('ends within a second of its host', async () => {
		model = await startModelServer([]);
		const script = `const child = require('node:child_process').fork(${JSON.stringify(programs.server)}, ['--node-ipc'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
			child.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
			child.on('message', () => console.log(child.pid));`;
		const host = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
		const [chunk] = (await once(host.stdout, 'data')) as [Buffer];
		host.kill('SIGKILL');
		await once(host, 'exit');
		await waitUntilGone([Number(chunk.toString())]);
	});

	it('answers a prompt in a new thread that it was sent while it started', async () => {
		model = await startModelServer([{ text: 'Here.' }]);
		const server = new ServerUnderTest({ home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl });
		servers.push(server);
		const threadId = newId('thr');
		const [, info] = await Promise.all([
			server.handshake(),
			server.peer.call(threadRequests.create, { threadId }, signal),
			server.peer.call(threadRequests.prompt, { threadId, text: 'Are you there?' }, signal),
		]);
		assert.equal(info.id, threadId);
		await server.event(({ type }) => type === 'turn.end');
		assert.equal(model.requests.length, 1);
	});

	it('refuses a new thread by the id of another one, which stays as it is', async () => {
		const server = await start([{ text: 'Here.' }]);
		const { id } = await server.peer.call(threadRequests.create, { modelId: 'one' }, signal);
		await assert.rejects(server.peer.call(threadRequests.create, { threadId: id, modelId: 'two' }, signal), {
			code: 'INVALID_PARAMS',
			facts: { threadId: id },
		});
		const { info } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.equal(info.modelId, 'one');
	});

	it('answers a prompt over real HTTP, and the updates lead to the thread that is stored', async () => {
		const server = await start([
			{ text: 'Looking.', toolCalls: [{ name: 'fs_write', input: { path: 'a.ts', content: 'let a;' } }] },
			{ text: 'Written.' },
		]);
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		const first = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Write a.ts' }, signal);
		await server.event(({ type }) => type === 'turn.end');

		const fresh = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		const applied = server.updates.reduce((at, update) => applyUpdate(at, update) as ThreadSnapshot, first);
		assert.deepEqual(applied, fresh);
		assert.deepEqual(
			fresh.items.map((item) => item.kind),
			['user', 'text', 'tool', 'text'],
		);
		assert.deepEqual(fresh.info.title, 'Write a.ts');
	});

	it('outlives the stops of turns on a connection that is kept from request to request', async () => {
		const called = { toolCalls: [{ name: 'fs_write', input: { path: 'a', content: 'a' } }] };
		const begun = { text: 'Half of it', then: 'stall' } as const;
		const script = [called, { text: 'One.' }, called, begun, { text: 'Three.' }, called, begun, { text: 'Five.' }];
		model = await startModelServer(script, { keepsConnections: true });
		const server = await another({ home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl });
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		for (const text of ['1', '2, stopped', '3', '4, stopped', '5']) {
			const before = server.updates.length;
			await server.peer.call(threadRequests.prompt, { threadId: id, text }, signal);
			if (text.endsWith('stopped')) {
				await server.eventAfter(before, ({ type }) => type === 'item.delta');
				await server.peer.call(threadRequests.stop, { threadId: id }, signal);
			}
			await server.eventAfter(before, ({ type }) => type === 'turn.end');
		}
		assert.equal(server.child.exitCode, null);
		const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		const said = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
		assert.deepEqual(said, ['One.', 'Half of it', 'Three.', 'Half of it', 'Five.']);
	});

	it('sends a first request of at most 8 KB without capabilities, and every later one begins with the same bytes', async () => {
		const server = await start([
			{ toolCalls: [{ name: 'fs_write', input: { path: 'a', content: 'a' } }] },
			{ text: 'One.' },
			{ text: 'Two.' },
		]);
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'First' }, signal);
		await server.event(({ type }) => type === 'turn.end');
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Second' }, signal);
		await model.request(3);

		assert.ok((model.requests[0]?.text.length ?? Infinity) <= 8_192);
		const bodies = model.requests.map(({ body }) => JSON.stringify(body['messages']).slice(0, -1));
		const [one = '', two = '', three = ''] = bodies;
		assert.ok(two.startsWith(one) && three.startsWith(two));
		assert.equal(new Set(model.requests.map(({ body }) => JSON.stringify(body['tools']))).size, 1);
	});

	it('keeps task and instructions in a thread that outgrows the window, and says that it was shortened', async () => {
		const answers = Array.from({ length: 14 }, (_, n) => ({
			text: `Answer ${n}: ${'word by word it goes on. '.repeat(160)}`,
		}));
		const server = await start(answers, {
			host: new MemoryHost({ 'AGENTS.md': 'Use tabs, never spaces.' }),
			// The model's name stands for a window of 8,192 tokens.
			settings: { 'prowess.model': 'test/gpt-4' },
		});
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		for (let turn = 1; turn <= answers.length; turn += 1) {
			const text = turn === 1 ? 'Build the shop.' : `Go on, part ${turn}.`;
			const { turnId } = await server.peer.call(threadRequests.prompt, { threadId: id, text }, signal);
			await server.event((event) => event.type === 'turn.end' && event.turnId === turnId);
		}
		const last = model.requests.at(-1)?.text ?? '';
		assert.match(last, /Build the shop\.[\s\S]*left out[\s\S]*Use tabs, never spaces\./);
		assert.doesNotMatch(last, /Answer 0:/);
		const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.ok(items.some((item) => item.kind === 'notice' && item.text.includes('no longer fits')));
	});

	it('waits no longer for a provider where the user wants the next model, and says who answers', async () => {
		const other = await startModelServer([{ text: 'Here I am.' }]);
		try {
			model = await startModelServer([{ error: 429, message: 'slow down', headers: { 'retry-after': '50' } }]);
			const server = await another({
				home: tempDir('home'),
				host: new MemoryHost({}),
				modelUrl: model.baseUrl,
				settings: {
					'prowess.providers': [model, other].map(({ baseUrl }, at) => ({
						id: `p${at}`,
						baseUrl,
						kind: 'openai-compatible',
					})),
					'prowess.model': 'p0/m',
					'prowess.models.fallback': [{ provider: 'p1', model: 'm' }],
				},
			});
			const { id } = await server.peer.call(threadRequests.create, {}, signal);
			await server.peer.call(threadRequests.useNext, { threadId: id }, signal);
			await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Go' }, signal);
			const noticed = (event: ThreadEvent) => event.type === 'item.start' && event.item.kind === 'notice';
			await server.event(noticed);
			await server.peer.call(threadRequests.useNext, { threadId: id }, signal);
			const end = await server.event(({ type }) => type === 'turn.end');
			assert.ok(end.type === 'turn.end' && end.outcome === 'done');
			const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
			const attempts = items.flatMap((item) =>
				item.kind === 'notice' && item.attempt !== undefined ? [item.attempt] : [],
			);
			assert.deepEqual(
				attempts.map(({ error, ...rest }) => [error.code, rest]),
				[
					['PROVIDER_RATE_LIMITED', { waitMs: 50_000, next: 'p1/m' }],
					['PROVIDER_RATE_LIMITED', { failed: 'p0/m', next: 'p1/m' }],
				],
			);
			assert.deepEqual([model.requests.length, other.requests.length], [1, 1]);
		} finally {
			await other.close();
		}
	});

	it('refuses a prompt while a turn runs, and to write a thread that another process writes', async () => {
		const home = tempDir('home');
		const one = await start([{ chunks: ['Hold'], then: 'stall' }, { text: 'Mine now.' }], { home });
		const two = await another({ home, host: new MemoryHost({}), modelUrl: model.baseUrl });
		const { id } = await one.peer.call(threadRequests.create, {}, signal);
		await one.peer.call(threadRequests.prompt, { threadId: id, text: 'Hold it' }, signal);
		await one.event(({ type }) => type === 'item.delta');
		const prompt = (server: ServerUnderTest) =>
			server.peer.call(threadRequests.prompt, { threadId: id, text: 'Me too' }, signal);

		await assert.rejects(prompt(one), { code: 'TURN_RUNNING' });
		await assert.rejects(
			prompt(two),
			(error) => isProwessError(error) && error.code === 'THREAD_BUSY' && 'owner' in error.facts,
		);
		assert.equal((await two.peer.call(threadRequests.open, { threadId: id }, signal)).items.length, 2);

		await one.kill();
		await prompt(two);
		await two.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		const { items } = await two.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.deepEqual(
			items.map((item) => item.kind),
			['user', 'text', 'notice', 'user', 'text'],
		);
	});

	it('stops when neither the model nor the host answers', async () => {
		const host = new MemoryHost({}, { 'fs.write': () => new Promise(() => {}) });
		host.outcome = () => new Promise(() => {});
		const server = await start([{ toolCalls: [{ name: 'fs_write', input: { path: 'a', content: 'a' } }] }], { host });
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Write' }, signal);
		await server.event((event) => event.type === 'item.start' && event.item.kind === 'tool');
		await server.peer.call(threadRequests.stop, { threadId: id }, signal);
		await server.event((event) => event.type === 'turn.end' && event.outcome === 'stopped');
		const { info, items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
		assert.equal(info.running, false);
		const last = items.at(-1);
		assert.deepEqual(last?.kind === 'notice' && [last.text, last.actions], ['This turn was stopped.', ['continue']]);
	});

	it('finds, renames, exports and deletes threads', async () => {
		const server = await start([{ text: 'The answer is forty-two.' }]);
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'What is it?' }, signal);
		await server.event(({ type }) => type === 'turn.end');
		const found = async (query: string) =>
			(await server.peer.call(threadRequests.list, { query }, signal)).threads.map((thread) => thread.id as ThreadId);

		assert.deepEqual(await found('forty'), [id]);
		assert.deepEqual(await found('"quoted* OR'), []);
		await server.peer.call(threadRequests.update, { threadId: id, title: '100% sure' }, signal);
		assert.deepEqual(await found('100%'), [id]);
		const { fileName, text } = await server.peer.call(
			threadRequests.export,
			{ threadId: id, format: 'markdown' },
			signal,
		);
		assert.deepEqual([fileName, text.includes('forty-two')], ['100-sure.md', true]);
		await server.peer.call(threadRequests.delete, { threadId: id }, signal);
		assert.deepEqual(await found('forty'), []);
		await assert.rejects(server.peer.call(threadRequests.open, { threadId: id }, signal), { code: 'THREAD_NOT_FOUND' });
	});

	it('gives the titles of threads, also of sub-agents, and none of those that are gone', async () => {
		const server = await start([]);
		const { id: parent } = await server.peer.call(threadRequests.create, {}, signal);
		const agent = { parent, name: 'detective' };
		const { id: child } = await server.peer.call(threadRequests.create, { agent }, signal);
		const { id: gone } = await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.update, { threadId: parent, title: 'The case' }, signal);
		await server.peer.call(threadRequests.delete, { threadId: gone }, signal);
		const { threads } = await server.peer.call(threadRequests.titles, { threadIds: [child, gone, parent] }, signal);
		assert.deepEqual(threads, [
			{ id: child, title: 'detective' },
			{ id: parent, title: 'The case' },
		]);
	});

	it('reports on its own health', async () => {
		const server = await start([]);
		const { checks } = await server.peer.call(serverRequests.doctor, {}, signal);
		assert.ok(checks.every(({ ok }) => ok));
	});
});
