import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type McpServer,
	methods,
	type RequestError,
	type ResumeSessionRequest,
} from '@agentclientprotocol/sdk/experimental/v2';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { AcpDraftEditor } from './acp-draft-editor.ts';
import { AcpEditor } from './acp-editor.ts';
import { commandLimitMs, User } from './cli-process.ts';

const { session } = methods.agent;
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

describe('prowess acp --protocol 2', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let model: ModelServer;
	let editor: AcpDraftEditor | undefined;
	beforeEach(() => {
		user = new User();
		user.trusts();
	});
	afterEach(async () => {
		editor?.child.kill('SIGKILL');
		await editor?.ended;
		await model.close();
	});

	async function words(script: Script): Promise<string[]> {
		model = await startModelServer(script);
		return ['--provider', 'openai-compatible', '--base-url', model.baseUrl, '--model', 'scripted'];
	}
	async function starts(script: Script, answer?: string): Promise<AcpDraftEditor> {
		editor = new AcpDraftEditor(user, await words(script), answer);
		return editor;
	}
	async function refusal(asked: Promise<unknown>): Promise<RequestError> {
		return await asked.then(
			() => assert.fail('it was taken'),
			(error: RequestError) => error,
		);
	}

	it('refuses what version 2 does not have, and what comes out of turn', async () => {
		const draft = await starts([{ text: 'Hello.' }]);
		const { agent } = draft;
		await draft.initialize();
		for (const method of ['_example.org/hello', 'session/load', 'session/set_mode', 'authenticate', 'logout']) {
			const params = { sessionId: 'none', cwd: user.workspace, mcpServers: [], modeId: 'ask', methodId: 'none' };
			assert.equal((await refusal(agent.request(method, params))).code, -32_601, method);
		}
		assert.equal((await refusal(draft.says('none', 'hello'))).code, -32_002);
		const { sessionId } = await draft.opens(user.workspace);
		const cwd = user.workspace;
		const again: ResumeSessionRequest = { sessionId, cwd, replayFrom: { type: '_middle' } };
		assert.equal((await refusal(agent.request(session.resume, again))).code, -32_602);
		const server: McpServer = { type: '_sse', name: 'x', url: 'http://127.0.0.1:9' };
		assert.equal((await refusal(agent.request(session.new, { cwd, mcpServers: [server] }))).code, -32_602);
		assert.equal((await refusal(agent.request(session.prompt, { sessionId, prompt: [] }))).code, -32_602);
		assert.deepEqual(draft.states, []);
		await draft.leaves();
	});

	it('denies and records what an editor was asked about that is killed meanwhile', async () => {
		const draft = await starts([{ toolCalls: [write] }, { text: 'Denied.' }], 'never');
		await draft.initialize();
		const { sessionId } = await draft.opens(user.workspace);
		await draft.says(sessionId, 'write it');
		await draft.has('a question', () => draft.asked.length === 1);
		// All that a process sees of a killed client: its pipes are closed.
		draft.child.stdin?.destroy();
		draft.child.stdout?.destroy();
		await draft.ended;
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		const { stdout } = await user.runs(['ledger', 'list', '--json', '--op', 'fs.write']);
		assert.deepEqual(
			(JSON.parse(stdout) as LedgerRow[]).map(({ kind }) => kind),
			['denial'],
		);
	});

	it('takes one prompt at a time, and ends it as cancelled while a question is open', async () => {
		const draft = await starts([{ toolCalls: [write] }], 'never');
		await draft.initialize();
		const { sessionId } = await draft.opens(user.workspace);
		await draft.says(sessionId, 'write it');
		await draft.has('a question', () => draft.asked.length === 1);
		assert.equal((await refusal(draft.says(sessionId, 'and this'))).code, -32_600);
		assert.deepEqual(draft.states, ['running', 'requires_action']);
		await draft.agent.notify(session.cancel, { sessionId });
		await draft.stops(1);
		assert.equal(draft.states.at(-1), 'idle cancelled');
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		await draft.leaves();
	});

	it('says of a turn that fails why it ended, and of a folder that nobody trusts why no turn began', async () => {
		const draft = await starts([{ error: 400, message: 'no' }], 'deny');
		await draft.initialize();
		const { sessionId } = await draft.opens(user.workspace);
		await draft.says(sessionId, 'talk');
		await draft.stops(1);
		const [end] = draft.of('state_update').filter(({ state }) => state === 'idle') as unknown as [{ error: unknown }];
		assert.match(JSON.stringify(end), /refused the request: no.*"stopReason":"error"/);
		const other = join(user.root, 'other');
		user.writes('../other/a.txt', 'one\n');
		const opened = await draft.opens(other);
		const error = await refusal(draft.says(opened.sessionId, 'talk'));
		assert.match(JSON.stringify(error.data), /WORKSPACE_UNTRUSTED/);
		assert.deepEqual(draft.states.slice(2), ['requires_action', 'running', 'idle']);
		await draft.leaves();
	});

	it('serves a thread from its first prompt to its end: calls, permission, diff, form, options, list, replay, close', async () => {
		user.writes('a.txt', 'one\n');
		const edit = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
		const ask = { name: 'user_ask', input: { question: 'Which one?', options: ['red', 'blue'] } };
		const draft = await starts([
			{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }, edit] },
			{ toolCalls: [write, ask] },
			{ text: 'Done.' },
		]);
		const greeting = await draft.initialize({ elicitation: { form: {} } });
		assert.equal(greeting.protocolVersion, 2);
		assert.equal(greeting.info.name, 'prowess');
		const { sessionId, configOptions } = await draft.opens(user.workspace);
		assert.deepEqual(
			configOptions?.map(({ configId }) => configId),
			['mode', 'model', 'effort', 'level'],
		);
		const { messageId } = await draft.says(sessionId, 'change it');
		await draft.stops(1);
		const [said] = draft.of('user_message');
		assert.deepEqual(said, {
			sessionUpdate: 'user_message',
			messageId,
			content: [{ type: 'text', text: 'change it' }],
		});
		// Two permissions and a form.
		const asked = ['requires_action', 'running'];
		assert.deepEqual(draft.states, ['running', ...asked, ...asked, ...asked, 'idle end_turn']);
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'two\n');
		assert.equal(readFileSync(join(user.workspace, 'new.txt'), 'utf8'), 'hello\n');
		const calls = draft.of('tool_call_update');
		const kinds = new Map(calls.map(({ toolCallId, kind }) => [toolCallId, kind]));
		assert.deepEqual([...kinds.values()].slice(0, 3), ['read', 'edit', 'edit']);
		const diffs = calls.flatMap(({ content }) => (content ?? []).filter(({ type }) => type === 'diff'));
		assert.deepEqual(diffs, [
			{
				type: 'diff',
				changes: [{ operation: 'modify', path: join(user.workspace, 'a.txt'), fileType: 'text' }],
				patch: {
					format: 'git_patch',
					text: 'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n',
				},
			},
			{
				type: 'diff',
				changes: [{ operation: 'add', path: join(user.workspace, 'new.txt'), fileType: 'text' }],
				patch: {
					format: 'git_patch',
					text: 'diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+hello\n',
				},
			},
		]);
		assert.equal(draft.asked.length, 2);
		assert.ok(draft.asked.every(({ subject }) => subject?.type === 'tool_call'));

		const set = { sessionId, configId: 'mode', type: 'id', value: 'plan' } as const;
		const changed = await draft.agent.request(session.setConfigOption, set);
		const mode = changed.configOptions.find(({ configId }) => configId === 'mode');
		assert.match(JSON.stringify(mode), /"currentValue":"plan"/);
		const { sessions } = await draft.agent.request(session.list, { cwd: user.workspace });
		assert.deepEqual(
			sessions.map((each) => each.sessionId),
			[sessionId],
		);

		await draft.agent.request(session.close, { sessionId });
		assert.equal((await refusal(draft.says(sessionId, 'more'))).code, -32_002);
		const before = draft.updates.length;
		await draft.agent.request(session.resume, { sessionId, cwd: user.workspace, replayFrom: { type: 'start' } });
		const replayed = draft.updates.slice(before);
		assert.deepEqual(draft.of('user_message').slice(1), [said]);
		assert.match(JSON.stringify(replayed), /Done\./);
		await draft.has('the state', () => draft.states.at(-1) === 'idle');
		await draft.agent.request(session.delete, { sessionId });
		await draft.leaves();
	});

	it('leaves an editor of version 1 alone, and without the option answers one of version 2 with version 1', async () => {
		const asks = await words(() => ({ text: 'Hello.' }));
		for (const offered of [[], ['--protocol', '2']]) {
			const first = new AcpEditor(user, [...asks, ...offered]);
			const { protocolVersion } = await first.agent.request(methods.agent.initialize, {
				protocolVersion: offered.length === 0 ? 2 : 1,
			});
			assert.equal(protocolVersion, 1);
			const { sessionId, modes } = await first.opens(user.workspace);
			assert.equal(modes?.availableModes.length, 3);
			assert.deepEqual(await first.says(sessionId, 'hello'), { stopReason: 'end_turn' });
			assert.deepEqual(first.of('user_message_chunk'), []);
			await first.leaves();
		}
	});
});
