/** Older messages that leave a thread, through real processes: the server is killed while they do, and the CLI asks for it. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import {
	type ModelServer,
	type RecordedRequest,
	type ScriptEntry,
	startModelServer,
} from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { commandLimitMs, User } from '../cli/cli-process.ts';
import { ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;
/** No two sentences are the same: a model that repeats itself is stopped. */
const story = Array.from({ length: 300 }, (_, n) => `It is a long story, told word by word ${n}. `).join('');
const long: ScriptEntry = { text: `The shop sells tea. ${story}` };

/** Never says what the summary is without its secrets. */
class SlowRedaction extends MemoryHost {
	readonly asked = Promise.withResolvers<void>();

	override redacted<T>(value: T): Promise<T> {
		if (!JSON.stringify(value).includes('Decided: the shop')) {
			return super.redacted(value);
		}
		this.asked.resolve();
		return new Promise(() => {});
	}
}

interface Kill {
	readonly at: string;
	readonly summary: ScriptEntry;
	readonly when: (server: ServerUnderTest, model: ModelServer, host: SlowRedaction) => Promise<unknown>;
	readonly isRedacting?: boolean;
	/** True when the messages are gone for the model afterwards. */
	readonly hasLeft: boolean;
}

const kills: readonly Kill[] = [
	{
		at: 'the model was asked for a summary',
		summary: { then: 'stall' },
		when: (_server, model) => model.request(2),
		hasLeft: false,
	},
	{
		at: 'half of the summary has come',
		summary: { chunks: ['Decided: ', 'tea'], then: 'stall' },
		when: (_server, model) => model.request(2),
		hasLeft: false,
	},
	{
		at: 'the summary is searched for secrets',
		summary: { text: 'Decided: the shop sells tea.' },
		when: (_server, _model, host) => host.asked.promise,
		isRedacting: true,
		hasLeft: false,
	},
	{
		at: 'the messages have left',
		summary: { text: 'Decided: the shop sells tea.' },
		when: (server) => server.event((event) => event.type === 'item.start' && event.item.kind === 'compaction'),
		hasLeft: true,
	},
];

describe('A server that is killed while older messages leave', () => {
	for (const { at, summary, when, isRedacting = false, hasLeft } of kills) {
		it(`when ${at} has them whole or has left them, never half`, async () => {
			const model = await startModelServer((n) => [long, summary][n] ?? { text: 'After the restart.' });
			const slow = new SlowRedaction({});
			const options = { home: tempDir('home'), host: new MemoryHost({}), modelUrl: model.baseUrl };
			const first = await ServerUnderTest.start({ ...options, host: isRedacting ? slow : options.host });
			const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
			await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Build the shop' }, signal);
			await first.event(({ type }) => type === 'turn.end');
			await first.peer.call(threadRequests.prompt, { threadId: id, text: '/compact' }, signal);
			await when(first, model, slow);
			await first.kill();

			const second = await ServerUnderTest.startHere(options);
			const snapshot = await second.peer.call(threadRequests.open, { threadId: id }, signal);
			const rows = snapshot.items.filter(({ kind }: ThreadItem) => kind === 'compaction');
			assert.equal(rows.length, hasLeft ? 1 : 0);
			assert.deepEqual([snapshot.turnId, snapshot.info.running], [null, false]);
			await second.peer.call(threadRequests.prompt, { threadId: id, text: 'And now?' }, signal);
			await second.event((event) => event.type === 'turn.end' && event.outcome === 'done');
			const messages = model.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
			const [, head] = messages;
			assert.match(
				head?.content ?? '',
				hasLeft ? /^Build the shop\n[\s\S]*Decided: the shop sells tea\./ : /^Build the shop$/,
			);
			assert.equal(
				messages.some(({ role, content }) => role === 'assistant' && content.startsWith('The shop sells tea.')),
				!hasLeft,
			);
			await second.stop();
			await model.close();
		});
	}

	const parts = Array.from(
		{ length: 40 },
		(_, n) => [`part-${n}`, `Part ${n}. ${story.replaceAll('word by', `${n} by`)}`] as const,
	);
	const isForSummary = ({ body }: RecordedRequest) =>
		JSON.stringify(body['messages']).includes('You summarize the older part');
	for (const [at, isKilledAt] of [
		['in the middle of a turn, while it waits for the summary', isForSummary],
		[
			'in the middle of a turn, once it goes on without them',
			({ body }: RecordedRequest) => JSON.stringify(body['messages']).includes('Decided: the shop sells tea.'),
		],
	] as const) {
		it(`${at}, keeps the task and goes on with the next message`, async () => {
			const killed = Promise.withResolvers<void>();
			let isKilled = false;
			const model = await startModelServer((n, request) => {
				if (!isKilled && isKilledAt(request)) {
					isKilled = true;
					killed.resolve();
					return { then: 'stall' };
				}
				return isForSummary(request)
					? { text: 'Decided: the shop sells tea.' }
					: isKilled
						? { text: 'After the restart.' }
						: { toolCalls: [{ name: 'fs_read', input: { path: `part-${n}` }, callId: `call_${n}` }] };
			});
			const options = {
				home: tempDir('home'),
				host: new MemoryHost(Object.fromEntries(parts)),
				modelUrl: model.baseUrl,
				settings: { 'prowess.models.settings': { 'test/scripted': { contextWindow: 16_384 } } },
			};
			const first = await ServerUnderTest.start(options);
			const { id } = await first.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
			await first.peer.call(threadRequests.prompt, { threadId: id, text: 'Build the shop' }, signal);
			await killed.promise;
			await first.kill();

			const second = await ServerUnderTest.startHere(options);
			await second.peer.call(threadRequests.open, { threadId: id }, signal);
			await second.peer.call(threadRequests.prompt, { threadId: id, text: 'And now?' }, signal);
			await second.event((event) => event.type === 'turn.end' && event.outcome === 'done');
			const messages = model.requests.at(-1)?.body['messages'] as { role: string; content: string }[];
			assert.match(messages[1]?.content ?? '', /^Build the shop\n[\s\S]*Decided: the shop sells tea\./);
			assert.match(messages.at(-1)?.content ?? '', /^And now\?/);
			const { items } = await second.peer.call(threadRequests.open, { threadId: id }, signal);
			assert.equal(items.filter(({ kind }: ThreadItem) => kind === 'compaction').length, 1);
			await second.stop();
			await model.close();
		});
	}
});

describe('prowess run: older messages', function () {
	this.timeout(commandLimitMs);

	it('leave on /compact: the summary stands in for them, without a secret in it', async () => {
		const user = new User();
		const secret = `ghp_${'a1B2'.repeat(9)}`;
		const server = await startModelServer([long, { text: `Decided: tea. The token is ${secret}.` }, { text: 'Done.' }]);
		const first = await user.prompts(server.baseUrl, 'Build the shop', ['--json']).ended;
		const thread = (/"id":"(thr_[^"]+)"/.exec(first.stdout)?.[1] ?? '') as ThreadId;
		const compacted = await user.prompts(server.baseUrl, '/compact the prices', ['--json', '--thread', thread]).ended;
		assert.equal(compacted.code, 0, compacted.stderr);
		assert.match(compacted.stdout, /"kind":"compaction","messages":2,"text":"Decided: tea\. The token is [^"]*"/);
		assert.doesNotMatch(compacted.stdout, new RegExp(secret));
		const last = await user.prompts(server.baseUrl, 'Go on', ['--thread', thread]).ended;
		assert.equal(last.code, 0, last.stderr);
		const messages = JSON.stringify(server.requests[2]?.body['messages']);
		assert.match(messages, /Build the shop[\s\S]*Decided: tea\.[\s\S]*Go on/);
		assert.doesNotMatch(messages, /long story|\/compact/);
		assert.match(JSON.stringify(server.requests[1]?.body['messages']), /kept above all: the prices/);
		assert.doesNotMatch(messages, new RegExp(secret));
		await server.close();
	});
});
