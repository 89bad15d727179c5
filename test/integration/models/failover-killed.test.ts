/**
 * Tests a server that is killed in each state of the failover, as by a crash or the system's memory killer. The next
 * server asks nobody anything by itself, repeats no effect, gives the turn its one outcome, and goes on from what was
 * there.
 */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadEvent } from '../../../src/protocol/thread/thread.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { traceRequests } from '../../../src/protocol/thread/turn-trace.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { type ServerOptions, ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
const call: ScriptEntry = { toolCalls: [{ name: 'fs_write', input: { path: 'made.txt', content: 'once\n' } }] };
const noCredit: ScriptEntry = { error: 402, message: 'Insufficient credits' };
const wrong: ScriptEntry = { error: 400, message: 'bad tool' };
const busy: ScriptEntry = { error: 429, message: 'slow down', headers: { 'retry-after': '50' } };
const silence: ScriptEntry = { then: 'stall' };

interface Killed {
	readonly server: ServerUnderTest;
	readonly first: ModelServer;
	readonly second: ModelServer;
	readonly threadId: ThreadId;
	/** Resolves when the editor, whose models take for ever to be listed, was asked for them. */
	readonly editorAsked: Promise<void>;
}

interface Moment {
	readonly state: string;
	readonly chosen?: string;
	/** Models that take over, in their order; else the second one. */
	readonly fallback?: readonly string[];
	readonly first: readonly ScriptEntry[];
	readonly second?: readonly ScriptEntry[];
	readonly hostIsSlow?: true;
	/** Resolves when it is time to kill. */
	readonly when: (killed: Killed) => Promise<unknown>;
	readonly outcome: 'interrupted' | 'failed' | 'stopped';
	/** Requests that each provider has had. */
	readonly asked: readonly [number, number];
	readonly writes?: number;
}

const ended = ({ type }: ThreadEvent) => type === 'turn.end';
const waits = (event: ThreadEvent) =>
	event.type === 'item.start' && event.item.kind === 'notice' && event.item.attempt?.waitMs !== undefined;

const moments: readonly Moment[] = [
	{
		state: 'Idle: the chosen model is being looked up',
		chosen: 'editor/m',
		first: [],
		when: ({ editorAsked }) => editorAsked,
		outcome: 'interrupted',
		asked: [0, 0],
	},
	{
		state: 'Selecting: the model that takes over is being looked up',
		fallback: ['editor', 'second'],
		first: [noCredit],
		when: ({ editorAsked }) => editorAsked,
		outcome: 'interrupted',
		asked: [1, 0],
	},
	{
		state: 'Attempting: the first provider has said nothing',
		first: [silence],
		when: ({ first }) => first.request(1),
		outcome: 'interrupted',
		asked: [1, 0],
	},
	{
		state: 'Attempting: the first provider is in the middle of its text',
		first: [{ text: 'Half of it', then: 'stall' }],
		when: ({ server }) => server.event(({ type }) => type === 'item.delta'),
		outcome: 'interrupted',
		asked: [1, 0],
	},
	{
		state: 'Retrying: the first provider wants patience',
		first: [busy],
		when: ({ server }) => server.event(waits),
		outcome: 'interrupted',
		asked: [1, 0],
	},
	{
		state: 'Retrying: the first provider wants patience after a tool has run',
		first: [call, busy],
		when: ({ server }) => server.event(waits),
		outcome: 'interrupted',
		asked: [2, 0],
		writes: 1,
	},
	{
		state: 'Attempting: the second provider is asked after a tool has run',
		first: [call, noCredit],
		second: [silence],
		when: ({ second }) => second.request(1),
		outcome: 'interrupted',
		asked: [2, 1],
		writes: 1,
	},
	{
		state: 'Succeeded: the second provider has answered, and its call runs',
		first: [noCredit],
		second: [call],
		hostIsSlow: true,
		when: ({ server }) => server.event((event) => event.type === 'item.start' && event.item.kind === 'tool'),
		outcome: 'interrupted',
		asked: [1, 1],
		writes: 1,
	},
	{
		state: 'Exhausted: no provider could answer',
		first: [call, noCredit],
		second: [noCredit],
		when: ({ server }) => server.event(ended),
		outcome: 'failed',
		asked: [2, 1],
		writes: 1,
	},
	{
		state: 'Aborted: the request itself was at fault',
		first: [call, wrong],
		when: ({ server }) => server.event(ended),
		outcome: 'failed',
		asked: [2, 0],
		writes: 1,
	},
	{
		state: 'Aborted: the user stopped the wait',
		first: [busy],
		when: async ({ server, threadId }) => {
			await server.event(waits);
			await server.peer.call(threadRequests.stop, { threadId }, signal);
			await server.event(ended);
		},
		outcome: 'stopped',
		asked: [1, 0],
	},
];

describe('A server that is killed in a state of the failover', function () {
	this.timeout(30_000);

	for (const moment of moments) {
		it(`${moment.state}: is followed by one that repeats nothing`, async () => {
			const {
				first: script,
				second: secondScript = [],
				chosen = 'first/m',
				fallback = ['second'],
				writes = 0,
			} = moment;
			const first = await startModelServer(script);
			const second = await startModelServer((n) => secondScript[n] ?? { text: 'After the restart.' });
			const asked = () => [first.requests.length, second.requests.length];
			const slow = { 'fs.write': () => new Promise<never>(() => {}) };
			const host = new MemoryHost({}, moment.hostIsSlow === true ? slow : {});
			const written = () => host.performed.filter(({ op }) => op === 'fs.write').length;
			const editorAsked = Promise.withResolvers<void>();
			const provider = (id: string, { baseUrl }: ModelServer) => ({
				id,
				baseUrl,
				kind: 'openai-compatible',
				models: ['m'],
			});
			const options: ServerOptions = {
				home: tempDir('home'),
				host,
				modelUrl: first.baseUrl,
				settings: {
					'prowess.providers': [provider('first', first), provider('second', second)],
					'prowess.models.fallback': fallback.map((id) => ({ provider: id, model: 'm' })),
				},
				editorModels: () => {
					editorAsked.resolve();
					return new Promise(() => {});
				},
			};
			const server = await ServerUnderTest.start(options);
			const created = await server.peer.call(threadRequests.create, { modelId: chosen }, signal);
			const threadId = created.id as ThreadId;
			await server.peer.call(threadRequests.prompt, { threadId, text: 'Make the file' }, signal);
			await moment.when({ server, first, second, threadId, editorAsked: editorAsked.promise });
			await server.kill();

			const next = await ServerUnderTest.start(options);
			const { turnId, info, items } = await next.peer.call(threadRequests.open, { threadId, items: 1000 }, signal);
			assert.deepEqual([turnId, info.running], [null, false]);
			assert.deepEqual([asked(), written()], [moment.asked, writes]);
			const { turns } = await next.peer.call(traceRequests.list, { threadId }, signal);
			assert.deepEqual(
				turns.map(({ status, endedAt }) => [status, endedAt !== null]),
				[[moment.outcome, true]],
			);
			const ends = items.filter((item) => item.kind === 'notice' && item.attempt === undefined);
			assert.equal(ends.length, 1, JSON.stringify(ends));

			await next.peer.call(threadRequests.update, { threadId, modelId: 'second/m' }, signal);
			await next.peer.call(threadRequests.prompt, { threadId, text: 'Go on' }, signal);
			await next.event((event) => event.type === 'turn.end' && event.outcome === 'done');
			const [toFirst, toSecond] = moment.asked;
			assert.deepEqual([asked(), written()], [[toFirst, toSecond + 1], writes]);
			const told = second.requests.at(-1)?.text ?? '';
			assert.equal(told.split('Make the file').length - 1, 1);
			assert.equal(told.split('"role":"tool"').length - 1, writes);
			await next.stop();
			await Promise.all([first.close(), second.close()]);
		});
	}
});
