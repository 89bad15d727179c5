import assert from 'node:assert/strict';
import type { OpRequest } from '../../../src/protocol/turn/broker.ts';
import { newId, type ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { RunStep } from '../../../src/protocol/turn/run-steps.ts';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { type ServerOptions, ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;
const write = { name: 'fs_write', input: { path: 'a.ts', content: 'let a;' } };
const cutText: ScriptEntry = { chunks: ['Some ', 'words'], then: 'stall' };

const STEERING = 'Indent with tabs';
const messageId = newId('itm');

interface Step {
	readonly at: string;
	readonly script: readonly ScriptEntry[];
	readonly host?: () => MemoryHost;
	readonly beforePerform?: (request: OpRequest, server: ServerUnderTest) => Promise<void>;
	/** Resolves when it is time to kill. */
	readonly when: (server: ServerUnderTest, model: ModelServer) => Promise<unknown>;
	/** Items after the restart, as kind or kind:status. */
	readonly shows: readonly string[];
	readonly writes: number;
	/** The history the model is given with the next prompt, by role. */
	readonly history: readonly string[];
}

const steps: readonly Step[] = [
	{
		at: 'the user’s message was journaled',
		script: [],
		when: async () => {},
		shows: ['user', 'notice'],
		writes: 0,
		history: ['user'],
	},
	{
		at: 'the request was sent',
		script: [{ then: 'stall' }],
		when: (_server, model) => model.request(1),
		shows: ['user', 'notice'],
		writes: 0,
		history: ['user'],
	},
	{
		at: 'text was streamed and stored',
		script: [cutText],
		when: async (server) => {
			await server.event(({ type }) => type === 'item.delta');
			// Opening a thread stores what streams.
			await opened(server);
		},
		shows: ['user', 'text', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'user'],
	},
	{
		at: 'a call was streamed and the answer has not ended',
		script: [{ text: 'I write it.', toolCalls: [write], then: 'stall' }],
		when: async (server) => {
			await server.event(({ type }) => type === 'item.delta');
			await opened(server);
		},
		shows: ['user', 'text', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'user'],
	},
	{
		at: 'a tool call was journaled and the host did not begin it',
		script: [{ toolCalls: [write] }],
		beforePerform: ({ op }) => (op === 'fs.write' ? new Promise(() => {}) : Promise.resolve()),
		when: (server) => toolShown(server),
		shows: ['user', 'tool:interrupted', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the tool is running',
		script: [{ toolCalls: [write] }],
		host: () => new MemoryHost({}, { 'fs.write': () => new Promise(() => {}) }),
		when: (server) => toolShown(server),
		shows: ['user', 'tool:inDoubt', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'a read is running, which is not in doubt',
		script: [{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] }],
		host: () => new MemoryHost({}, { 'fs.read': () => new Promise(() => {}) }),
		when: (server) => toolShown(server),
		shows: ['user', 'tool:interrupted', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the tool has its effect and the server has not heard of it',
		script: [{ toolCalls: [write] }],
		host: () => new DeafHost({}),
		when: (server) => toolShown(server),
		shows: ['user', 'tool:done', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the result was stored',
		script: [{ toolCalls: [write] }, { then: 'stall' }],
		when: (_server, model) => model.request(2),
		shows: ['user', 'tool:done', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'one of two calls of an answer is done and the other runs',
		script: [{ toolCalls: [write, { name: 'shell_run', input: { argv: ['make'] } }] }],
		host: () => new MemoryHost({}, { 'shell.run': () => new Promise(() => {}) }),
		when: (server) => server.event((event) => event.type === 'item.tool' && event.patch.status === 'done'),
		shows: ['user', 'tool:done', 'tool:inDoubt', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'tool', 'user'],
	},
	{
		at: 'the second round of calls runs',
		script: [{ toolCalls: [write] }, { toolCalls: [{ name: 'shell_run', input: { argv: ['make'] } }] }],
		host: () => new MemoryHost({}, { 'shell.run': () => new Promise(() => {}) }),
		when: (server) =>
			server.event(
				(event) => event.type === 'item.start' && event.item.kind === 'tool' && event.item.tool === 'shell_run',
			),
		shows: ['user', 'tool:done', 'tool:inDoubt', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the answer after the tool is being streamed',
		script: [{ toolCalls: [write] }, cutText],
		when: async (server) => {
			await server.event(({ type }) => type === 'item.delta');
			await opened(server);
		},
		shows: ['user', 'tool:done', 'text', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'assistant', 'user'],
	},
	{
		at: 'the turn has ended',
		script: [{ toolCalls: [write] }, { text: 'Written.' }],
		when: (server) => server.event(({ type }) => type === 'turn.end'),
		shows: ['user', 'tool:done', 'text'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'assistant', 'user'],
	},
	{
		at: 'the model was asked about a claim that nothing shows',
		script: [{ text: 'I have updated a.ts.' }, { then: 'stall' }],
		when: (_server, model) => model.request(2),
		shows: ['user', 'text', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'user'],
	},
	{
		at: 'an answer is revised',
		script: [{ text: 'I have updated a.ts.' }, cutText],
		when: async (server) => {
			await server.event(({ type }) => type === 'item.revised');
			await opened(server);
		},
		shows: ['user', 'text', 'notice'],
		writes: 0,
		history: ['user', 'assistant', 'user'],
	},
	{
		at: 'a message was sent to the turn while a tool runs',
		script: [{ toolCalls: [write] }],
		host: () => new MemoryHost({}, { 'fs.write': () => new Promise(() => {}) }),
		when: async (server) => {
			await toolShown(server);
			await steered(server);
		},
		shows: ['user', 'tool:inDoubt', 'user', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the model was sent the message to the turn',
		script: [{ toolCalls: [write] }, { then: 'stall' }],
		beforePerform: steersBeforeWrite,
		when: (_server, model) => model.request(2),
		shows: ['user', 'tool:done', 'user', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user'],
	},
	{
		at: 'the message to the turn is being answered',
		script: [{ toolCalls: [write] }, cutText],
		beforePerform: steersBeforeWrite,
		when: async (server) => {
			await server.event(({ type }) => type === 'item.delta');
			await opened(server);
		},
		shows: ['user', 'tool:done', 'user', 'text', 'notice'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user', 'assistant', 'user'],
	},
	{
		at: 'the turn with a message to it has ended',
		script: [{ toolCalls: [write] }, { text: 'Written with tabs.' }],
		beforePerform: steersBeforeWrite,
		when: (server) => server.event(({ type }) => type === 'turn.end'),
		shows: ['user', 'tool:done', 'user', 'text'],
		writes: 1,
		history: ['user', 'assistant', 'tool', 'user', 'assistant', 'user'],
	},
];

describe('A server that is killed', () => {
	for (const step of steps) {
		it(`when ${step.at} shows after the restart what happened and runs nothing again`, async () => {
			const model = await startModelServer((n) => step.script[n] ?? { text: 'After the restart.' });
			const host = step.host?.() ?? new MemoryHost({});
			const options: ServerOptions = { home: tempDir('home'), host, modelUrl: model.baseUrl };
			const first = await ServerUnderTest.start({
				...options,
				...(step.beforePerform && { beforePerform: step.beforePerform }),
			});
			const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
			await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Write it' }, signal);
			await step.when(first, model);
			const seen = first.updates.at(-1);
			await first.kill();
			const asked = model.requests.length;

			const second = await ServerUnderTest.start(options);
			const snapshot = await second.peer.call(threadRequests.open, { threadId: id }, signal);
			assert.deepEqual(snapshot.items.map(brief), step.shows);
			// The duration before the kill is not known, and not made up.
			const cut = snapshot.items.filter((item) => item.kind === 'tool' && item.status !== 'done');
			assert.ok(cut.every((item) => !('durationMs' in item)));
			assert.deepEqual([snapshot.turnId, snapshot.info.running], [null, false]);
			assert.ok(snapshot.seq >= (seen === undefined ? 0 : seen.seq + seen.events.length - 1), 'a number is used twice');
			assert.equal(model.requests.length, asked);
			assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, step.writes);

			const sent = snapshot.items.filter((item) => item.kind === 'user' && item.text === STEERING);
			for (const { turnId } of sent) {
				// The sender heard no answer and sends the message again.
				assert.deepEqual(await steered(second, id as ThreadId), { turnId });
			}
			await second.peer.call(threadRequests.prompt, { threadId: id, text: 'And now?' }, signal);
			await second.event((event) => event.type === 'turn.end' && event.outcome === 'done');
			const messages = model.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
			assert.deepEqual(
				messages.slice(1).map(({ role }) => role),
				step.history,
			);
			assert.equal(messages.filter(({ content }) => content?.includes('Write it')).length, 1);
			assert.doesNotMatch(JSON.stringify(messages), /No result of a call/);
			assert.equal(JSON.stringify(messages).split(STEERING).length - 1, sent.length);
			await second.stop();
			await model.close();
		});
	}
});

describe('A thread whose server dies each time', () => {
	it('offers to go on twice, then no more, and again after a turn that came to its end', async () => {
		const answers: ScriptEntry[] = [];
		const model = await startModelServer(() => answers.shift() ?? { then: 'stall' });
		const options: ServerOptions = { home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl };
		let server = await ServerUnderTest.start(options);
		const { id } = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		const dies = async (text: string) => {
			await server.peer.call(threadRequests.prompt, { threadId: id, text }, signal);
			await server.kill();
			server = await ServerUnderTest.start(options);
			const { items } = await server.peer.call(threadRequests.open, { threadId: id }, signal);
			const last = items.at(-1);
			assert.ok(last?.kind === 'notice');
			return last.actions;
		};
		assert.deepEqual(await dies('Poison'), ['continue']);
		assert.deepEqual(await dies('Continue.'), ['continue']);
		assert.deepEqual(await dies('Continue.'), ['showLogs']);
		assert.deepEqual(await dies('Continue.'), ['showLogs']);

		answers.push({ text: 'Said differently, it works.' });
		await server.peer.call(threadRequests.prompt, { threadId: id, text: 'Something else' }, signal);
		await server.event((event) => event.type === 'turn.end' && event.outcome === 'done');
		assert.deepEqual(await dies('Go on'), ['continue']);
		await server.stop();
		await model.close();
	});
});

describe('The cards of running capabilities whose server is killed', () => {
	const at = new Date(0).toISOString();
	const step = (id: number, status: RunStep['status'], more: Partial<RunStep> = {}): RunStep => {
		return { id, kind: 'op', at, status, title: `Step ${id}`, ...more };
	};
	/** Steps that the host had told of each by then. The last one is waited for, the others are not. */
	const told: Readonly<Record<string, readonly RunStep[]>> = {
		silent: [],
		between: [step(1, 'done')],
		within: [step(1, 'done'), step(2, 'running'), step(3, 'waiting', { from: 'skill below' })],
		over: [step(1, 'failed'), step(2, 'cancelled', { kind: 'end' })],
		waited: [
			step(1, 'done', { kind: 'report' }),
			step(2, 'denied'),
			step(3, 'running', { kind: 'model' }),
			step(4, 'waiting'),
		],
	};

	it('have no open step after the restart, and hear no more of what was left', async () => {
		const names = Object.keys(told);
		const calls = names.map((name) => ({ name: 'capability_start', input: { name, wait: name === 'waited' } }));
		const model = await startModelServer((n) => (n === 0 ? { toolCalls: calls } : { text: 'Well.' }));
		const host = new MemoryHost(
			{},
			{
				'capability.start': ({ opId, params }, progress) => {
					const { name } = params as { name: string };
					progress({ opId, kind: 'running' });
					progress({ opId, kind: 'steps', steps: [...(told[name] ?? [])] });
					const state = { executionId: `cap_${name}`, name, type: 'skill', status: 'running', startedAt: at };
					return name === 'waited' ? new Promise(() => {}) : Promise.resolve(state);
				},
			},
		);
		const options: ServerOptions = { home: tempDir('home'), host, modelUrl: model.baseUrl };
		const first = await ServerUnderTest.start(options);
		const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Run them' }, signal);
		await first.event((event) => event.type === 'item.step' && event.step.id === 4);
		await opened(first);
		await first.kill();

		const second = await ServerUnderTest.start(options);
		const { items } = await second.peer.call(threadRequests.open, { threadId: id }, signal);
		const cards = items.flatMap((item) => (item.kind === 'tool' ? [item] : []));
		assert.deepEqual(
			cards.map(({ status, steps = [] }) => [status, ...steps.map((each) => each.status)]),
			[
				['done'],
				['done', 'done', 'interrupted'],
				['done', 'done', 'interrupted', 'interrupted', 'interrupted'],
				['done', 'failed', 'cancelled'],
				['inDoubt', 'done', 'denied', 'interrupted', 'interrupted'],
			],
		);
		assert.deepEqual(
			cards.map(({ steps }) => steps?.at(-1)?.kind),
			[undefined, 'end', 'end', 'end', 'op'],
		);
		await second.stop();
		await model.close();
	});
});

/** Does what it is asked and never says so. */
class DeafHost extends MemoryHost {
	override async perform(...[request, onProgress, abort]: Parameters<MemoryHost['perform']>) {
		const outcome = await super.perform(request, onProgress, abort);
		return request.op === 'fs.write' ? new Promise<never>(() => {}) : outcome;
	}
}

function toolShown(server: ServerUnderTest): Promise<unknown> {
	return server.event((event) => event.type === 'item.start' && event.item.kind === 'tool');
}

/** Always the same message, as its writer would send it again. */
function steered(server: ServerUnderTest, threadId = server.updates[0]?.threadId as ThreadId): Promise<unknown> {
	return server.peer.call(threadRequests.steer, { threadId, text: STEERING, messageId }, signal);
}

async function steersBeforeWrite({ op }: OpRequest, server: ServerUnderTest): Promise<void> {
	if (op === 'fs.write') {
		await steered(server);
	}
}

async function opened(server: ServerUnderTest): Promise<void> {
	const [update] = server.updates;
	await server.peer.call(threadRequests.open, { threadId: update?.threadId as ThreadId }, signal);
}

function brief(item: ThreadItem): string {
	return item.kind === 'tool' ? `tool:${item.status}` : item.kind;
}
