/** Steps of a running capability as the card of its call is told them, by a real host with real executors. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { textOutput } from '../../../src/cli/run/text-output.ts';
import { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { isProwessError } from '../../../src/protocol/errors/errors.ts';
import { newId, type OpId } from '../../../src/protocol/rpc/ids.ts';
import type { ExecutionState } from '../../../src/protocol/capability/capability-ops.ts';
import type { OpOutcome } from '../../../src/protocol/turn/broker.ts';
import {
	countSteps,
	isOpenStep,
	MAX_STEP_CHARS,
	MAX_STEPS_KEPT,
	mergeStep,
	type RunStep,
} from '../../../src/protocol/turn/run-steps.ts';
import {
	type SubTurnProgress,
	subTurnHostRequests,
	subTurnNotifications,
} from '../../../src/protocol/turn/sub-turn.ts';
import type { TestHostOptions } from '../../support/host-ports.ts';
import { TurnScene } from '../../support/turn-scene.ts';
import { waitFor } from '../../support/wait-for.ts';
import { emptyThread, useServedBases } from '../approvals/served-base.ts';

const capability = (name: string, more: string, program: string, type = 'skill') => ({
	[`.prowess/capabilities/${type}/${name}/capability.yaml`]: `name: ${name}\ntype: ${type}\nversion: 1.0.0\ndescription: does ${name}\n${more}\n`,
	[`.prowess/capabilities/${type}/${name}/index.js`]: program,
});
const skill = (name: string, permissions: string, body: string) =>
	capability(
		name,
		`level: CONTROLLED\npermissions: [${permissions}]`,
		`export async function execute(params, { host, progress, signal, log }) {\n${body}\n}`,
	);
/** A tool of a worker: nothing slows its reports. */
const worker = (name: string, permissions: string, body: string) =>
	capability(
		name,
		`level: MONITORED\nruntime: node-worker\npermissions: [${permissions}]`,
		`import { op, progress } from '@prowess/sdk';\nexport async function work() {\n${body}\n}`,
	);
const FOREVER = 'await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));';

const files = {
	'a.txt': 'one\ntwo',
	...skill(
		'steady',
		'workspace.read, capabilities',
		`progress('begins');
		await host.fs.read({ path: 'a.txt' });
		await host.fs.read({ path: 'none.txt' }).catch(() => {});
		await host.shell.run({ argv: ['ls'] }).catch(() => {});
		await host.capability.start({ name: 'below' });
		progress('half', 0.5);`,
	),
	...skill('below', 'workspace.read', `progress('within'); await host.fs.read({ path: 'a.txt' });`),
	...skill(
		'talks',
		'',
		`progress('the key is canary-0123456789, said'); progress('\\u202eback\\u0000'); progress('long '.repeat(2_000)); progress('two\\nlines'); progress(''); progress(undefined, NaN); progress(7, 3); await progress.report('', 0.5); await progress.report('all', '1'); log(Object.create(null));`,
	),
	...worker(
		'floods',
		'',
		`for (let at = 1; at <= 10_000; at++) progress.report('report ' + at);
		progress.report('the last '.repeat(1_000));`,
	),
	...worker('reads-on', 'workspace.read', `for (let at = 0; at < 100; at++) await op('fs.read', { path: 'a.txt' });`),
	...skill('waits', '', `progress('waits'); ${FOREVER}`),
	...skill('starts-waits', 'capabilities', `await host.capability.start({ name: 'waits' });`),
	...skill('asks', 'workspace.write', `await host.fs.write({ path: 'b.txt', content: 'b' });`),
	...capability(
		'never-ready',
		'level: SAFE',
		`await new Promise(() => setInterval(() => {}, 1_000));\nexport const execute = () => 1;`,
	),
	...capability(
		'thinks',
		'level: MONITORED\npermissions: [workspace.read, llm]',
		`export const execute = (_, { host }) => host.agent.run({ instructions: 'Look', prompt: 'Look', tools: ['fs.read'] }).then(({ text }) => text);`,
	),
};

describe('The card of a running capability', function () {
	this.timeout(60_000);
	const open = useServedBases();
	const scene = async (options: TestHostOptions = {}) => {
		const opened = await open({ files, ...options });
		opened.farWire.onRequest('thread/open', () => Promise.resolve(emptyThread(opened.threadId)));
		const told = () => opened.progress.flatMap((each) => (each.kind === 'steps' ? [each] : []));
		/** Steps of a call as its card keeps them. */
		const stepsOf = (opId: OpId) =>
			told()
				.filter((each) => each.opId === opId)
				.flatMap(({ steps }) => steps)
				.reduce<RunStep[]>(mergeStep, []);
		const start = async (name: string, rest: object = {}) => {
			const opId = newId('op');
			const since = performance.now();
			const outcome = await opened.perform('capability.start', { name, ...rest }, opId);
			return { opId, outcome, elapsedMs: performance.now() - since, steps: stepsOf(opId) };
		};
		/** Starts one, and resolves once such a step of it is told. */
		const started = async (name: string, fits: (step: RunStep) => boolean) => {
			const opId = newId('op');
			const outcome = opened.perform('capability.start', { name }, opId);
			await waitFor(`a step of ${name}`, () => stepsOf(opId).some(fits));
			return { opId, outcome };
		};
		const stop = (opId: OpId) => opened.base.capabilities.stopStartedBy(opId, opened.threadId);
		return { ...opened, told, stepsOf, start, started, stop };
	};
	const brief = ({ from, kind, status, title, fraction, error }: RunStep) =>
		[from, kind, status, title, fraction, error?.code].filter((each) => each !== undefined).join(' | ');
	const stateOf = (outcome: OpOutcome) =>
		outcome.status === 'done' ? (outcome.result as ExecutionState) : assert.fail(JSON.stringify(outcome));

	it('shows reports, ops, refusals, failures, and what lies below it, in the order they began and without secrets', async () => {
		const { base, start } = await scene();
		const { steps, outcome } = await start('steady');
		assert.equal(stateOf(outcome).success, true);
		assert.deepEqual(steps.map(brief), [
			'report | done | begins',
			'op | done | Read a.txt',
			'op | failed | Read none.txt | NOT_FOUND',
			'op | denied | Run ls | DENIED_BY_RULE',
			'op | done | Run capability below',
			'skill below | report | done | within',
			'skill below | op | done | Read a.txt',
			'report | done | half | 0.5',
		]);
		assert.deepEqual(
			steps.map(({ id }) => id),
			[1, 2, 3, 4, 5, 6, 7, 8],
		);
		// No secret, one line for each report, and of a long one its beginning.
		base.addSecret('canary-0123456789');
		const said = await start('talks');
		assert.doesNotMatch(JSON.stringify(said.steps), /canary/);
		const [secret, hidden, long, ...others] = said.steps.map(({ title }) => title);
		assert.match(secret ?? '', /^the key is .+, said$/);
		assert.equal(hidden, '\u202eback\u0000');
		assert.equal(long?.length, MAX_STEP_CHARS);
		assert.deepEqual(others, ['two lines', '7', '…', 'all']);
		assert.deepEqual(
			[stateOf(said.outcome).success, said.steps.map(({ fraction }) => fraction).slice(-3)],
			[true, [1, 0.5, undefined]],
		);
	});

	it('is told of 10,000 reports or 100 ops a few times a second, and of the last one in any case', async () => {
		const { base, told, start, started, stop, stepsOf } = await scene();
		const since = performance.now();
		const flood = await start('floods');
		assert.match(flood.steps.at(-1)?.title ?? '', /^the last the last .*…$/);
		assert.equal(flood.steps.at(-2)?.title, 'report 10000');
		const { opId } = await started('waits', ({ title }) => title === 'waits');
		const { executionId = '' } = base.capabilities.list().find(({ name }) => name === 'waits') ?? {};
		for (let at = 1; at <= 10_000; at++) {
			base.capabilities.noteStep(executionId, undefined, { kind: 'report', status: 'done', title: `report ${at}` });
		}
		await stop(opId);
		const elapsedMs = performance.now() - since;
		const steps = stepsOf(opId);
		assert.deepEqual([steps.at(-1)?.title, countSteps(steps), steps.length], ['report 10000', 10_001, MAX_STEPS_KEPT]);
		assert.ok(told().length <= elapsedMs / 100 + 2, `${told().length} messages in ${elapsedMs} ms`);
		assert.ok(told().every((each) => each.steps.length <= MAX_STEPS_KEPT));
		assert.ok(JSON.stringify(steps).length < 40_000);
		// Each of 100 ops is told in no more than two states.
		const before = told().length;
		const many = await start('reads-on');
		assert.equal(many.steps.length, 100);
		assert.ok(many.steps.every(({ status, title }) => status === 'done' && title === 'Read a.txt'));
		const messages = told().slice(before);
		assert.ok(messages.flatMap((each) => each.steps).length <= 200);
		assert.ok(messages.length <= many.elapsedMs / 100 + 2, `${messages.length} messages in ${many.elapsedMs} ms`);
	});

	it('shows the requests of a sub-turn to its model among the ops, and a failed one as failed', async () => {
		const opened = await scene({ server: () => Promise.resolve(opened.near) });
		const { farWire, far, start } = opened;
		farWire.onRequest('subTurn/run', async (asked) => {
			const { subTurnId } = asked as Pick<SubTurnProgress, 'subTurnId'>;
			const tell = (news: object) =>
				far.notify(subTurnNotifications.progress, { subTurnId, ...news } as SubTurnProgress);
			tell({ kind: 'request', model: 'first' });
			tell({ kind: 'request', model: 'second' });
			tell({ kind: 'text', text: 'I look ' });
			tell({ kind: 'text', text: 'first.' });
			tell({ kind: 'usage', calls: 1, tokens: 9 });
			const read = { opId: newId('op'), op: 'fs.read', params: { path: 'a.txt' } };
			await far.call(subTurnHostRequests.perform, { subTurnId, ...read }, new AbortController().signal);
			tell({ kind: 'request', model: 'second' });
			return {
				text: 'Two lines.',
				output: null,
				end: 'done',
				iterations: 2,
				model: 'second',
				usage: { inputTokens: 1, outputTokens: 1, estimated: false },
				toolCalls: [],
			};
		});
		const { steps, outcome } = await start('thinks');
		assert.equal(stateOf(outcome).result, 'Two lines.');
		assert.deepEqual(
			steps.map(({ words, ...step }) => [brief(step), words]),
			[
				['op | done | Run a sub-turn: Look', undefined],
				['model | failed | Ask first', undefined],
				['model | done | Ask second', 'I look first.'],
				['op | done | Read a.txt', undefined],
				['model | failed | Ask second', undefined],
			],
		);
	});

	it('of one that nobody waits for goes on after the outcome, to a last step that says how it ended', async () => {
		const { start, stop, stepsOf, base } = await scene();
		const { opId, outcome } = await start('waits', { wait: false });
		assert.equal(stateOf(outcome).success, undefined);
		await waitFor('a step', () => stepsOf(opId).length === 1);
		await stop(opId);
		assert.deepEqual(stepsOf(opId).map(brief), [
			'report | done | waits',
			'end | cancelled | The run has ended | CANCELLED',
		]);
		const { steps } = await start('steady', { wait: false });
		await waitFor('all to end', () => base.capabilities.list().every(({ status }) => status !== 'running'));
		assert.ok(steps.every((step) => !isOpenStep(step)));
	});

	it('of a script shows its ops, and what the capabilities that they run do, to the one that fails', async () => {
		const person: TestHostOptions['person'] = {
			approve: () => Promise.resolve({ kind: 'once' }),
		};
		const { perform, stepsOf } = await scene({ approvalMode: 'ask', person });
		const opId = newId('op');
		const script = [
			'name: Two steps',
			'steps:',
			'  - { id: run, capability: skill/steady }',
			'  - { id: look, op: fs.read, with: { path: none.txt }, after: [run] }',
		].join('\n');
		const outcome = await perform('script.run', { script }, opId);
		assert.equal(outcome.status, 'failed', JSON.stringify(outcome));
		const steps = stepsOf(opId).map(brief);
		assert.deepEqual(steps, [
			'op | done | Run skill steady',
			'run | report | done | begins',
			'run | op | done | Read a.txt',
			'run | op | failed | Read none.txt | NOT_FOUND',
			'run | op | denied | Run ls | DENIED_BY_RULE',
			'run | op | done | Run capability below',
			'skill below | report | done | within',
			'skill below | op | done | Read a.txt',
			'run | report | done | half | 0.5',
			'op | failed | Read none.txt | NOT_FOUND',
		]);
	});

	it('waits where an op of it waits, and has one end when its user stops it or its process is killed', async () => {
		const never = (signal: AbortSignal) =>
			new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
		const person: TestHostOptions['person'] = {
			approve: ({ op }, signal) => (op === 'fs.write' ? never(signal) : Promise.resolve({ kind: 'once' })),
		};
		const { base, stepsOf, started, stop, perform, threadId } = await scene({ approvalMode: 'ask', person });
		const isOver = (error: unknown) => isProwessError(error) && error.code === 'INVALID_STATE';
		for (const [name, isThere, shown] of [
			['never-ready', () => base.capabilities.list().some(({ name: each }) => each === 'never-ready'), []],
			['waits', (steps: readonly RunStep[]) => steps.length === 1, ['report | done | waits']],
			[
				'starts-waits',
				(steps: readonly RunStep[]) => steps.length === 2,
				['op | cancelled | Run capability waits', 'skill waits | report | done | waits'],
			],
			['asks', ([step]: readonly RunStep[]) => step?.status === 'waiting', ['op | cancelled | Write b.txt']],
		] as const) {
			const opId = newId('op');
			const outcome = perform('capability.start', { name }, opId);
			await waitFor(`${name} to be there`, () => isThere(stepsOf(opId)));
			await assert.rejects(base.capabilities.stopStartedBy(opId, newId('thr')), isOver);
			await stop(opId);
			const { status, success, stoppedByUser } = stateOf(await outcome);
			assert.deepEqual([status, success, stoppedByUser], ['stopped', false, true], name);
			assert.deepEqual(
				stepsOf(opId).map((step) => brief({ ...step, error: undefined })),
				shown,
				name,
			);
			// Not a second time, and not by another thread.
			await assert.rejects(stop(opId), isOver);
		}
		await assert.rejects(base.capabilities.stopStartedBy(newId('op'), threadId), isOver);
		// Each stop is the user's own act, once; one that found nothing to stop is none.
		const acts = (await base.ledger.query({ limit: 500 })).filter(({ op }) => op === 'capability.stop');
		assert.equal(acts.filter(({ kind, trigger }) => kind === 'intent' && trigger === 'user').length, 4);
		assert.equal(acts.filter(({ kind, status }) => kind === 'outcome' && status === 'done').length, 4);
		const { opId, outcome } = await started('asks', ({ status }) => status === 'waiting');
		const { pid = 0 } = base.capabilities.list().find(({ status }) => status === 'running') ?? {};
		process.kill(pid, 'SIGKILL');
		assert.equal(stateOf(await outcome).error?.code, 'PROCESS_CRASHED');
		assert.deepEqual(stepsOf(opId).map(brief), ['op | cancelled | Write b.txt']);
	});
});

describe('A turn with capabilities', function () {
	this.timeout(60_000);
	let scene: TurnScene;
	afterEach(() => scene.close());

	it('has their steps in its events, in its thread, in a terminal, and in an export, in few updates', async () => {
		const runs = (name: string) => ({ toolCalls: [{ name: 'capability_start', input: { name } }] });
		scene = await TurnScene.open({
			script: [
				runs('thinks'),
				{ text: 'I look first.', toolCalls: [{ name: 'fs_read', input: { path: 'a.txt' } }] },
				{ text: 'Two lines.' },
				runs('reads-on'),
				{ text: 'Done.' },
			],
			files,
			approvalMode: 'full',
		});
		const threadId = await scene.begin();
		const [since, before] = [performance.now(), scene.updates];
		await scene.sends(threadId, 'Look at it');
		assert.equal(await scene.ended(), 'done');
		const elapsedMs = performance.now() - since;
		const updates = scene.updates - before;
		assert.ok(updates <= elapsedMs / 33 + 5, `${updates} updates in ${elapsedMs} ms`);
		const told = scene.events.filter((event) => event.type === 'item.step');
		assert.ok(told.length <= 2 * (4 + 100), `${told.length} events`);
		const { items } = await scene.opened(threadId);
		const cards = items.flatMap((item) => (item.kind === 'tool' ? [item] : []));
		assert.deepEqual(
			cards.map(({ steps = [] }) => steps.map(({ title, words, status }) => [title, words, status].join(' | '))),
			[
				[
					'Run a sub-turn: Look |  | done',
					'Ask test/scripted | I look first. | done',
					'Read a.txt |  | done',
					'Ask test/scripted | Two lines. | done',
				],
				Array.from({ length: 100 }, () => 'Read a.txt |  | done'),
			],
		);
		for (const { id, steps } of cards) {
			const own = told.filter(({ itemId }) => itemId === id).map(({ step }) => step);
			assert.deepEqual(own.reduce<RunStep[]>(mergeStep, []), steps);
		}
		const stderr = Object.assign(new PassThrough(), { isTTY: true });
		const shown = textOutput(new Terminal({ stdin: new PassThrough(), stdout: new PassThrough(), stderr }));
		for (const event of scene.events) shown.event(event);
		const lines = String(stderr.read()).split('\n');
		// Steps that end in one update are told in the order in which they began.
		const first = ['    Ask test/scripted', '    Ask test/scripted', '    Read a.txt', '    Run a sub-turn: Look'];
		const ofFirst = lines.filter((line) => /^ {4}(?:Ask|Read|Run) /.test(line)).slice(-104, -100);
		assert.deepEqual(ofFirst.toSorted(), first);
		assert.ok((await scene.exported(threadId)).includes('- Ask test/scripted\n- Read a.txt\n- Ask test/scripted\n'));
	});
});
