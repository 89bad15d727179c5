import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadSessionRequest, type McpServer, methods, RequestError } from '@agentclientprotocol/sdk';
import type { LedgerRow } from '../../../src/protocol/approvals/ledger.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';
import { httpSite } from '../../support/http-site.ts';
import { waitFor } from '../../support/wait-for.ts';
import { png } from '../../support/pictures.ts';
import { AcpEditor } from './acp-editor.ts';
import { commandLimitMs, User } from './cli-process.ts';

const edit = { name: 'fs_edit', input: { path: 'a.txt', edits: [{ find: 'one', replace: 'two' }] } };
const write = { name: 'fs_write', input: { path: 'new.txt', content: 'hello\n' } };

describe('prowess acp', function () {
	this.timeout(commandLimitMs);
	let user: User;
	let server: ModelServer | undefined;
	let editors: AcpEditor[];
	beforeEach(() => {
		user = new User();
		editors = [];
		server = undefined;
	});
	afterEach(async () => {
		for (const editor of editors) {
			editor.child.kill('SIGKILL');
			await editor.ended;
		}
		await server?.close();
	});

	/** An editor before the folder, which the user trusts already unless `isTrusted` is false. */
	async function editorWith(
		script: Script,
		options: ConstructorParameters<typeof AcpEditor>[2] & { readonly isTrusted?: boolean } = {},
	): Promise<AcpEditor> {
		server ??= await startModelServer(script);
		if (options.isTrusted !== false) user.trusts();
		const editor = new AcpEditor(user, modelWords(server.baseUrl), options);
		editors.push(editor);
		await editor.initialize(options.capabilities);
		return editor;
	}
	async function ledger(...words: string[]): Promise<LedgerRow[]> {
		return JSON.parse((await user.runs(['ledger', 'list', '--json', ...words])).stdout) as LedgerRow[];
	}

	it('hangs its turn below the span that the editor names, where the user has a collector', async () => {
		const collector = await httpSite((_request, response) => response.end('{}'));
		try {
			user.sets({ 'prowess.telemetry': { endpoint: `http://127.0.0.1:${collector.port}` } });
			const editor = await editorWith([{ text: 'Done.' }]);
			const { sessionId } = await editor.opens(user.workspace);
			const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
			await editor.says(sessionId, 'think', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
			await waitFor('the spans', () => collector.received.length > 0);
			assert.match(
				collector.received[0]?.body ?? '',
				new RegExp(`"traceId":"${traceId}","spanId":"\\w+","parentSpanId":"00f067aa0ba902b7","name":"invoke_agent`),
			);
		} finally {
			await collector.close();
		}
	});

	it('asks for each change that the gate asks about, shows its diff and its place, and makes it', async () => {
		const editor = await editorWith([
			{ reasoning: 'Let me see.', toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }, edit] },
			{ text: 'Changed.', usage: { input: 100, output: 5 } },
		]);
		user.writes('a.txt', 'one\n');
		const { sessionId, modes, configOptions } = await editor.opens(user.workspace);
		assert.equal(modes?.currentModeId, 'agent');
		assert.deepEqual(
			configOptions?.map(({ id }) => id),
			['mode', 'model', 'effort', 'level'],
		);
		assert.deepEqual(await editor.says(sessionId, 'change it'), { stopReason: 'end_turn' });
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'two\n');
		assert.match(editor.text, /Changed\./);
		const [asked] = editor.asked;
		assert.deepEqual(asked?.options.map(({ optionId }) => optionId).slice(0, 1), ['once']);
		assert.equal(asked?.options.at(-1)?.kind, 'reject_once');
		const diff = asked?.toolCall.content?.find((each) => each.type === 'diff');
		assert.deepEqual([diff?.oldText, diff?.newText], ['one', 'two']);
		const calls = editor.of('tool_call');
		assert.deepEqual(
			calls.map(({ kind }) => kind),
			['read', 'edit'],
		);
		assert.equal(calls[1]?.locations?.[0]?.path, join(user.workspace, 'a.txt'));
		assert.equal(asked?.toolCall.toolCallId, calls[1]?.toolCallId);
		const last = editor.of('tool_call_update').findLast(({ toolCallId }) => toolCallId === calls[1]?.toolCallId);
		assert.equal(last?.status, 'completed');
		assert.ok(last?.content?.some((each) => each.type === 'diff' && each.newText === 'two'));
		assert.ok(editor.of('agent_thought_chunk').length > 0);
		assert.ok(editor.of('usage_update').some(({ used, size }) => used > 0 && size > used));
		assert.ok(editor.of('available_commands_update')[0]?.availableCommands.some(({ name }) => name === 'fix'));
		await editor.leaves();
		assert.deepEqual((await ledger('--op', 'fs.edit')).map(({ kind }) => kind).toSorted(), ['intent', 'outcome']);
	});

	it('takes a no, and an answer that was not offered, for a no that the model reads', async () => {
		const answers = ['deny', 'everything', 'cancelled'];
		const editor = await editorWith((n) => (n < 3 ? { toolCalls: [write] } : { text: 'I may not.' }), {
			allows: () => answers.shift() ?? 'deny',
		});
		const { sessionId } = await editor.opens(user.workspace);
		assert.deepEqual(await editor.says(sessionId, 'write it'), { stopReason: 'end_turn' });
		assert.equal(editor.asked.length, 3);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.deepEqual(new Set(editor.calls.map(({ status }) => status)), new Set(['failed']));
		await editor.leaves();
		assert.deepEqual(
			(await ledger('--op', 'fs.write')).map(({ kind }) => kind),
			['denial', 'denial', 'denial'],
		);
	});

	it('asks about a folder that is not trusted before it reads anything there, and remembers a yes alone', async () => {
		const answers = ['deny', 'trust'];
		const editor = await editorWith(() => ({ text: 'Hello.' }), {
			isTrusted: false,
			allows: () => answers.shift() ?? 'deny',
		});
		user.writes('AGENTS.md', 'canary-of-the-folder');
		const { sessionId } = await editor.opens(user.workspace);
		await assert.rejects(editor.says(sessionId, 'hello'), (error: RequestError) => {
			assert.equal((error.data as { code?: string }).code, 'WORKSPACE_UNTRUSTED');
			return true;
		});
		assert.equal(server?.requests.length, 0);
		assert.equal(existsSync(join(user.home, 'trust.json')), false);
		assert.deepEqual(await editor.says(sessionId, 'hello'), { stopReason: 'end_turn' });
		assert.match(editor.asked[1]?.toolCall.title ?? '', /^Trust the folder/);
		assert.match(readFileSync(join(user.home, 'trust.json'), 'utf8'), /work/);
		assert.deepEqual(await editor.says(sessionId, 'again'), { stopReason: 'end_turn' });
		assert.equal(editor.asked.length, 2);
		await editor.leaves();
	});

	it('ends a prompt as cancelled once, while the model answers and while a question is open', async () => {
		const editor = await editorWith(
			(n) => (n === 0 ? { text: 'A word, and', then: 'stall' } : { toolCalls: [write] }),
			{ allows: () => 'never' },
		);
		const { sessionId } = await editor.opens(user.workspace);
		const first = editor.says(sessionId, 'talk');
		await editor.has('words of the model', () => editor.text.includes('A word'));
		await editor.agent.notify(methods.agent.session.cancel, { sessionId });
		assert.deepEqual(await first, { stopReason: 'cancelled' });
		const second = editor.says(sessionId, 'write it');
		await editor.has('a question', () => editor.asked.length === 1);
		await assert.rejects(editor.says(sessionId, 'and this'), /A turn runs/);
		await editor.agent.notify(methods.agent.session.cancel, { sessionId });
		assert.deepEqual(await second, { stopReason: 'cancelled' });
		assert.equal(editor.lines.filter((line) => line.includes('"stopReason"')).length, 2);
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		await editor.leaves();
	});

	it('denies and records what an editor was asked about that is killed meanwhile', async () => {
		const editor = await editorWith([{ toolCalls: [write] }, { text: 'Denied.' }], { allows: () => 'never' });
		const { sessionId } = await editor.opens(user.workspace);
		editor.says(sessionId, 'write it').catch(() => {});
		await editor.has('a question', () => editor.asked.length === 1);
		// All that a process sees of a killed client: its pipes are closed.
		editor.child.stdin?.destroy();
		editor.child.stdout?.destroy();
		await editor.ended;
		assert.equal(existsSync(join(user.workspace, 'new.txt')), false);
		assert.deepEqual(
			(await ledger('--op', 'fs.write')).map(({ kind }) => kind),
			['denial'],
		);
	});

	it('reads and changes text that is not saved in the editor, and takes a refused read for a failed call', async () => {
		let unsaved = 'one, not saved\n';
		let refuses = false;
		const editor = await editorWith(
			[
				{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }, edit] },
				{ text: 'Changed.' },
				{ toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
				{ text: 'I could not read it.' },
			],
			{
				capabilities: { fs: { readTextFile: true, writeTextFile: true } },
				reads: (path) => {
					if (refuses) throw new RequestError(-32_603, 'refused');
					return path.endsWith('a.txt') ? unsaved : '';
				},
				writes: (_, content) => {
					unsaved = content;
				},
			},
		);
		user.writes('a.txt', 'one\n');
		const { sessionId } = await editor.opens(user.workspace);
		assert.deepEqual(await editor.says(sessionId, 'change it'), { stopReason: 'end_turn' });
		assert.match(JSON.stringify(server?.requests[1]?.body), /one, not saved/);
		assert.equal(unsaved, 'two, not saved\n');
		assert.equal(readFileSync(join(user.workspace, 'a.txt'), 'utf8'), 'one\n');
		refuses = true;
		assert.deepEqual(await editor.says(sessionId, 'read it'), { stopReason: 'end_turn' });
		assert.equal(editor.calls.at(-1)?.status, 'failed');
		assert.match(JSON.stringify(editor.updates), /The editor did not give the text of/);
		await editor.leaves();
	});

	it('lists, loads with all that was said, goes on with, closes and deletes a session', async () => {
		const editor = await editorWith([{ text: 'First answer.' }, { text: 'Second answer.' }]);
		const { sessionId } = await editor.opens(user.workspace);
		await editor.says(sessionId, 'first question');
		const { session } = methods.agent;
		await editor.agent.request(session.close, { sessionId });
		await assert.rejects(editor.says(sessionId, 'more'), /not found/i);
		const { sessions } = await editor.agent.request(session.list, { cwd: user.workspace });
		assert.deepEqual(
			sessions.map((each) => [each.sessionId, each.cwd]),
			[[sessionId, user.workspace]],
		);
		assert.deepEqual((await editor.agent.request(session.list, { cwd: user.root })).sessions, []);
		editor.updates.length = 0;
		const there: LoadSessionRequest = { sessionId, cwd: user.workspace, mcpServers: [] };
		const loaded = await editor.agent.request(session.load, there);
		assert.equal(loaded.modes?.currentModeId, 'agent');
		assert.deepEqual(
			editor.updates.flatMap((each) =>
				'content' in each && each.sessionUpdate.endsWith('_chunk') ? [each.content] : [],
			),
			[
				{ type: 'text', text: 'first question' },
				{ type: 'text', text: 'First answer.' },
			],
		);
		editor.updates.length = 0;
		await editor.agent.request(session.resume, there);
		assert.equal(editor.text, '');
		assert.deepEqual(await editor.says(sessionId, 'second question'), { stopReason: 'end_turn' });
		assert.match(JSON.stringify(server?.requests[1]?.body), /first question/);
		await editor.agent.request(session.delete, { sessionId });
		assert.deepEqual((await editor.agent.request(session.list, {})).sessions, []);
		await assert.rejects(editor.agent.request(session.load, there), /not found|no longer|does not exist|deleted/i);
		await editor.leaves();
	});

	it('sets mode, model, effort and level, and no level that is wider than the user’s own', async () => {
		const editor = await editorWith([{ text: 'Hello.' }]);
		const { sessionId, configOptions } = await editor.opens(user.workspace);
		const level = configOptions?.find(({ id }) => id === 'level');
		assert.deepEqual(JSON.stringify(level).match(/"value":"(\w+)"/g), ['"value":"manual"', '"value":"ask"']);
		const { session } = methods.agent;
		const set = async (configId: string, value: string) =>
			(await editor.agent.request(session.setConfigOption, { sessionId, configId, value })).configOptions.find(
				({ id }) => id === configId,
			)?.currentValue;
		assert.equal(await set('level', 'manual'), 'manual');
		await assert.rejects(set('level', 'full'), (error: RequestError) => {
			assert.equal((error.data as { code?: string }).code, 'DENIED_BY_RULE');
			return true;
		});
		await assert.rejects(set('model', 'somebody/elses'), /does not take/);
		assert.equal(await set('effort', 'low'), 'low');
		assert.equal(await set('mode', 'ask'), 'ask');
		assert.deepEqual(await editor.agent.request(session.setMode, { sessionId, modeId: 'plan' }), {});
		await assert.rejects(editor.agent.request(session.setMode, { sessionId, modeId: 'root' }), /does not take/);
		await editor.leaves();
		assert.equal((await ledger('--op', 'level.set')).length, 2);
		assert.ok((await ledger('--op', 'mode.set')).length >= 2);
	});

	it('refuses what it does not understand with errors, and goes on', async () => {
		const editor = await editorWith([{ text: 'Hello.' }]);
		const { session } = methods.agent;
		const cwd = user.workspace;
		const refused = async (method: string, params: unknown) =>
			await editor.agent.request(method, params).then(
				() => assert.fail(`${method} was taken`),
				(error: RequestError) => error.code,
			);
		assert.equal(await refused('session/fly', {}), -32_601);
		assert.equal(await refused(session.new, { cwd: 7 }), -32_602);
		assert.equal(await refused(session.new, { cwd, mcpServers: [], additionalDirectories: ['/etc'] }), -32_602);
		const secret = { name: 'x', command: 'x', args: [], env: [{ name: 'A', value: '${secret:github}' }] };
		assert.equal(await refused(session.new, { cwd, mcpServers: [secret] }), -32_602);
		assert.equal(await refused(session.prompt, { sessionId: '../..', prompt: [] }), -32_002);
		const { sessionId } = await editor.opens(cwd);
		const audio = [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }];
		assert.equal(await refused(session.prompt, { sessionId, prompt: audio }), -32_602);
		editor.child.stdin?.write('this is no JSON\n[]\n');
		await editor.has('two errors', () => editor.lines.filter((line) => /-32700|-32600/.test(line)).length === 2);
		assert.deepEqual(await editor.says(sessionId, 'hello'), { stopReason: 'end_turn' });
		await editor.leaves();
	});

	it('shows a thread to two editors, live, and lets one of them work in it at a time', async () => {
		const one = await editorWith((n) => (n === 0 ? { text: 'First.' } : { toolCalls: [write] }), {
			allows: () => 'never',
		});
		const { sessionId } = await one.opens(user.workspace);
		await one.says(sessionId, 'first');
		const other = await editorWith([]);
		await other.agent.request(methods.agent.session.load, { sessionId, cwd: user.workspace, mcpServers: [] });
		assert.match(other.text, /First\./);
		const turn = one.says(sessionId, 'second');
		await one.has('a question', () => one.asked.length === 1);
		await other.has('the call of the other editor', () => other.of('tool_call').length === 1);
		assert.deepEqual(other.asked, []);
		await assert.rejects(other.says(sessionId, 'third'), (error: RequestError) => {
			assert.equal((error.data as { code?: string }).code, 'THREAD_BUSY');
			return true;
		});
		await one.agent.notify(methods.agent.session.cancel, { sessionId });
		assert.deepEqual(await turn, { stopReason: 'cancelled' });
		await other.leaves();
		await one.leaves();
	});

	it('asks in the words of the agent with a form, or with a choice where the editor has none', async () => {
		const ask = { toolCalls: [{ name: 'user_ask', input: { question: 'Which one?', options: ['red', 'blue'] } }] };
		const script: Script = (n) => (n % 2 === 0 ? ask : { text: 'So be it.' });
		const form = await editorWith(script, {
			answers: ({ message }) => ({ action: 'accept', content: { answer: message.includes('Which') ? 'green' : '' } }),
		});
		const last = (n: number) => JSON.stringify(server?.requests[n]?.body['messages']);
		await form.initialize({ elicitation: { form: {} } });
		const first = await form.opens(user.workspace);
		await form.says(first.sessionId, 'ask me');
		assert.match(last(1), /green/);
		await form.leaves();
		const choice = await editorWith(script, { allows: () => 'answer-1' });
		const second = await choice.opens(user.workspace);
		await choice.says(second.sessionId, 'ask me');
		assert.match(last(3), /blue/);
		await choice.leaves();
	});

	it('gives the model pictures, files that are linked, and text that is embedded, without secrets', async () => {
		const editor = await editorWith([{ text: 'I see.' }]);
		user.writes('a.txt', 'words of the file\n');
		const { sessionId } = await editor.opens(user.workspace);
		await editor.agent.request(methods.agent.session.prompt, {
			sessionId,
			prompt: [
				{ type: 'text', text: `/explain with ghp_${'a1B2'.repeat(9)} ` },
				{ type: 'resource_link', name: 'a.txt', uri: `file://${user.workspace}/a.txt` },
				{ type: 'resource', resource: { uri: 'zed://thread/1', text: 'words of a thread' } },
				{ type: 'image', data: png().toString('base64'), mimeType: 'image/png' },
			],
		});
		const sent = server?.requests[0]?.text ?? '';
		for (const there of ['Explain what this code does', 'words of the file', 'words of a thread', 'data:image/png']) {
			assert.ok(sent.includes(there), there);
		}
		assert.ok(!sent.includes('a1B2a1B2'));
		assert.match(editor.text, /removed from your prompt/);
		await editor.leaves();
	});

	it('starts no MCP server of an editor before the user agrees to it', async () => {
		const call = { toolCalls: [{ name: 'mcp_tools', input: { server: 'theirs' } }] };
		const editor = await editorWith([call, { text: 'I may not.' }], { allows: () => 'deny' });
		const started = join(user.root, 'started');
		const theirs: McpServer = { name: 'theirs', command: 'touch', args: [started], env: [] };
		const { sessionId } = await editor.agent.request(methods.agent.session.new, {
			cwd: user.workspace,
			mcpServers: [theirs],
		});
		assert.deepEqual(await editor.says(sessionId, 'list its tools'), { stopReason: 'end_turn' });
		assert.match(JSON.stringify(editor.asked[0]?.toolCall), /theirs/);
		assert.equal(existsSync(started), false);
		assert.equal(existsSync(join(user.home, 'settings.json')), false);
		await editor.leaves();
	});

	it('tells the 10,000 pieces of an answer in fewer updates, whole and in order', async () => {
		const chunks = Array.from({ length: 10_000 }, (_, n) => `${n} `);
		const editor = await editorWith([{ chunks }]);
		const { sessionId } = await editor.opens(user.workspace);
		assert.deepEqual(await editor.says(sessionId, 'count'), { stopReason: 'end_turn' });
		assert.equal(editor.text.trim(), chunks.join('').trim());
		assert.ok(editor.updates.length < 5_000, String(editor.updates.length));
		await editor.leaves();
	});

	it('tells an editor without a model how to connect one', async () => {
		const editor = new AcpEditor(user, []);
		editors.push(editor);
		const { authMethods } = await editor.initialize();
		assert.deepEqual(
			authMethods?.map(({ id }) => id),
			['prowess-connect'],
		);
		await assert.rejects(editor.opens(user.workspace), (error: RequestError) => error.code === -32_000);
		const { authenticate } = methods.agent;
		const connect = { methodId: 'prowess-connect' };
		await assert.rejects(editor.agent.request(authenticate, connect), (error: RequestError) => error.code === -32_000);
		user.sets({ 'prowess.providers': [{ id: 'mine', kind: 'openai', models: ['x'] }] });
		assert.deepEqual(await editor.agent.request(authenticate, connect), {});
		await editor.leaves();
	});
});

function modelWords(baseUrl: string): string[] {
	return ['--provider', 'openai-compatible', '--base-url', baseUrl, '--model', 'scripted'];
}
