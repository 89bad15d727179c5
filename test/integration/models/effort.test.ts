/** Tests the effort of a model's thinking, chosen for a thread: the real CLI, its server, and an endpoint over HTTP. */
import assert from 'node:assert/strict';
import { Effort, type ProviderKind } from '../../../src/protocol/turn/models.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type RawEndpoint, startRawEndpoint } from '../../contracts/raw-endpoint.ts';
import { streamedText as streamed } from '../../contracts/streamed-text.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

describe('The effort of thinking', function () {
	this.timeout(2 * commandLimitMs);
	let server: ModelServer;
	let user: User;
	beforeEach(async () => {
		user = new User();
		server = await startModelServer(() => ({ text: 'Yes.' }));
	});
	afterEach(() => server.close());

	const asked = () => server.requests.map(({ body }) => body['reasoning_effort']);

	it('is refused as a wrong command where it is none', async () => {
		const result = await user.prompts(server.baseUrl, 'hi there', ['--effort', 'extreme']).ended;
		assert.equal(result.code, 2);
		assert.match(result.stderr, /--effort takes off, low, medium, high; got "extreme"/);
		assert.deepEqual(asked(), []);
	});

	it('is asked for in its thread alone, until it is chosen anew', async () => {
		const first = await user.prompts(server.baseUrl, 'Is water wet?', ['--json', '--effort', 'high']).ended;
		assert.equal(first.code, 0, first.stderr);
		const begun = eventsOf(first).find((event) => event.type === 'thread.changed');
		assert.ok(begun?.type === 'thread.changed');
		assert.equal(begun.info.effort, 'high');
		const thread = ['--thread', begun.info.id];
		await user.prompts(server.baseUrl, 'Is ice wet?', thread).ended;
		await user.prompts(server.baseUrl, 'Is fog wet?', [...thread, '--effort', 'off']).ended;
		await user.prompts(server.baseUrl, 'Is snow wet?').ended;
		assert.deepEqual(asked(), ['high', 'high', 'none', undefined]);
	});
});

/** A model of each vendor that thinks, and where it is told how hard. */
const thinkers: readonly (readonly [ProviderKind, string, (body: Record<string, unknown>) => unknown])[] = [
	[
		'anthropic',
		'claude-sonnet-4-5',
		({ thinking }) => (thinking as { budget_tokens: number } | undefined)?.budget_tokens,
	],
	['openai', 'gpt-5', ({ reasoning }) => (reasoning as { effort: string } | undefined)?.effort],
	[
		'google',
		'gemini-2.5-flash',
		({ generationConfig }) =>
			(generationConfig as { thinkingConfig: { thinkingBudget?: number } }).thinkingConfig.thinkingBudget,
	],
	['openai-compatible', 'qwen3', (body) => body['reasoning_effort']],
];
const expected: Readonly<Record<ProviderKind, readonly unknown[]>> = {
	anthropic: [undefined, 4_096, 10_240, 24_576, undefined],
	openai: ['minimal', 'low', 'medium', 'high', undefined],
	google: [0, 2_048, 8_192, 24_576, undefined],
	'openai-compatible': ['none', 'low', 'medium', 'high', undefined],
};

describe('The effort that the menu of models chooses', function () {
	this.timeout(60_000);
	const signal = new AbortController().signal;

	for (const [kind, model, effortIn] of thinkers) {
		it(`is asked for by the server, each in turn, until nothing is chosen any more: ${kind}`, async () => {
			const endpoint: RawEndpoint = await startRawEndpoint();
			endpoint.answers = [{ chunks: [streamed[kind]('Yes.')] }];
			const server = await ServerUnderTest.startHere({
				home: tempDir('home'),
				host: new MemoryHost({}),
				modelUrl: endpoint.baseUrl,
				settings: { 'prowess.providers': [{ id: 'p', kind, baseUrl: endpoint.baseUrl, models: [model] }] },
			});
			const { id: threadId } = await server.peer.call(threadRequests.create, { modelId: `p/${model}` }, signal);
			const seen: unknown[] = [];
			for (const effort of [...Effort.options, null]) {
				await server.peer.call(threadRequests.update, { threadId, effort }, signal);
				const before = server.updates.length;
				await server.peer.call(threadRequests.prompt, { threadId, text: 'Is water wet?' }, signal);
				await server.eventAfter(before, ({ type }) => type === 'turn.end');
				seen.push(effortIn(endpoint.requests.at(-1) ?? {}));
			}
			await server.stop();
			await endpoint.close();
			assert.deepEqual([seen, endpoint.requests.length], [expected[kind], 5]);
		});
	}
});
