/** Tests requests of capabilities to models: real executor processes, the server, a model endpoint on loopback. */
import assert from 'node:assert/strict';
import { newId, type SubTurnId } from '../../../src/protocol/rpc/ids.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import { traceRequests } from '../../../src/protocol/thread/turn-trace.ts';
import { subTurnHostRequests } from '../../../src/protocol/turn/sub-turn.ts';
import { CapabilityScene, type CapabilitySceneOptions, skill } from '../../support/capability-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Script } from '../../support/model-server.ts';

const chat = `return await host.llm.chat({ messages: [{ role: 'user', content: params.text ?? 'hello' }], ...params.more }).catch(failure);`;
const limitMs = 60_000;

interface Failure {
	readonly code: string;
	readonly message: string;
}

function said(scene: CapabilityScene, n: number): { role: string; content: string }[] {
	return scene.model?.requests[n]?.body['messages'] as { role: string; content: string }[];
}

describe('A capability that asks a model', function () {
	this.timeout(limitMs);
	let scene: CapabilityScene;
	afterEach(() => scene.close());

	async function asks(
		code: string,
		script: Script | undefined,
		params: unknown = {},
		permissions: readonly string[] = ['llm'],
		options: CapabilitySceneOptions = {},
		level = 'MONITORED',
	): Promise<unknown> {
		scene = await CapabilityScene.open({ ...(script === undefined ? {} : { script }), ...options });
		scene.capability('skill', 'asks', skill(code, permissions, level));
		const { success, result, error } = await scene.run('asks', params);
		assert.ok(success, error?.message);
		return result;
	}

	it('is refused without the permission, and nothing is sent', async () => {
		const { code, message } = (await asks(chat, [], {}, ['workspace.read'])) as Failure;
		assert.equal(code, 'DENIED_BY_RULE');
		assert.match(message, /permission "llm"/);
		assert.equal(scene.model?.requests.length, 0);
	});

	it('is told to have a model connected when there is none', async () => {
		const { code, message } = (await asks(chat, undefined)) as Failure;
		assert.equal(code, 'NO_MODEL');
		assert.match(message, /Connect a Model/);
	});

	it('is told which providers there are when it names another', async () => {
		const { code, message } = (await asks(chat, [], { more: { model: 'acme' } })) as Failure;
		assert.equal(code, 'MODEL_NOT_FOUND');
		assert.match(message, /there are test/);
	});

	it('sends no secret to the model', async () => {
		const key = `sk-ant-${'a1B2'.repeat(12)}`;
		await asks(chat, [{ text: 'fine' }], { text: `my key is ${key}` });
		const sent = scene.model?.requests[0]?.text ?? '';
		assert.match(sent, /my key is/);
		assert.ok(!sent.includes(key));
	});

	it('gets the answer, the model, and what it cost; the ledger keeps the cost and not the words', async () => {
		const answer = await asks(chat, [{ chunks: ['Good ', 'day'], usage: { input: 12, output: 3 } }], {
			more: { system: 'Be brief', maxTokens: 50, temperature: 0.5 },
		});
		assert.deepEqual(answer, {
			text: 'Good day',
			model: 'test/scripted',
			end: 'done',
			usage: { inputTokens: 12, outputTokens: 3, estimated: false },
		});
		const body = scene.model?.requests[0]?.body;
		assert.deepEqual([body?.['max_tokens'], body?.['temperature']], [50, 0.5]);
		assert.deepEqual(
			said(scene, 0).map(({ role }) => role),
			['system', 'user'],
		);
		const [intent, outcome] = await scene.rows('llm.chat');
		assert.equal(intent?.kind, 'intent');
		assert.equal(outcome?.output, 'test/scripted: 12 tokens in, 3 out; 8 characters, done');
	});

	it('hears the answer as it comes, when it asks for that', async () => {
		const first = await asks(
			`const messages = [{ role: 'user', content: 'x' }];
			return await new Promise((resolve, reject) => host.llm.chat({ messages }, { onOutput: resolve }).catch(reject));`,
			[{ text: 'the first line\nand more', then: 'stall' }],
		);
		assert.equal(first, 'the first line\n');
	});

	it('hears no secret, also where a piece ends within one; what it is given at the end is the same', async () => {
		const [heard, answer] = (await asks(
			`const heard = [];
			const messages = [{ role: 'user', content: 'x' }];
			const { text } = await host.llm.chat({ messages }, { onOutput: (text) => heard.push(text) });
			return [heard, text];`,
			[{ chunks: ['one\nkey sk-ant-a1B2', 'a1B2'.repeat(8), 'a1B2a1B2a1B2\n', 'last'] }],
		)) as [string[], string];
		assert.ok(heard.length > 1);
		assert.equal(heard.join(''), answer);
		assert.match(answer, /^one\nkey <redacted:\w+>\nlast$/);
		const rows = JSON.stringify(await scene.rows('llm.chat'));
		assert.ok(!rows.includes('last'), rows);
	});

	it('is told of its own fault when what hears the answer throws', async () => {
		const { message } = (await asks(
			`const messages = [{ role: 'user', content: 'x' }];
			const hears = () => { throw new Error('deaf'); };
			return await host.llm.chat({ messages }, { onOutput: hears }).catch(failure);`,
			[{ text: 'yes' }],
		)) as Failure;
		assert.equal(message, 'deaf');
	});

	it('chooses among the connected models by name, or by provider', async () => {
		const answers = await asks(
			`const ask = (model) => host.llm.chat({ model, messages: [{ role: 'user', content: 'x' }] });
			return [(await ask('test/other')).model, (await ask('test')).model];`,
			[{ text: 'a' }, { text: 'b' }],
		);
		assert.deepEqual(answers, ['test/other', 'test/scripted']);
	});

	it('gets the model of the thread it works for', async () => {
		scene = await CapabilityScene.open({ script: [{ text: 'yes' }] });
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const server = await scene.host.ports.server();
		const signal = new AbortController().signal;
		const { id } = await server.call(threadRequests.create, { modelId: 'test/other', mode: 'agent' }, signal);
		const { result, error } = await scene.run('asks', {}, { caller: { kind: 'user', threadId: id } });
		assert.equal((result as { model: string } | undefined)?.model, 'test/other', error?.message);
	});

	it('counts in the thread that it works for, also while that rests', async () => {
		const price = { input: 1_000_000, output: 0 };
		scene = await CapabilityScene.open({
			script: [{ text: 'yes', usage: { input: 12, output: 3 } }],
			settings: { 'prowess.models.settings': { 'test/scripted': { price } } },
		});
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const server = await scene.host.ports.server();
		const signal = new AbortController().signal;
		const { id } = await server.call(threadRequests.create, { modelId: 'test/scripted', mode: 'agent' }, signal);
		const { success, error } = await scene.run('asks', {}, { caller: { kind: 'user', threadId: id } });
		assert.ok(success, error?.message);
		const { usage, turnId } = await server.call(threadRequests.open, { threadId: id, items: 1 }, signal);
		assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usage?.contextTokens, usage?.cost], [12, 3, 0, 12]);
		assert.equal(turnId, null);
	});

	it('stands in the trace of the turn that runs in its thread, with what its request used', async () => {
		scene = await CapabilityScene.open({
			script: (n) => (n === 0 ? { then: 'stall' } : { text: 'yes', usage: { input: 12, output: 3 } }),
		});
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const server = await scene.host.ports.server();
		const signal = new AbortController().signal;
		const { id: threadId } = await server.call(threadRequests.create, { modelId: 'test/scripted' }, signal);
		const { turnId } = await server.call(threadRequests.prompt, { threadId, text: 'Look around' }, signal);
		await scene.model?.request(1);
		const { success, error } = await scene.run('asks', {}, { caller: { kind: 'user', threadId } });
		assert.ok(success, error?.message);
		await server.call(threadRequests.stop, { threadId }, signal);
		const { items } = await server.call(traceRequests.show, { turnId }, signal);
		assert.deepEqual(
			items.map(({ text, purpose, status }) => [text, purpose, status]),
			[
				['Request to test/scripted', undefined, 'stopped'],
				['Request to test/scripted of a capability, 12 tokens in, 3 out', 'capability', 'ok'],
				['This turn was stopped.', undefined, undefined],
			],
		);
	});

	it('is stopped at its budget of requests, with the name of the setting', async () => {
		const answers = (await asks(
			`const ask = () => host.llm.chat({ messages: [{ role: 'user', content: 'x' }] }).then(({ text }) => text, failure);
			return [await ask(), await ask(), await ask()];`,
			() => ({ text: 'yes' }),
			{},
			['llm'],
			{ settings: { 'prowess.capabilities.modelCalls': 2 } },
		)) as [string, string, Failure];
		assert.deepEqual(answers.slice(0, 2), ['yes', 'yes']);
		assert.equal(answers[2].code, 'BUDGET_EXCEEDED');
		assert.match(answers[2].message, /used 2 of its 2 requests.*prowess\.capabilities\.modelCalls/);
		assert.equal(scene.model?.requests.length, 2);
	});

	it('cannot take more tokens by asking for everything at once', async () => {
		const answers = (await asks(
			`const ask = () => host.llm.chat({ maxTokens: 400, messages: [{ role: 'user', content: 'x' }] }).then(() => 'done', failure);
			return (await Promise.all([ask(), ask(), ask()])).map((each) => each.code ?? each);`,
			() => ({ text: 'yes', usage: { input: 5, output: 400 } }),
			{},
			['llm'],
			{ settings: { 'prowess.capabilities.modelTokens': 803 } },
		)) as string[];
		assert.deepEqual(answers.sort(), ['BUDGET_EXCEEDED', 'done', 'done']);
	});

	it('shares its budget with what it starts', async () => {
		scene = await CapabilityScene.open({
			script: () => ({ text: 'yes' }),
			settings: { 'prowess.capabilities.modelCalls': 1 },
		});
		const inner = skill(chat, ['llm']);
		scene.capability('skill', 'inner', {
			...inner,
			'capability.yaml': (inner['capability.yaml'] ?? '').replace('name: asks', 'name: inner'),
		});
		const outer = `await host.llm.chat({ messages: [{ role: 'user', content: 'x' }] });
			return (await host.capability.start({ name: 'inner', params: {} })).result;`;
		scene.capability('skill', 'asks', skill(outer, ['llm', 'capabilities']));
		const { result, error } = await scene.run('asks');
		assert.equal((result as Failure | undefined)?.code, 'BUDGET_EXCEEDED', error?.message);
	});

	it('frees its model when it is stopped', async () => {
		scene = await CapabilityScene.open({ script: [{ text: 'I think', then: 'stall' }] });
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const stop = new AbortController();
		const running = scene.run('asks', {}, {}, stop.signal);
		await scene.model?.request(1);
		stop.abort();
		await scene.model?.closed(1);
		assert.equal((await running).error?.code, 'CANCELLED');
	});

	it('gets what came when its time is up', async () => {
		const answer = (await asks(chat, [{ text: 'Only this', then: 'stall' }], { more: { timeoutMs: 700 } })) as {
			text: string;
			end: string;
		};
		assert.deepEqual([answer.text, answer.end], ['Only this', 'time']);
	});

	describe('once', () => {
		const schema = {
			type: 'object',
			properties: { names: { type: 'array', items: { type: 'string' } } },
			required: ['names'],
			additionalProperties: false,
		};
		const once = `return await host.llm.oneshot({ prompt: 'Names?', schema: params.schema }).catch(failure);`;

		it('gets the value it described, out of whatever was around it, at temperature 0', async () => {
			const script = [{ text: 'Here you are:\n```json\n{"names": ["a", "b"]}\n```' }];
			const { output } = (await asks(once, script, { schema })) as { output: unknown };
			assert.deepEqual(output, { names: ['a', 'b'] });
			assert.equal(scene.model?.requests[0]?.body['temperature'], 0);
		});

		it('has a wrong answer corrected one time', async () => {
			const { output } = (await asks(once, [{ text: '{"names": "a"}' }, { text: '{"names": ["a"]}' }], {
				schema,
			})) as { output: unknown };
			assert.deepEqual(output, { names: ['a'] });
			assert.match(said(scene, 1).at(-1)?.content ?? '', /names: expected a list/);
		});

		it('fails when the answer stays wrong', async () => {
			const { code, message } = (await asks(once, () => ({ text: 'no idea' }), { schema })) as Failure;
			assert.equal(code, 'DATA_MALFORMED');
			assert.match(message, /no JSON/);
			assert.equal(scene.model?.requests.length, 2);
		});

		it('cannot have a regular expression of its own run', async () => {
			const { code } = (await asks(once, [], { schema: { type: 'string', pattern: '(a+)+$' } })) as Failure;
			assert.equal(code, 'INVALID_PARAMS');
		});
	});

	describe('for a sub-turn', () => {
		const run = `return await host.agent.run({ prompt: 'Look', ...params }).catch(failure);`;
		const read = (path: string) => ({ toolCalls: [{ name: 'fs_read', input: { path } }] });

		it('gets nothing done that it may not do itself', async () => {
			const write = { toolCalls: [{ name: 'fs_write', input: { path: 'x.txt', content: 'x' } }] };
			const result = (await asks(run, [write, { text: 'I could not' }], {}, ['llm', 'workspace.read'])) as {
				text: string;
				toolCalls: { status: string }[];
			};
			assert.equal(result.text, 'I could not');
			assert.deepEqual(
				result.toolCalls.map(({ status }) => status),
				['failed'],
			);
			const offered = scene.model?.requests[0]?.body['tools'] as { function: { name: string } }[];
			const names = offered.map((each) => each.function.name);
			assert.ok(names.includes('fs_read') && !names.includes('fs_write') && !names.includes('shell_run'), names.join());
		});

		it('is held to it by the host, whatever a captured server asks for', async () => {
			const signal = new AbortController().signal;
			let after: Promise<unknown> | undefined;
			const seen: string[] = [];
			const captured: CapabilitySceneOptions['captured'] = (end) => {
				const perform = (subTurnId: SubTurnId, op: string, params: unknown) =>
					end.call(subTurnHostRequests.perform, { subTurnId, opId: newId('op'), op, params }, signal).then(
						(outcome) => (outcome.status === 'done' ? 'done' : outcome.error.code),
						(error: unknown) => (error as { code: string }).code,
					);
				return {
					complete: () => Promise.reject(new Error('not asked')),
					form: () => Promise.reject(new Error('not asked')),
					read: () => Promise.reject(new Error('not asked')),
					async run({ subTurnId, tools }) {
						seen.push(tools.join());
						seen.push(await perform(subTurnId, 'fs.list', {}));
						// Not among its tools, though the execution may; not permitted; of nobody.
						seen.push(await perform(subTurnId, 'fs.read', { path: 'a.txt' }));
						seen.push(await perform(subTurnId, 'shell.run', { argv: ['true'] }));
						seen.push(await perform(newId('sub'), 'fs.list', {}));
						after = new Promise((resolve) => setImmediate(resolve)).then(() => perform(subTurnId, 'fs.list', {}));
						const usage = { inputTokens: 0, outputTokens: 0, estimated: false };
						return { text: '', output: null, end: 'done', iterations: 0, model: 'm', usage, toolCalls: [] };
					},
				};
			};
			await asks(run, undefined, { tools: ['fs.list', 'shell.run'] }, ['llm', 'workspace.read'], {
				captured,
				files: { 'a.txt': 'A' },
			});
			assert.deepEqual(seen, ['fs.list', 'done', 'DENIED_BY_RULE', 'DENIED_BY_RULE', 'INVALID_STATE']);
			assert.equal(await after, 'INVALID_STATE');
		});

		it('is told at once of a tool that it does not have', async () => {
			const result = (await asks(
				run,
				[read('a.txt'), { text: 'done' }],
				{ tools: ['fs.list'] },
				['llm', 'workspace.read'],
				{ files: { 'a.txt': 'A' } },
			)) as { toolCalls: unknown };
			assert.deepEqual(result.toolCalls, [{ tool: 'fs_read', title: 'Read a.txt', status: 'failed' }]);
			assert.match(said(scene, 1).at(-1)?.content ?? '', /not among the tools/);
		});

		it('acts as the execution, op by op, in the ledger', async () => {
			const result = (await asks(run, [read('a.txt'), { text: 'It says A' }], {}, ['llm', 'workspace.read'], {
				files: { 'a.txt': 'A' },
			})) as Record<string, unknown>;
			assert.equal(result['text'], 'It says A');
			assert.deepEqual(
				[result['end'], result['iterations'], result['toolCalls']],
				['done', 2, [{ tool: 'fs_read', title: 'Read a.txt', status: 'done' }]],
			);
			const rows = await scene.rows('fs.read');
			assert.deepEqual(
				rows.map(({ kind, trigger }) => `${kind} ${trigger.split(':')[0]}`),
				['intent skill/asks', 'outcome skill/asks'],
			);
		});

		it('takes no more of the model than the budget says', async () => {
			const result = (await asks(run, () => read('a.txt'), { budget: { iterations: 3 } }, ['llm', 'workspace.read'], {
				files: { 'a.txt': 'A' },
			})) as Record<string, unknown>;
			assert.deepEqual([result['end'], result['iterations']], ['iterations', 3]);
			assert.equal(scene.model?.requests.length, 3);
		});

		it('stops at its tokens, and at its time', async () => {
			const tokens = (await asks(
				run,
				() => ({ ...read('a.txt'), usage: { input: 600, output: 10 } }),
				{ budget: { tokens: 1_000 } },
				['llm', 'workspace.read'],
				{ files: { 'a.txt': 'A' } },
			)) as Record<string, unknown>;
			assert.deepEqual([tokens['end'], tokens['iterations']], ['tokens', 2]);
			await scene.close();
			const time = (await asks(run, [{ text: 'hm', then: 'stall' }], { budget: { timeMs: 700 } })) as {
				end: string;
				text: string;
			};
			assert.deepEqual([time.end, time.text], ['time', 'hm']);
		});

		it('reads the documents it was given by name, and nothing of the disk for it', async () => {
			const script = [{ toolCalls: [{ name: 'read_document', input: { name: 'rules.md' } }] }, { text: 'ok' }];
			const documents = [{ name: 'rules.md', text: 'Always greet.' }];
			const result = (await asks(run, script, { documents, tools: [] })) as { text: string };
			assert.equal(result.text, 'ok');
			assert.match(said(scene, 0)[0]?.content ?? '', /rules\.md \(13 characters\)/);
			assert.equal(said(scene, 1).at(-1)?.content, 'Always greet.');
		});

		it('ends in the form that was asked for', async () => {
			const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
			const result = (await asks(run, [{ text: 'It is seven' }, { text: '{"n": 7}' }], { schema, tools: [] })) as {
				output: unknown;
				end: string;
			};
			assert.deepEqual([result.output, result.end], [{ n: 7 }, 'done']);
		});

		it('does not count the time in which a person is asked', async () => {
			const write = { toolCalls: [{ name: 'fs_write', input: { path: 'x.txt', content: 'x' } }] };
			let asked = 0;
			const result = (await asks(
				run,
				[write, { text: 'written' }],
				{ budget: { timeMs: 2_000 } },
				['llm', 'workspace.write'],
				{
					approvalMode: 'ask',
					person: {
						async approve({ op }) {
							if (op === 'fs.write') {
								asked = performance.now();
								await waitFor('more than its own time to pass', () => performance.now() - asked > 2_500);
							}
							return { kind: 'once' };
						},
					},
				},
				'CONTROLLED',
			)) as { end: string; toolCalls: { status: string }[] };
			assert.ok(asked > 0);
			assert.deepEqual([result.end, result.toolCalls[0]?.status], ['done', 'done']);
		});

		it('refuses a tool that does not exist', async () => {
			const { code, message } = (await asks(run, [], { tools: ['fs.explode'] })) as Failure;
			assert.equal(code, 'INVALID_PARAMS');
			assert.match(message, /fs\.explode/);
		});
	});
});
