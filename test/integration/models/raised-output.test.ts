/** After a call that the token limit cut off, the turn asks for more output where there is more: the real server, over HTTP. */
import assert from 'node:assert/strict';
import { modelRequests } from '../../../src/protocol/turn/models.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { type ModelServer, type ScriptEntry, startModelServer } from '../../support/model-server.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost } from '../../transcripts/memory-host.ts';
import { ServerUnderTest } from '../threads/server-under-test.ts';

const signal = new AbortController().signal;
/** Tokens at which the endpoint cuts an answer that asks for no limit. */
const OWN = 4_096;

const input = { path: 'long.txt', content: 'one\n' };
const cut = (output = OWN, prompt = 900): ScriptEntry => ({
	toolCalls: [{ name: 'fs_write', input: '{"path":"long.txt","content":"on' }],
	usage: { input: prompt, output },
	then: 'truncated',
});
const whole: ScriptEntry = { toolCalls: [{ name: 'fs_write', input }] };
const done: ScriptEntry = { text: 'So it is.' };
const refusal: ScriptEntry = { error: 400, message: 'max_tokens: 8192 > 4096, the maximum of output tokens' };

interface Given {
	/** Settings of the model in `prowess.models.settings`. */
	readonly known?: Record<string, unknown>;
	/** Fields of the model in the endpoint's list. */
	readonly listed?: Record<string, unknown>;
	readonly turns?: number;
}

describe('the limit of output after a call that was cut off', function () {
	this.timeout(60_000);
	let model: ModelServer | undefined;
	let server: ServerUnderTest | undefined;
	afterEach(async () => {
		await server?.stop();
		await model?.close();
	});

	/** Limit that each request asked for. */
	async function limits(script: readonly ScriptEntry[], { known, listed, turns = 1 }: Given = {}): Promise<unknown[]> {
		const list = { data: [{ id: 'scripted', ...listed }] };
		model = await startModelServer(script, { answers: { '/v1/models': list } });
		const baseUrl = model.baseUrl;
		server = await ServerUnderTest.startHere({
			home: tempDir('home'),
			host: new MemoryHost({}),
			modelUrl: baseUrl,
			settings: {
				'prowess.providers': [{ id: 'test', kind: 'openai-compatible', baseUrl, models: [] }],
				...(known !== undefined && { 'prowess.models.settings': { 'test/scripted': known } }),
			},
		});
		if (listed !== undefined) {
			await server.peer.call(modelRequests.list, {}, signal);
		}
		const { id: threadId } = await server.peer.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		for (let turn = 0; turn < turns; turn += 1) {
			const { turnId } = await server.peer.call(threadRequests.prompt, { threadId, text: 'Write the file' }, signal);
			await server.event((event) => event.type === 'turn.end' && event.turnId === turnId);
		}
		assert.equal(model.requests.length, script.length);
		return model.requests.map(({ body }) => body['max_tokens']);
	}

	it('is twice of what the answer had, until the end of the turn', async () => {
		assert.deepEqual(await limits([cut(), whole, done, done], { turns: 2 }), [undefined, 8_192, 8_192, undefined]);
	});

	it('rises again where that is not enough', async () => {
		assert.deepEqual(await limits([cut(), cut(8_192), whole, done]), [undefined, 8_192, 16_384, 16_384]);
	});

	it('is the one before where a second rise is refused', async () => {
		assert.deepEqual(await limits([cut(), cut(8_192), refusal, cut(8_192), whole, done]), [
			undefined,
			8_192,
			16_384,
			...[8_192, 8_192, 8_192],
		]);
	});

	it('is the maximum that the endpoint lists', async () => {
		assert.deepEqual(
			await limits([cut(), whole, done], { listed: { top_provider: { max_completion_tokens: 6_000 } } }),
			[undefined, 6_000, 6_000],
		);
	});

	it('stays at that maximum where an answer fills it, too', async () => {
		assert.deepEqual(await limits([cut(), cut(6_000), done], { listed: { max_completion_tokens: 6_000 } }), [
			undefined,
			6_000,
			6_000,
		]);
	});

	it('stays where the answer had the maximum already', async () => {
		assert.deepEqual(await limits([cut(), done], { listed: { max_completion_tokens: OWN } }), [undefined, undefined]);
		await server?.stop();
		await model?.close();
		assert.deepEqual(await limits([cut(500), whole, done], { known: { maxOutput: 500 } }), [500, 500, 500]);
	});

	it('stays below what the prompt leaves of the window, and as it was where that is no more', async () => {
		const known = { contextWindow: 32_000 };
		const [first, second] = await limits([cut(OWN, 25_000), done], { known });
		assert.deepEqual([first, second], [undefined, 7_000]);
		await server?.stop();
		await model?.close();
		assert.deepEqual(await limits([cut(OWN, 32_000 - OWN), done], { known }), [undefined, undefined]);
	});

	it('is the former again where the endpoint refuses it, in the turns that follow, too', async () => {
		assert.deepEqual(await limits([cut(), refusal, whole, done, cut(), done], { turns: 2 }), [
			undefined,
			8_192,
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});

	it('stays where nobody has counted what the answer had', async () => {
		const uncounted = { ...cut(), usage: null } as ScriptEntry;
		assert.deepEqual(await limits([uncounted, done]), [undefined, undefined]);
	});
});
