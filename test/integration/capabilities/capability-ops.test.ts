/** Capabilities as the agent and other capabilities find, start, watch and stop them; with the real executor of skills. */
import assert from 'node:assert/strict';
import { newId, type ThreadId, type TurnId } from '../../../src/protocol/rpc/ids.ts';
import type { ExecutionState } from '../../../src/protocol/capability/capability-ops.ts';
import { type OpResult, ops } from '../../../src/protocol/op-table/ops.ts';
import { brokerRequests, type OpOutcome } from '../../../src/protocol/turn/broker.ts';
import type { ThreadItem } from '../../../src/protocol/thread/items.ts';
import type { ThreadSnapshot } from '../../../src/protocol/thread/thread.ts';
import { turnNotifications } from '../../../src/protocol/thread/thread-requests.ts';
import type { TestHostOptions } from '../../support/host-ports.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useServedBases } from '../approvals/served-base.ts';

const skill = (name: string, index: string, more = '') => ({
	[`.prowess/capabilities/skill/${name}/capability.yaml`]: `name: ${name}\ntype: skill\nversion: 1.0.0\ndescription: does ${name}\n${more}`,
	[`.prowess/capabilities/skill/${name}/index.mjs`]: index,
});
const echo = skill('echo', 'export const execute = (params, { messages }) => ({ params, messages })');
const endless = skill('endless', 'export const execute = (_, { signal }) => new Promise((r) => signal.onabort = r)');
const starter = (name: string, target: string, permissions = 'capabilities') =>
	skill(
		name,
		`export const execute = (params, { host }) => host.capability.start({ name: '${target}', params })`,
		`permissions: [${permissions}]\n`,
	);

describe('A capability that is started by an op', function () {
	this.timeout(60_000);
	const open = useServedBases();
	/** In the thread of the agent that starts it. */
	const said: ['user' | 'text' | 'notice', string][] = [];
	beforeEach(() => void said.splice(0));
	const snapshotOf = (id: ThreadId, turnId: TurnId): ThreadSnapshot => {
		const at = new Date().toISOString();
		const info = {
			id,
			title: 't',
			modelId: null,
			mode: 'agent',
			createdAt: at,
			updatedAt: at,
			workspace: null,
		} as const;
		const items = said.map(([kind, text]): ThreadItem => {
			const item = { id: newId('itm'), turnId, at, text };
			switch (kind) {
				case 'user':
					return { ...item, kind, context: [] };
				case 'text':
					return { ...item, kind, done: true };
				case 'notice':
					return { ...item, kind, level: 'info', actions: [] };
			}
		});
		return { info: { ...info, running: true }, items, seq: 1, earlier: 0, turnId, todos: [], usage: null };
	};
	const served = async (files: Readonly<Record<string, string>>, options: TestHostOptions = {}) => {
		const scene = await open({ files, ...options });
		scene.farWire.onRequest('thread/open', () => Promise.resolve(snapshotOf(scene.threadId, scene.turnId)));
		const start = async (name: string, rest: object = {}) =>
			stateOf(await scene.perform('capability.start', { name, ...rest }));
		const statusOf = (executionId: string) => scene.base.capabilities.status(executionId);
		return { ...scene, start, statusOf };
	};
	const errorOf = (outcome: OpOutcome) => (outcome.status === 'done' ? assert.fail('it was done') : outcome.error);
	const resultOf = (outcome: OpOutcome) => {
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		return outcome.status === 'done' ? outcome.result : undefined;
	};
	const stateOf = (outcome: OpOutcome) => resultOf(outcome) as ExecutionState;

	it('is told the facts of its thread that its consent names, without secrets, and no more than its starter', async () => {
		const secret = `ghp_${'a1B2c3D4'.repeat(4)}a1B2`;
		const facts = 'export const execute = (_, { metadata }) => metadata';
		const { base, threadId } = await served(
			{
				...skill('all', facts),
				...skill('last', facts, 'context: last\n'),
				...skill('none', facts, 'context: none\n'),
				...skill(
					'silent',
					"export const execute = async (_, { host }) => await host.capability.start({ name: 'all' })",
					'permissions: [capabilities]\ncontext: none\n',
				),
				'.git/HEAD': `ref: refs/heads/fix/${secret}\n`,
			},
			{
				approvalMode: 'auto',
				editor: { activeFile: () => ({ path: 'src/a.ts', startLine: 2, endLine: 4 }) } as TestHostOptions['editor'],
			},
		);
		await base.modes.set(threadId, 'plan', new AbortController().signal);
		const run = async (name: string, thread: ThreadId | null) =>
			(
				await base.capabilities.run(
					{ capability: { name }, caller: { kind: 'user', threadId: thread } },
					new AbortController().signal,
				)
			).result;
		const all = (await run('all', threadId)) as Record<string, unknown>;
		assert.deepEqual(
			[all['mode'], all['level'], all['activeFile']],
			['plan', 'auto', { path: 'src/a.ts', startLine: 2, endLine: 4 }],
		);
		assert.match(String(all['branch']), /^fix\/<redacted/);
		assert.deepEqual(await run('last', threadId), all);
		assert.deepEqual(Object.keys((await run('all', null)) as object), ['branch', 'activeFile']);
		assert.deepEqual(await run('none', threadId), {});
		const { result, error } = (await run('silent', null)) as ExecutionState;
		assert.deepEqual(result, {}, JSON.stringify(error));
	});

	it('is for people only: models are neither offered it nor let start it, on their own or from within another', async () => {
		const { perform, base } = await served({
			...skill('deploy', 'export const execute = () => "deployed"', 'modelInvocable: false\n'),
			...starter('starter', 'deploy'),
			'.claude/skills/release/SKILL.md':
				'---\nname: release\ndescription: d\ndisable-model-invocation: true\n---\nDo it.',
		});
		const { capabilities } = resultOf(await perform('capability.list', {})) as { capabilities: { name: string }[] };
		assert.deepEqual(
			capabilities.map(({ name }) => name).filter((name) => ['deploy', 'release', 'starter'].includes(name)),
			['starter'],
		);
		for (const name of ['deploy', 'release', 'skill/deploy']) {
			const { code, message } = errorOf(await perform('capability.start', { name }));
			assert.equal(code, 'DENIED_BY_RULE');
			assert.match(message, /is for people only.*Ask the user to run it/);
		}
		const caller = { kind: 'user', threadId: null } as const;
		const never = new AbortController().signal;
		const within = await base.capabilities.run({ capability: { name: 'starter' }, caller }, never);
		assert.match(within.error?.message ?? '', /deploy is for people only/);
		await assert.rejects(
			base.capabilities.run({ capability: { name: 'deploy' }, caller, parentAgentId: 'vscode.lm' }, never),
			{ code: 'DENIED_BY_RULE' },
		);
		assert.equal((await base.capabilities.run({ capability: { name: 'deploy' }, caller }, never)).result, 'deployed');
	});

	it('is not there, or has nobody to run it: both are said before anything happens', async () => {
		const { perform, base } = await served({});
		for (const [params, code] of [
			[{ name: 'nothing' }, 'CAPABILITY_NOT_FOUND'],
			[{ name: 'nothing', type: 'magic' }, 'EXECUTOR_NOT_FOUND'],
			[{ name: 'x', wait: 'yes' }, 'INVALID_PARAMS'],
		] as const) {
			const outcome = await perform('capability.start', params);
			assert.equal(errorOf(outcome).code, code);
		}
		assert.deepEqual(base.capabilities.list(), []);
	});

	it('is refused with each input that is wrong', async () => {
		const inputs = 'inputs: [{ name: a, type: number, required: true }, { name: b, type: string }]\n';
		const { perform } = await served(skill('strict', 'export const execute = () => 1', inputs));
		const outcome = await perform('capability.start', { name: 'strict', params: { b: 1, c: 2 } });
		const { code, facts } = errorOf(outcome);
		assert.equal(code, 'INVALID_REQUEST');
		assert.equal((facts['problems'] as unknown[]).length, 3);
	});

	it('says why it failed, and the op was done', async () => {
		const { start } = await served(skill('broken', 'export const execute = () => { throw new Error("no luck") }'));
		const { status, success, error } = await start('broken');
		assert.deepEqual([status, success, error?.code], ['failed', false, 'EXECUTION_FAILED']);
		assert.match(error?.message ?? '', /no luck/);
	});

	it('ends with the op that waits for it', async () => {
		const { far, threadId, turnId, base } = await served(endless);
		const stop = new AbortController();
		const opId = newId('op');
		const asked = far.call(
			brokerRequests.perform,
			{ opId, op: 'capability.start', params: { name: 'endless' }, threadId, turnId },
			stop.signal,
		);
		const gone = assert.rejects(asked);
		await waitFor('it to run', () => base.capabilities.list()[0]?.status === 'running');
		stop.abort();
		await gone;
		await waitFor('it to end', () => base.capabilities.list()[0]?.status === 'stopped');
		await waitFor('the op to be settled', async () => {
			const known = await far.call(brokerRequests.outcome, { opId }, new AbortController().signal);
			return known.kind === 'settled' && known.outcome.status === 'cancelled';
		});
	});

	for (const outcome of ['stopped', 'failed', 'interrupted'] as const) {
		it(`in the background ends with a turn that was ${outcome}`, async () => {
			const { start, statusOf, far, turnId } = await served(endless);
			const { executionId, success } = await start('endless', { wait: false });
			assert.equal(success, undefined);
			far.notify(turnNotifications.ended, { turnId, outcome });
			await waitFor('it to end', () => statusOf(executionId) === 'stopped');
		});
	}

	it('in the background goes on after a turn that was done, and ends with the connection', async () => {
		const { start, statusOf, far, turnId, connection } = await served(endless);
		const { executionId } = await start('endless', { wait: false });
		far.notify(turnNotifications.ended, { turnId, outcome: 'done' });
		await waitFor('it to run', () => statusOf(executionId) === 'running');
		connection.dispose();
		await waitFor('it to end', () => statusOf(executionId) === 'stopped');
	});

	it('never runs within itself, also not by a way around', async () => {
		const { start } = await served({ ...starter('ping', 'pong'), ...starter('pong', 'ping') });
		const { success, result } = await start('ping');
		assert.equal(success, true);
		const pong = result as ExecutionState;
		assert.deepEqual([pong.name, pong.success, pong.error?.code], ['pong', false, 'EXECUTION_FAILED']);
		assert.match(pong.error?.message ?? '', /would run within itself: skill ping → skill pong → skill ping/);
	});

	it('does not start others without the permission, and gives them no more than it has', async () => {
		const reads = skill(
			'reads',
			'export const execute = async (_, { host }) => host.fs.read({ path: "a.txt" }).catch(({ code }) => code)',
			'permissions: [workspace.read]\n',
		);
		const { start } = await served({
			...reads,
			...starter('may-not', 'reads', ''),
			...starter('less', 'reads'),
			'a.txt': 'a',
		});
		const refused = await start('may-not');
		assert.match(refused.error?.message ?? '', /needs the permission "capabilities"/);
		assert.equal(((await start('less')).result as ExecutionState).result, 'DENIED_BY_RULE');
		assert.equal((((await start('reads')).result as { text: string }) ?? {}).text, 'a');
	});

	it('is refused an op above its level, and above that of the one that started it', async () => {
		const sends = `export const execute = async (_, { host }) =>
			host.http.request({ method: 'POST', url: 'http://a.invalid/' }).catch(({ message }) => message)`;
		const starts = `export const execute = (_, { host }) => host.capability.start({ name: 'may-send' })`;
		const { start } = await served(
			{
				...skill('sends', sends, 'permissions: [http]\nlevel: MONITORED\n'),
				...skill('may-send', sends, 'permissions: [http]\nlevel: CONTROLLED\n'),
				...skill('starts', starts, 'permissions: [http, capabilities]\nlevel: MONITORED\n'),
			},
			{ approvalMode: 'auto', settings: { 'prowess.approvals.allow': ['http.request a.invalid'] } },
		);
		const refusal = /^http\.request is CONTROLLED, and this capability runs as MONITORED/;
		assert.match(String((await start('sends')).result), refusal);
		assert.match(String(((await start('starts')).result as ExecutionState).result), refusal);
	});

	it('that throws a long text tells the model its beginning, and the user all of it', async () => {
		const throws = `export const execute = () => { throw new Error('it broke '.repeat(600)); }`;
		const { start } = await served(skill('throws', throws), { approvalMode: 'auto' });
		const { error, ...state } = await start('throws');
		assert.ok(error !== undefined && error.message.length > 5_000);
		const told = ops['capability.start'].present({ ...state, error });
		assert.match(told, /EXECUTION_FAILED: it broke it broke .*…$/);
		assert.ok(told.length < 400, String(told.length));
	});

	it('is told which params an op does not know, and nothing is done', async () => {
		const fetches = `export const execute = (_, { host }) =>
			host.http.get({ url: 'http://a.invalid/', auth: { secret: 'x' } }).catch(({ code, message }) => [code, message])`;
		const { start } = await served(skill('fetches', fetches, 'permissions: [http]\nlevel: MONITORED\n'), {
			approvalMode: 'auto',
		});
		assert.deepEqual((await start('fetches')).result, [
			'INVALID_PARAMS',
			'http.get: there is no "auth"; there is "url", "raw", "session"',
		]);
	});

	it('works for the agent that started the whole tree of executions', async () => {
		const who = skill('who', 'export const execute = (_, { agentId, agentInstanceId }) => [agentId, agentInstanceId]');
		const { start, threadId, turnId } = await served({ ...who, ...starter('asks-who', 'who') });
		const { result } = await start('asks-who');
		assert.deepEqual((result as ExecutionState).result, [threadId, turnId]);
	});

	it('is recorded with what it was given, without secrets', async () => {
		const { start, base } = await served(echo);
		await start('echo', { params: { city: 'Bern', key: `sk-ant-api03-${'a1B2'.repeat(24)}` } });
		const [row] = (await base.ledger.query({ limit: 100 })).filter(
			({ op, kind }) => op === 'capability.run' && kind === 'intent',
		);
		assert.match(row?.input ?? '', /^Run skill echo as cap_\w+ with \{"city":"Bern","key":"<redacted/);
	});

	it('knows and stops only what it started itself', async () => {
		const meddler = skill(
			'meddler',
			`export const execute = async ({ executionId }, { host }) => [
				(await host.capability.status({})).executions.length,
				await host.capability.stop({ executionId }).catch(({ code }) => code),
			]`,
			'permissions: [capabilities]\n',
		);
		const { start, statusOf, performFor } = await served({ ...endless, ...meddler });
		const { executionId } = await start('endless', { wait: false });
		assert.deepEqual((await start('meddler', { params: { executionId } })).result, [0, 'INVALID_REQUEST']);
		const other = await performFor(newId('thr'), 'capability.stop', { executionId });
		assert.equal(errorOf(other).code, 'INVALID_REQUEST');
		assert.notEqual(statusOf(executionId), 'stopped');
	});

	it('is found among hundreds by words of its description, and the list is told a page at a time', async () => {
		const description = 'Does one of the many things that nobody looks for. '.repeat(6);
		const many = Object.fromEntries(
			Array.from({ length: 200 }, (_, n) => [
				`.claude/skills/other-${n}/SKILL.md`,
				`---\nname: other-${n}\ndescription: ${description}\n---\nDo it.`,
			]),
		);
		const paper = '---\nname: paper\ndescription: Fills the fields of PDF forms\n---\nDo it.';
		const { perform } = await served({ ...many, '.claude/skills/paper/SKILL.md': paper });
		type List = OpResult<'capability.list'>;
		const list = async (params: object) => resultOf(await perform('capability.list', params)) as List;
		const found = await list({ query: 'fill a pdf form' });
		assert.equal(found.capabilities[0]?.name, 'paper');
		const none = await list({ query: 'xylophone' });
		assert.equal(ops['capability.list'].present(none), 'None matches.');

		const names: string[] = [];
		for (let offset = 0; ;) {
			const page = await list({ type: 'skill', offset });
			const text = ops['capability.list'].present(page);
			assert.ok(text.length <= 8_200, `${text.length} characters`);
			names.push(...text.matchAll(/^skill\/([\w-]+): \S/gm).map(([, name = '']) => name));
			const next = /\[(\d+) of 201; the next ones: offset (\d+)\]$/.exec(text);
			if (next === null) break;
			offset = Number(next[2]);
		}
		assert.equal(new Set(names).size, 201);
		assert.equal(names.length, 201);
	});

	it('is found, looked at, run, watched and stopped', async () => {
		const { perform, start, base } = await served({ ...echo, ...endless });
		const { capabilities } = resultOf(await perform('capability.list', { type: 'skill' })) as {
			capabilities: { name: string }[];
		};
		assert.deepEqual(capabilities.map(({ name }) => name).sort(), ['echo', 'endless']);
		const detail = resultOf(await perform('capability.detail', { name: 'echo' })) as { level: string };
		assert.equal(detail.level, 'CONTROLLED');
		const { result, success } = await start('echo', { params: { a: 1 } });
		assert.deepEqual([success, (result as { params: unknown }).params], [true, { a: 1 }]);

		const { executionId } = await start('endless', { wait: false });
		const watched = resultOf(await perform('capability.status', {})) as { executions: ExecutionState[] };
		assert.deepEqual(
			watched.executions.map(({ name, success: ok }) => [name, ok]),
			[
				['echo', true],
				['endless', undefined],
			],
		);
		const stopped = stateOf(await perform('capability.stop', { executionId }));
		assert.deepEqual([stopped.status, stopped.error?.code], ['stopped', 'CANCELLED']);
		const rows = (await base.ledger.query({ limit: 100 })).map(
			({ kind, op, trigger }) => `${kind} ${op} ${trigger.split(':')[0]}`,
		);
		assert.ok(
			rows.includes('intent capability.start agent') && rows.includes('intent capability.run agent'),
			rows.join('\n'),
		);
	});

	it('is told what was said in the thread, without secrets, and so is what it starts', async () => {
		const scene = await served({ ...echo, ...starter('outer', 'echo') });
		const secret = `sk-ant-${'a1B2'.repeat(12)}`;
		said.push(['user', `use ${secret}`], ['text', 'I will']);
		for (const state of [await scene.start('echo'), (await scene.start('outer')).result as ExecutionState]) {
			const { messages } = state.result as { messages: { sender: string; content: string }[] };
			assert.deepEqual(
				messages.map(({ sender }) => sender),
				['user', 'agent'],
			);
			assert.doesNotMatch(JSON.stringify(messages), /a1B2a1B2/);
		}
	});

	it('is told nothing of what we say of the thread, and that leaves its room to what was said', async () => {
		const scene = await served(echo);
		said.push(['user', 'Build the shop']);
		// A silent answer has no text.
		for (let n = 0; n < 30; n += 1) {
			said.push(['notice', 'Shortened.'], ['text', '']);
		}
		const { messages } = (await scene.start('echo')).result as { messages: { content: string }[] };
		assert.deepEqual(
			messages.map(({ content }) => content),
			['Build the shop'],
		);
	});

	it('shows that a person is asked, first for itself and then for what it does', async () => {
		const writes = skill(
			'writes',
			'export const execute = (_, { host }) => host.fs.write({ path: "b.txt", content: "b" })',
			'permissions: [workspace.write]\n',
		);
		const asked: string[] = [];
		const person = {
			approve: ({ op }: { op: string }) => {
				asked.push(op);
				return Promise.resolve({ kind: 'once' } as const);
			},
		};
		const { start, progress } = await served(writes, { approvalMode: 'ask', person });
		assert.equal((await start('writes')).success, true);
		assert.deepEqual(asked, ['capability.start', 'fs.write']);
		assert.deepEqual(
			progress.map(({ kind }) => kind).filter((kind) => kind !== 'steps'),
			['running', 'waiting', 'running', 'waiting', 'running'],
		);
	});
});
