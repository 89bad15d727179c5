/**
 * Requirements of the compatibility kit of the Agent Client Protocol for version 1 (agentclientprotocol/acp-tck), named by its ids
 * where they are not those of a whole spec. cli-acp.test.ts has those about content, replay and trust; acp-editor.ts checks that
 * each line is valid (TRANSPORT, SCHEMA). Sound, further folders and logout are not offered (PROMPTCAP-002, ADDDIRS, AUTH-004).
 */
import assert from 'node:assert/strict';
import { methods, type RequestError } from '@agentclientprotocol/sdk';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { LinesHere } from '../../support/lines-here.ts';
import { waitFor } from '../../support/wait-for.ts';
import { AcpEditor } from './acp-editor.ts';
import { commandLimitMs, User } from './cli-process.ts';

const { initialize, session } = methods.agent;

describe('prowess acp, as the compatibility kit asks', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer;
	let editor: AcpEditor | undefined;
	beforeEach(() => {
		user = new User();
		user.trusts();
	});
	afterEach(async () => {
		editor?.child.kill('SIGKILL');
		await editor?.ended;
		await model.close();
	});

	async function starts(script: Script): Promise<AcpEditor> {
		model = await startModelServer(script);
		const words = ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
		editor = new AcpEditor(user, words);
		return editor;
	}
	async function refusal(by: AcpEditor, method: string, params: object): Promise<RequestError> {
		return await by.agent.request(method, params).then(
			() => assert.fail(`${method} was taken`),
			(error: RequestError) => error,
		);
	}

	it('begins with a greeting in the version that both speak, and takes nothing before it', async () => {
		const greeted = await starts([{ text: 'Hello.' }]);
		const opening = { cwd: user.workspace, mcpServers: [] };
		assert.equal((await refusal(greeted, session.new, opening)).code, -32_600);
		for (const protocolVersion of [0, 2, 65_535]) {
			const answer = await greeted.agent.request(initialize, { protocolVersion });
			assert.equal(answer.protocolVersion, 1);
		}
		assert.equal((await refusal(greeted, initialize, { protocolVersion: 'one' })).code, -32_602);
		const { agentCapabilities, agentInfo, authMethods } = await greeted.initialize();
		assert.deepEqual(agentCapabilities?.promptCapabilities, { image: true, audio: false, embeddedContext: true });
		assert.equal(agentInfo?.name, 'prowess');
		assert.equal((await refusal(greeted, 'authenticate', { methodId: 'none' })).code, -32_602);
		assert.equal(authMethods?.length, 1);
		await greeted.leaves();
	});

	it('answers each request once, also one with a name of its own, and passes over what it does not know', async () => {
		const greeted = await starts([{ text: 'Hello.' }]);
		const more = { _meta: { 'example.org/debug': { on: true } }, whoKnows: [1] };
		await greeted.agent.request(initialize, { protocolVersion: 1, ...more });
		const { sessionId } = await greeted.agent.request(session.new, { cwd: user.workspace, mcpServers: [], ...more });
		assert.equal((await refusal(greeted, '_example.org/hello', { name: 'x' })).code, -32_601);
		assert.equal((await refusal(greeted, session.setMode, { sessionId, modeId: 'none' })).code, -32_602);
		const option = { sessionId, configId: 'none', value: 'x' };
		assert.equal((await refusal(greeted, session.setConfigOption, option)).code, -32_602);
		// Notifications have no answer, whatever they say.
		await greeted.agent.notify('_example.org/hello', {});
		for (const id of [sessionId, sessionId, 'none']) await greeted.agent.notify(session.cancel, { sessionId: id });
		const prompt = [{ type: 'text', text: 'hello', _meta: { 'example.org/x': 1 } }];
		const ended: unknown = await greeted.agent.request(session.prompt, { sessionId, prompt, ...more });
		assert.deepEqual(ended, { stopReason: 'end_turn' });
		const ids = greeted.lines.flatMap((line) => {
			const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: string };
			return id === undefined || method !== undefined ? [] : [id];
		});
		assert.equal(new Set(ids).size, ids.length);
		assert.equal(ids.length, 6);
		await greeted.leaves();
	});

	it('tells nothing of a turn after its end, which a closed session has, too, and forgets a session once or twice', async () => {
		const stalled = { text: 'A word, and', then: 'stall' } as const;
		const greeted = await starts([stalled, stalled]);
		await greeted.initialize();
		const { sessionId } = await greeted.opens(user.workspace);
		const isWord = (line: string) => line.includes('A word');
		const first = greeted.says(sessionId, 'talk');
		await greeted.has('words', () => greeted.lines.some(isWord));
		await greeted.agent.notify(session.cancel, { sessionId });
		assert.deepEqual(await first, { stopReason: 'cancelled' });
		const atEnd = greeted.lines.length;
		const second = greeted.says(sessionId, 'talk again');
		await greeted.has('words again', () => greeted.lines.filter(isWord).length > 1);
		// CLOSE-002: as if it was cancelled.
		assert.deepEqual(await greeted.agent.request(session.close, { sessionId }), {});
		assert.deepEqual(await second, { stopReason: 'cancelled' });
		assert.equal(greeted.lines.slice(atEnd).filter(isWord).length, 1);
		// RESUME-001: without a list of servers.
		await greeted.agent.request(session.resume, { sessionId, cwd: user.workspace });
		// DELETE-002: what is not there any more is deleted.
		for (const id of [sessionId, sessionId, 'none']) {
			assert.deepEqual(await greeted.agent.request(session.delete, { sessionId: id }), {});
		}
		// PROMPT-002
		const told = greeted.lines.flatMap((line) => {
			const { method, params } = JSON.parse(line) as { method?: string; params?: { sessionId?: string } };
			return method === methods.client.session.update ? [params?.sessionId] : [];
		});
		assert.deepEqual([...new Set(told)], [sessionId]);
		await greeted.leaves();
	});

	it('gives each session its own id, and all of its options with each change, none of a kind that the editor does not know', async () => {
		const greeted = await starts([{ text: 'Hello.' }]);
		await greeted.initialize();
		const opened = [await greeted.opens(user.workspace), await greeted.opens(user.workspace)] as const;
		assert.notEqual(opened[0].sessionId, opened[1].sessionId);
		const [{ sessionId, modes, configOptions }] = opened;
		assert.ok(modes?.availableModes.some(({ id }) => id === modes.currentModeId));
		assert.ok(configOptions !== undefined && configOptions !== null);
		for (const option of configOptions) {
			assert.equal(option.type, 'select');
			assert.ok(JSON.stringify(option.options).includes(`"value":${JSON.stringify(option.currentValue)}`), option.id);
		}
		const changed = await greeted.agent.request(session.setConfigOption, {
			sessionId,
			configId: 'level',
			value: 'manual',
		});
		assert.deepEqual(
			changed.configOptions.map(({ id, currentValue }) => [id, currentValue]),
			configOptions.map(({ id, currentValue }) => [id, id === 'level' ? 'manual' : currentValue]),
		);
		await greeted.leaves();
	});

	it('answers under the id that a request has, a number or a word, and says what is wrong on one line', async () => {
		await starts([{ text: 'Hello.' }]);
		const heard: { readonly id?: unknown; readonly error?: { readonly message: string } }[] = [];
		const lines = new LinesHere(user.startsHere(['acp'], { isProgram: true }));
		lines.onmessage = (message: never) => void heard.push(message);
		await lines.start();
		const params = { protocolVersion: 1 };
		for (const id of [7, 'seven', '7']) await lines.send({ jsonrpc: '2.0', id, method: initialize, params });
		await lines.send({ jsonrpc: '2.0', id: 'bad', method: session.new, params: { cwd: 7 } });
		await lines.send({ jsonrpc: '2.0', id: 'unknown', method: 'session/fly' });
		await waitFor('all answers', () => heard.length === 5);
		assert.deepEqual(
			heard.map(({ id }) => id),
			[7, 'seven', '7', 'bad', 'unknown'],
		);
		for (const { error } of heard.slice(3)) assert.match(error?.message ?? '', /^[^\n]+$/);
		await lines.close();
	});

	it('asks an editor that offers nothing for no file, no form and no terminal', async () => {
		user.writes('a.txt', 'one\n');
		const edit = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
		const ask = { name: 'user_ask', input: { question: 'Which one?', options: ['red', 'blue'] } };
		const run = { name: 'shell_run', input: { argv: ['cat', 'a.txt'] } };
		const greeted = await starts([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }, edit] },
			{ toolCalls: [ask] },
			{ toolCalls: [run] },
			{ text: 'Done.' },
		]);
		await greeted.initialize();
		const { sessionId } = await greeted.opens(user.workspace);
		assert.deepEqual(await greeted.says(sessionId, 'edit it, ask me, show it'), { stopReason: 'end_turn' });
		const asked = greeted.lines.flatMap((line) => (JSON.parse(line) as { readonly method?: string }).method ?? []);
		assert.deepEqual([...new Set(asked)].toSorted(), [
			methods.client.session.requestPermission,
			methods.client.session.update,
		]);
		await greeted.leaves();
	});
});
