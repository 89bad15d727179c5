/** Capabilities that answer others in a model's place: real executor processes for both, and a model endpoint behind them. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Settings } from '../../../src/protocol/settings/settings.ts';
import { consentText } from '../../support/consent-text.ts';
import { CapabilityScene, type CapabilitySceneOptions, skill } from '../../support/capability-scene.ts';
import { waitFor } from '../../support/wait-for.ts';

const MODEL = 'capability:skill/my-llm';
const chosen: Partial<Settings> = { 'prowess.capabilities.model': MODEL };
const chat = `return await host.llm.chat({ messages: [{ role: 'user', content: params.text ?? 'hello' }], ...params.more }).catch(failure);`;

interface Failure {
	readonly code: string;
	readonly message: string;
}
interface Answer {
	readonly text: string;
	readonly model: string;
}

function named(name: string, files: Record<string, string>, more = ''): Record<string, string> {
	const manifest = (files['capability.yaml'] ?? '').replace('name: asks', `name: ${name}`);
	return { ...files, 'capability.yaml': `${manifest}${more}` };
}

describe('A capability that answers another in place of a model', function () {
	this.timeout(60_000);
	let scene: CapabilityScene;
	afterEach(() => scene.close());

	async function open(options: CapabilitySceneOptions = {}): Promise<void> {
		scene = await CapabilityScene.open({ ...options, settings: { ...chosen, ...options.settings } });
	}

	function provides(code: string, permissions: readonly string[] = [], name = 'my-llm'): void {
		scene.capability('skill', name, named(name, skill(code, permissions), 'provides: [llm]\n'));
	}

	async function asks<T>(code = chat, params: unknown = {}, permissions: readonly string[] = ['llm']): Promise<T> {
		scene.capability('skill', 'asks', skill(code, permissions, 'CONTROLLED'));
		const { success, result, error } = await scene.run('asks', params);
		assert.ok(success, error?.message);
		return result as T;
	}

	const runs = async () =>
		(await scene.rows('capability.run')).filter(({ trigger }) => trigger.startsWith('skill/asks:llm '));

	describe('does not', () => {
		it('when there is none of that name, or it is switched off, or it does not provide llm', async () => {
			await open();
			const missing = await asks<Failure>();
			assert.equal(missing.code, 'CAPABILITY_NOT_FOUND');
			assert.match(
				missing.message,
				/capability:skill\/my-llm, in place of a model: there is no capability.*prowess\.capabilities\.model/,
			);
			scene.capability('skill', 'my-llm', named('my-llm', skill('return { text: "x" };', [])));
			const silent = await asks<Failure>();
			assert.equal(silent.code, 'INVALID_REQUEST');
			assert.match(silent.message, /provides: \[llm\]/);
			provides('return { text: "x" };');
			const { path } = await scene.base.capabilities.find({ name: 'my-llm' });
			await scene.base.enabledCapabilities.set(path, false, new AbortController().signal);
			assert.equal((await asks<Failure>()).code, 'CAPABILITY_DISABLED');
		});

		it('when only the one who asks names it, and the user has not', async () => {
			await open({ settings: { 'prowess.capabilities.model': '' } });
			provides('return { text: "x" };');
			const { code, message } = await asks<Failure>(chat, { more: { model: MODEL } });
			assert.equal(code, 'DENIED_BY_RULE');
			assert.match(message, /prowess\.capabilities\.modelProviders/);
			assert.deepEqual(await runs(), []);
		});

		it('when the person says no to it', async () => {
			const questions: string[] = [];
			await open({
				approvalMode: 'ask',
				person: {
					approve: ({ title, detail }) => {
						questions.push(`${title}: ${consentText(detail)}`);
						return Promise.resolve(title.includes('my-llm') ? { kind: 'deny' } : { kind: 'once' });
					},
				},
			});
			provides('return { text: "x" };');
			assert.equal((await asks<Failure>()).code, 'DENIED_BY_USER');
			assert.match(
				questions[1] ?? '',
				/in a model’s place if you select it: it receives their messages and acts with its own permissions/,
			);
		});

		it('in a workspace that is not trusted', async () => {
			await open({ isTrusted: false });
			provides('return { text: "x" };');
			for (const [path, text] of Object.entries(skill(chat, ['llm']))) {
				const file = join(scene.host.home, 'capabilities/skill/asks', path);
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, text);
			}
			const { result } = await scene.run('asks');
			assert.equal((result as Failure).code, 'WORKSPACE_UNTRUSTED');
			assert.deepEqual(await runs(), []);
		});

		it('a sub-turn: that is a connected model, unless it is named, which is refused', async () => {
			await open({ script: [{ text: 'from the model' }] });
			provides('return { text: "x" };');
			const [answer, refused] = await asks<[Answer, Failure]>(
				`const run = (more) => host.agent.run({ prompt: 'Look', tools: [], ...more }).catch(failure);
				return [await run(), await run({ model: '${MODEL}' })];`,
			);
			assert.deepEqual([answer.text, refused.code], ['from the model', 'INVALID_PARAMS']);
		});
	});

	it('is named to the person where a rule asks about each answer', async () => {
		const questions: string[] = [];
		await open({
			approvalMode: 'ask',
			settings: { 'prowess.approvals.ask': ['llm.chat *'] },
			person: {
				approve: ({ op, detail }) => {
					if (op === 'llm.chat') questions.push(detail.kind === 'text' ? detail.text : '');
					return Promise.resolve({ kind: 'once' });
				},
			},
		});
		provides(`return { text: 'yes' };`);
		assert.equal((await asks<Answer>()).text, 'yes');
		assert.deepEqual(questions, [`to: ${MODEL}\n\nuser: hello`]);
	});

	it('that fails is an error that names it', async () => {
		await open();
		provides(`throw new Error('my weights are gone');`);
		const { code, message } = await asks<Failure>();
		assert.equal(code, 'EXECUTION_FAILED');
		assert.match(message, /capability:skill\/my-llm, in place of a model: .*my weights are gone/);
	});

	it('is told from one that answers something else', async () => {
		await open();
		provides(`return { answer: 'hello' };`);
		const { code, message } = await asks<Failure>();
		assert.equal(code, 'DATA_MALFORMED');
		assert.match(message, /capability:skill\/my-llm.*expected \{ text \}/);
	});

	it('has the time that was asked for, and no more', async () => {
		await open();
		provides('await new Promise(() => {});');
		const { code } = await asks<Failure>(chat, { more: { timeoutMs: 1_500 } });
		assert.equal(code, 'EXECUTION_TIMEOUT');
	});

	it('ends when the one who asked is stopped', async () => {
		await open();
		provides('await new Promise(() => {});');
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const stop = new AbortController();
		const running = scene.run('asks', {}, {}, stop.signal);
		const found = () =>
			scene.base.capabilities.list().find(({ name, status }) => name === 'my-llm' && status === 'running');
		await waitFor('the one that answers to run', () => found() !== undefined);
		const { executionId = '' } = found() ?? {};
		stop.abort();
		assert.equal((await running).error?.code, 'CANCELLED');
		assert.equal((await scene.base.capabilities.wait(executionId)).error?.code, 'CANCELLED');
	});

	it('ends when the one who asked ends without waiting for it', async () => {
		await open();
		provides('await new Promise(() => {});');
		scene.capability(
			'skill',
			'asks',
			skill(
				`void host.llm.chat({ messages: [{ role: 'user', content: 'x' }] }).catch(failure);
				for (;;) {
					const { executions } = await host.capability.status({});
					if (executions.some(({ status }) => status === 'running')) throw new Error('enough');
				}`,
				['llm', 'capabilities'],
			),
		);
		assert.match((await scene.run('asks')).error?.message ?? '', /enough/);
		const { executionId = '' } = scene.base.capabilities.list().find(({ name }) => name === 'my-llm') ?? {};
		assert.equal((await scene.base.capabilities.wait(executionId)).error?.code, 'CANCELLED');
	});

	it('counts as a request of the budget, with what it says', async () => {
		await open({ settings: { 'prowess.capabilities.modelCalls': 2, 'prowess.capabilities.modelTokens': 1_000 } });
		provides(`return { text: 'word '.repeat(300) };`);
		const answers = await asks<[{ usage: { outputTokens: number; estimated: boolean } }, Failure]>(
			`const ask = () => host.llm.chat({ messages: [{ role: 'user', content: 'x'.repeat(1500) }] }).catch(failure);
			return [await ask(), await ask()];`,
		);
		assert.deepEqual(answers[0].usage, { inputTokens: 500, outputTokens: 500, estimated: true });
		assert.equal(answers[1].code, 'BUDGET_EXCEEDED');
		assert.equal((await runs()).filter(({ kind }) => kind === 'intent').length, 1);
	});

	it('takes what it asks of models itself from the same budget', async () => {
		await open({ script: [{ text: 'deep' }], settings: { 'prowess.capabilities.modelCalls': 1 } });
		provides(`return { text: (await host.llm.chat(params).catch(failure)).code };`, ['llm']);
		assert.equal((await asks<Answer>()).text, 'BUDGET_EXCEEDED');
		assert.equal(scene.model?.requests.length, 0);
	});

	it('asks a connected model itself, and never one like it, nor does what it starts', async () => {
		await open({ script: () => ({ text: 'from the model' }) });
		const ask = `host.llm.chat({ messages: [{ role: 'user', content: 'x' }] })`;
		scene.capability('skill', 'inner', named('inner', skill(`return await ${ask};`, ['llm'])));
		provides(
			`const own = await ${ask};
			const again = await host.llm.chat({ model: '${MODEL}', messages: [{ role: 'user', content: 'x' }] }).catch(failure);
			const below = (await host.capability.start({ name: 'inner', params: {} })).result;
			return { text: [own.model, again.code, again.message, below.model].join(' ') };`,
			['llm', 'capabilities'],
		);
		const { text } = await asks<Answer>();
		assert.match(text, /^test\/scripted INVALID_REQUEST .*connected model only.* test\/scripted$/);
		const alone = await scene.run('my-llm');
		assert.match((alone.result as Answer).text, /^test\/scripted INVALID_REQUEST /);
	});

	it('has its own rights: neither those of the one who asks nor only those', async () => {
		await open({ files: { 'notes.txt': 'secret plan' } });
		provides(
			`const { text } = await host.fs.read({ path: 'notes.txt' });
			const { code } = await host.fs.write({ path: 'new.txt', content: 'x' }).catch(failure);
			return { text: text + ' ' + code };`,
			['workspace.read'],
		);
		const { text } = await asks<Answer>(chat, {}, ['llm', 'workspace.write']);
		assert.equal(text, 'secret plan DENIED_BY_RULE');
	});

	it('gets no secret, and lets none out', async () => {
		await open();
		const key = `sk-ant-${'a1B2'.repeat(12)}`;
		provides(`return { text: params.messages[0].content.length + ' sk-ant-' + 'c3D4'.repeat(12) };`);
		const { text } = await asks<Answer>(chat, { text: key });
		assert.ok(!text.startsWith(String(key.length)) && !text.includes('c3D4c3D4'), text);
	});

	it('is told the params and nothing of the thread; the ledger says who answered whom', async () => {
		await open({
			files: { 'notes.txt': 'noted' },
			settings: { 'prowess.capabilities.model': 'capability:skill/echo-model' },
		});
		const from = join(import.meta.dirname, '../../fixtures/capabilities/skill/echo-model');
		cpSync(from, join(scene.host.workspace, '.prowess/capabilities/skill/echo-model'), { recursive: true });
		scene.capability('skill', 'asks', skill(chat, ['llm']));
		const message = { messageId: 'm', threadId: 't', content: 'between us', sender: 'user' as const, timestamp: '' };
		const more = { system: 'Be brief', temperature: 0.5, maxTokens: 50 };
		const { result } = await scene.run('asks', { more }, { messages: [message] });
		const { text, model } = result as Answer;
		assert.equal(model, 'capability:skill/echo-model');
		assert.equal(text.slice(0, 6), 'noted ');
		assert.deepEqual(JSON.parse(text.slice(6)), {
			...{ messages: [{ role: 'user', content: 'hello' }], ...more },
			...{ thread: 0, service: 'llm' },
		});
		const [intent] = await runs();
		assert.match(intent?.trigger ?? '', /^skill\/asks:llm \(cap_/);
		assert.match(intent?.input ?? '', /^Run skill echo-model for its service llm as cap_/);
		const [, outcome] = await scene.rows('llm.chat');
		assert.match(outcome?.output ?? '', /^capability:skill\/echo-model: about \d+ tokens in/);
	});

	it('is one of those that the user named, or the model that they chose for all capabilities', async () => {
		await open({
			script: [{ text: 'from the model' }],
			settings: { 'prowess.capabilities.model': 'test/other', 'prowess.capabilities.modelProviders': ['skill/my-llm'] },
		});
		provides(`return { text: 'from the capability' };`);
		const answers = await asks<Answer[]>(
			`const heard = [];
			const more = { onOutput: (text) => heard.push(text) };
			const ask = (to) => host.llm.chat({ messages: [{ role: 'user', content: 'x' }], ...to }, more);
			const answers = [await ask(), await ask({ model: '${MODEL}' })];
			return [...answers, { model: 'heard', text: heard.join() }];`,
		);
		assert.equal(answers.pop()?.text, 'from the model,from the capability');
		assert.deepEqual(
			answers.map(({ text, model }) => `${model}: ${text}`),
			['test/other: from the model', `${MODEL}: from the capability`],
		);
	});

	it('answers in the form of a schema, or is said not to', async () => {
		await open();
		provides(
			`return { text: params.messages[0].content === 'good' && params.system.includes('JSON Schema') ? '{"n": 7}' : 'seven' };`,
		);
		const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
		const [good, bad] = await asks<[{ output: unknown }, Failure]>(
			`const ask = (prompt) => host.llm.oneshot({ prompt, schema: params.schema }).catch(failure);
			return [await ask('good'), await ask('bad')];`,
			{ schema },
		);
		assert.deepEqual(good.output, { n: 7 });
		assert.equal(bad.code, 'DATA_MALFORMED');
		assert.match(bad.message, /capability:skill\/my-llm/);
	});
});
