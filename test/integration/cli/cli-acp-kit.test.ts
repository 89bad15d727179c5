/**
 * Requirements of the compatibility kit of the Agent Client Protocol for version 1, by the list in its README. cli-acp.test.ts has
 * those about sessions, turns, cancelling, options and content; acp-editor.ts checks that each line is valid.
 */
import assert from 'node:assert/strict';
import { methods, type RequestError } from '@agentclientprotocol/sdk';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
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
