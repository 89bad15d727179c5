/** Model servers of one's own say how much context a model has: the real CLI, its server, and endpoints over HTTP. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llamaCpp, lmStudio, olderOllama, ollama } from '../../support/local-servers.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { type CliResult, commandLimitMs, eventsOf, User } from '../cli/cli-process.ts';

const DEFAULT = 128_000;

describe('the context window of a model server', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer;
	beforeEach(() => {
		user = new User();
	});
	afterEach(async () => {
		await server.close();
	});

	const windowIn = (result: CliResult) =>
		eventsOf(result)
			.flatMap((event) => (event.type === 'usage' ? [event.usage.contextWindow] : []))
			.at(-1);
	const noticesIn = (result: CliResult) =>
		eventsOf(result).flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.text] : [],
		);
	const says = async (words: readonly string[] = []) => {
		const result = await user.prompts(server.baseUrl, 'Look at the prices', ['--json', ...words]).ended;
		assert.equal(result.code, 0, result.stderr);
		return result;
	};
	const doctorSays = async () =>
		(await user.runs(['doctor', '--provider', 'openai-compatible', '--base-url', server.baseUrl])).stdout;

	it('is nothing that another endpoint is asked for', async () => {
		const { answers } = ollama({ loaded: 4_096, most: 32_768 });
		const all = { ...answers, ...lmStudio({ loaded: 1_000, most: 2_000 }).answers, ...llamaCpp(1_000).answers };
		server = await startModelServer([{ text: 'hi' }], { answers: all });
		assert.equal(windowIn(await says()), DEFAULT);
		assert.deepEqual(server.asked, []);
		assert.equal(server.requests.length, 1);
	});

	for (const [what, said] of [
		['refuses to say it', 500],
		['sends something else', ['no', { window: true }]],
		['never answers', 'stall'],
	] as const) {
		it(`stays the usual one where the server ${what}, and the turn ends`, async () => {
			const { answers, ...marks } = ollama({ loaded: 4_096, most: 32_768 });
			server = await startModelServer([{ text: 'hi' }], { ...marks, answers: { ...answers, '/api/ps': said } });
			const result = await says();
			assert.equal(windowIn(result), DEFAULT);
			assert.deepEqual(noticesIn(result), []);
			assert.doesNotMatch(await doctorSays(), /Ollama/);
		});
	}

	it('counts as Ollama runs the model; the user is told once what to set, and the doctor tells who said it', async () => {
		server = await startModelServer([{ text: 'hi' }, { text: 'hi' }], ollama({ loaded: 4_096, most: 131_072 }));
		const first = await says();
		assert.equal(windowIn(first), 4_096);
		assert.equal(noticesIn(first).length, 1);
		assert.match(noticesIn(first)[0] ?? '', /OLLAMA_CONTEXT_LENGTH/);
		assert.deepEqual(server.asked.toSorted(), ['/api/ps', '/api/show']);
		assert.match(await doctorSays(), /4,096 tokens, as Ollama runs it; it can take 131,072/);
		const second = await says();
		assert.deepEqual(noticesIn(second), []);
		assert.equal(windowIn(second), 4_096);
	});

	it('is kept to in the requests of the next turn, also by a new process', async () => {
		server = await startModelServer(
			[{ text: Array.from({ length: 10_000 }, (_, n) => `x${n} `).join('') }, { text: 'hi' }],
			ollama({ loaded: 8_192, most: 8_192 }),
		);
		const first = await says();
		const thread =
			eventsOf(first).flatMap((event) => (event.type === 'thread.changed' ? [event.info.id] : []))[0] ?? '';
		await says(['--thread', thread]);
		assert.ok(server.requests[1] !== undefined && server.requests[1].text.length < 45_000);
	});

	it('is asked once for all answers of a process', async () => {
		user.writes('a.txt', 'one\n');
		const read = { toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] };
		server = await startModelServer([read, { text: 'hi' }], llamaCpp(16_384));
		assert.equal(windowIn(await says()), 16_384);
		assert.deepEqual(server.asked, ['/props']);
	});

	for (const [who, options, tokens] of [
		['LM Studio', lmStudio({ loaded: 6_144, most: 32_768 }), 6_144],
		['llama.cpp', llamaCpp(12_288), 12_288],
		['Ollama, an older one', olderOllama(10_240), 10_240],
	] as const) {
		it(`counts as ${who} says`, async () => {
			server = await startModelServer([{ text: 'hi' }], options);
			assert.equal(windowIn(await says()), tokens);
		});
	}

	function wants(contextWindow: number): void {
		const set = { 'prowess.models.settings': { 'openai-compatible/scripted': { contextWindow } } };
		mkdirSync(user.home, { recursive: true });
		writeFileSync(join(user.home, 'settings.json'), JSON.stringify(set));
	}

	it('is told to Ollama from the first request on where the user has set one', async () => {
		wants(32_000);
		user.writes('a.txt', 'the price is 7\n');
		const read = { toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] };
		server = await startModelServer([read, { text: 'Seven.' }], ollama({ loaded: 32_000, most: 131_072 }));
		const result = await says();
		assert.deepEqual(
			server.requests.map(({ path, body }) => [path, body['options']]),
			[
				['/api/chat', { num_ctx: 32_000 }],
				['/api/chat', { num_ctx: 32_000 }],
			],
		);
		assert.match(server.requests[1]?.text ?? '', /"role":"tool","tool_name":"fs_read","content":"[^"]*the price is 7/);
		assert.deepEqual([windowIn(result), noticesIn(result)], [32_000, []]);
	});

	it('is told to nobody else', async () => {
		wants(32_000);
		server = await startModelServer([{ text: 'hi' }], llamaCpp(12_288));
		await says();
		assert.deepEqual(
			server.requests.map(({ path }) => path),
			['/v1/chat/completions'],
		);
		assert.doesNotMatch(server.requests[0]?.text ?? '', /num_ctx/);
	});

	it('is the one of the settings where the user has set one; that Ollama runs with less is told all the same', async () => {
		wants(32_000);
		server = await startModelServer([{ text: 'hi' }], ollama({ loaded: 4_096, most: 131_072 }));
		const result = await says();
		assert.equal(windowIn(result), 32_000);
		assert.equal(noticesIn(result).length, 1);
	});
});
