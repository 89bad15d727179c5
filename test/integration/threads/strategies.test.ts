/**
 * Tests strategies for messages: chosen without a model, told in the chat, undone by the user, with the effects left to
 * the gate.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ThreadId } from '../../../src/protocol/rpc/ids.ts';
import { threadRequests } from '../../../src/protocol/thread/thread-requests.ts';
import type { Strategy } from '../../../src/protocol/thread/thread.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';
import { bubblewrap } from '../../support/sandbox-scene.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { MemoryHost, OpFailure } from '../../transcripts/memory-host.ts';
import { useServedBases } from '../approvals/served-base.ts';
import { type ServerOptions, ServerUnderTest } from './server-under-test.ts';

const signal = new AbortController().signal;
const SEVERAL = 'First add the column, then fill it, and finally write the tests.';
const PLANNED = `${SEVERAL} Make a plan first.`;

describe('The strategy of a message', () => {
	let model: ModelServer;
	let server: ServerUnderTest;

	afterEach(async () => {
		await server.stop();
		await model.close();
	});

	async function prompted(text: string, options: Partial<ServerOptions> & { strategy?: Strategy } = {}) {
		model = await startModelServer([{ text: 'Here you are.' }, { text: 'Here you are again.' }]);
		const { strategy, ...others } = options;
		server = await ServerUnderTest.startHere({
			home: tempDir('home'),
			host: new MemoryHost({}),
			modelUrl: model.baseUrl,
			...others,
		});
		const { id } = await server.peer.call(threadRequests.create, {}, signal);
		await server.peer.call(threadRequests.prompt, { threadId: id, text, ...(strategy && { strategy }) }, signal);
		await server.event(({ type }) => type === 'turn.end');
		return id;
	}
	const itemsOf = async (threadId: ThreadId) =>
		(await server.peer.call(threadRequests.open, { threadId }, signal)).items;
	const noticesOf = async (threadId: ThreadId) =>
		(await itemsOf(threadId)).flatMap((item) => (item.kind === 'notice' ? [item] : []));

	for (const text of [SEVERAL, 'Rewrite the whole app from scratch, including tests and docs']) {
		it(`is the direct answer to ${JSON.stringify(text)}, with a goal offered beside it and nothing asked before`, async () => {
			const host = new MemoryHost({});
			const id = await prompted(text, { host });
			const [said, offer, answer] = await itemsOf(id);
			assert.equal(said?.kind, 'user');
			assert.deepEqual(offer?.kind === 'notice' && offer.actions, ['workAsGoal']);
			assert.equal(answer?.kind === 'text' && answer.text, 'Here you are.');
			assert.equal(model.requests.length, 1);
			assert.doesNotMatch(model.requests[0]?.text ?? '<strategy>', /<strategy>/);
			assert.deepEqual(
				host.performed.filter(({ op }) => op === 'goal.start' || op === 'user.ask'),
				[],
			);
		});
	}

	it('is a goal once the user takes that offer, with the steps of the message as its plan', async () => {
		const host = new MemoryHost(
			{},
			{ 'goal.start': () => Promise.resolve({ id: 'goal_1', title: 'The column', steps: 3, isEdited: false }) },
		);
		const id = await prompted(SEVERAL, { host });
		const [offer] = await noticesOf(id);
		assert.ok(offer);
		server.updates.length = 0;
		const again = { threadId: id, turnId: offer.turnId, strategy: 'GOAL' } as const;
		await server.peer.call(threadRequests.rerun, again, signal);
		await server.event(({ type }) => type === 'turn.end');
		const asked = host.performed.find(({ op }) => op === 'goal.start');
		assert.match(JSON.stringify(asked?.params), /1\. Add the column\\n2\. Fill it\\n3\. Write the tests/);
		assert.equal(model.requests.length, 1);
		assert.ok((await noticesOf(id)).every(({ actions }) => !actions.includes('workAsGoal')));
	});

	it('has no goal offered beside it where the user has chosen it', async () => {
		const id = await prompted(SEVERAL, { strategy: 'DIRECT_RESPONSE' });
		assert.deepEqual(await noticesOf(id), []);
	});

	it('is told in the chat before the model begins, and the text stays as it is', async () => {
		const id = await prompted(PLANNED);
		const [notice] = await noticesOf(id);
		assert.match(notice?.text ?? '', /at most 8 steps/);
		assert.deepEqual(notice?.actions, ['answerDirectly']);
		const [request] = model.requests;
		assert.match(
			request?.text ?? '',
			/First add the column, then fill it, and finally write the tests\. Make a plan first\./,
		);
		assert.match(request?.text ?? '', /<strategy>/);
		const [said] = await itemsOf(id);
		assert.equal(said?.kind === 'user' && said.text, PLANNED);
	});

	it('is undone by working on the message again, directly', async () => {
		const id = await prompted(PLANNED);
		const [notice] = await noticesOf(id);
		assert.ok(notice);
		server.updates.length = 0;
		const again = { threadId: id, turnId: notice.turnId, strategy: 'DIRECT_RESPONSE' } as const;
		await server.peer.call(threadRequests.rerun, again, signal);
		await server.event(({ type }) => type === 'turn.end');
		assert.deepEqual(await noticesOf(id), []);
		assert.doesNotMatch(model.requests[1]?.text ?? '<strategy>', /<strategy>/);
	});

	it('is the one that the user chose, whatever the message says', async () => {
		const id = await prompted('Move the settings', { strategy: 'SCRIPT' });
		assert.match((await noticesOf(id))[0]?.text ?? '', /script/);
	});

	it('is the direct answer where it is switched off, and in a folder that is not trusted', async () => {
		const id = await prompted(PLANNED, { settings: { 'prowess.agent.strategies': false } });
		assert.deepEqual(await noticesOf(id), []);
		assert.doesNotMatch(model.requests[0]?.text ?? '<strategy>', /<strategy>/);
	});

	it('has the steps that a message names approved before any model is asked, and says that they have begun', async () => {
		const host = new MemoryHost(
			{},
			{ 'goal.start': () => Promise.resolve({ id: 'goal_1', title: 'The column', steps: 3, isEdited: false }) },
		);
		const id = await prompted(PLANNED, { host });
		const asked = host.performed.find(({ op }) => op === 'goal.start');
		assert.match(JSON.stringify(asked?.params), /1\. Add the column\\n2\. Fill it\\n3\. Write the tests/);
		assert.equal(model.requests.length, 0);
		const items = await itemsOf(id);
		assert.ok(items.some((item) => item.kind === 'text' && /“The column” has begun: 3 steps/.test(item.text)));
		assert.deepEqual((await noticesOf(id))[0]?.actions, ['answerDirectly']);
	});

	it('is work until a condition holds after /goal, begun with what decides it and not with a number of steps', async () => {
		for (const [check, said] of [
			['npm test', /“all tests pass” has begun, in a thread of its own\. After each round `npm test` decides/],
			[null, /“all tests pass” has begun, in a thread of its own\. After each round a model decides/],
		] as const) {
			const begun = { id: 'goal_1', title: 'all tests pass', steps: 1, check, isEdited: false };
			const host = new MemoryHost({}, { 'goal.start': () => Promise.resolve(begun) });
			const id = await prompted('/goal all tests\n pass', { host });
			assert.deepEqual(host.performed.find(({ op }) => op === 'goal.start')?.params, { plan: 'Until: all tests pass' });
			assert.equal(model.requests.length, 0);
			const [answer] = (await itemsOf(id)).filter(({ kind }) => kind === 'text');
			assert.match(answer?.kind === 'text' ? answer.text : '', said);
			await server.stop();
			await model.close();
		}
	});

	it('begins nothing after /goal without the yes of the user, and says so', async () => {
		const refuse = () => Promise.reject(new OpFailure('denied', 'DENIED_BY_USER', 'no'));
		const id = await prompted('/goal all tests pass', { host: new MemoryHost({}, { 'goal.start': refuse }) });
		assert.equal(model.requests.length, 0);
		assert.ok((await itemsOf(id)).some((item) => item.kind === 'text' && item.text === 'The goal has not begun.'));
	});

	it('is the direct answer once the user has refused the plan, with their reason', async () => {
		const refuse = () => Promise.reject(new OpFailure('denied', 'DENIED_BY_USER', 'no', { reason: 'only the tests' }));
		const id = await prompted(PLANNED, { host: new MemoryHost({}, { 'goal.start': refuse }) });
		const [request] = model.requests;
		assert.doesNotMatch(request?.text ?? '<strategy>', /<strategy>/);
		assert.doesNotMatch(JSON.stringify(request?.body['tools']), /"goal_start"/);
		assert.ok((await itemsOf(id)).some((item) => item.kind === 'text' && item.text === 'Here you are.'));
	});

	it('leaves the plan to the model where the message does not name its steps, with the tool for it at hand', async () => {
		await prompted('Make a goal of this: rewrite the whole app from scratch, including tests and docs');
		const [request] = model.requests;
		assert.match(request?.text ?? '', /<strategy>.*goal_start/s);
		assert.match(JSON.stringify(request?.body['tools']), /"goal_start"/);
	});

	it('leaves the condition to the model where the message names none, with the tool for it at hand', async () => {
		await prompted('Keep an eye on the build');
		const [request] = model.requests;
		assert.match(request?.text ?? '', /<strategy>.*schedule_add/s);
		assert.match(JSON.stringify(request?.body['tools']), /"schedule_add"/);
	});

	it('says a schedule that is kept in the language of the message, its time too', async () => {
		const next = new Date('2031-05-07T09:00:00').toISOString();
		for (const [text, said] of [
			['Erinnere mich morgen um 9 Uhr an das Release', /^Geplant: x\. Nächstes Mal: 07\.05\.2031, 09:00\.$/],
			['Every weekday at 9, list open issues', /^Scheduled: x\. Next: May 7, 2031, 9:00.AM\.$/],
		] as const) {
			const host = new MemoryHost(
				{},
				{ 'schedule.add': () => Promise.resolve({ id: 'sch_1', when: 'x', next, zone: 'UTC' }) },
			);
			const items = await itemsOf(await prompted(text, { host }));
			const answer = items.find((item) => item.kind === 'text');
			assert.match(answer?.kind === 'text' ? answer.text : '', said);
			await server.stop();
			await model.close();
		}
	});

	it('asks the host for a schedule, and answers directly where it refuses', async () => {
		const host = new MemoryHost({});
		const id = await prompted('Every weekday at 9, list open issues', { host });
		const asked = host.performed.find(({ op }) => op === 'schedule.add');
		const params = { when: 'Every weekday at 9', text: 'list open issues', kind: 'prompt', mode: 'ask' };
		assert.deepEqual(asked?.params, params);
		// This host has no schedules.
		assert.equal(model.requests.length, 1);
		assert.ok((await itemsOf(id)).some((item) => item.kind === 'text' && item.text === 'Here you are.'));
	});
});

describe('A schedule that an agent asks for', () => {
	const serve = useServedBases();
	const wanted = { when: 'every weekday at 9', text: 'list open issues' };

	it('is not kept where nobody can agree to it, whatever the level allows', async () => {
		for (const approvalMode of ['never', 'full'] as const) {
			const { base, perform } = await serve({ approvalMode });
			const outcome = await perform('schedule.add', wanted);
			assert.notEqual(outcome.status, 'done');
			assert.deepEqual(base.schedules.list(), []);
		}
	});

	it('is kept, and shown word for word before, once the user agrees', async () => {
		const shown: string[] = [];
		const approve = async (asked: unknown) => {
			shown.push(JSON.stringify(asked));
			return { kind: 'once' } as const;
		};
		const { base, perform } = await serve({ approvalMode: 'ask', person: { approve } });
		const outcome = await perform('schedule.add', { ...wanted, kind: 'reminder' });
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		assert.match(shown.join(''), /every weekday at 9.*list open issues/s);
		assert.deepEqual(
			base.schedules.list().map(({ words, text, kind, asks }) => ({ words, text, kind, asks })),
			[{ words: wanted.when, text: wanted.text, kind: 'reminder', asks: 'refuse' }],
		);
		const ops = (await base.ledger.query({ limit: 10 })).map(({ op, kind }) => `${op} ${kind}`);
		assert.ok(ops.includes('schedule.add intent'), ops.join('\n'));
	});

	it('on a command says whether a sandbox keeps it in where it runs unattended', async () => {
		for (const [path, said] of [
			[bubblewrap ?? '', 'may do more than read, in its sandbox'],
			['/nowhere/bwrap', 'may do more than read, and runs as you: no sandbox works here'],
		] as const) {
			const shown: string[] = [];
			const approve = async (asked: unknown) => {
				shown.push(JSON.stringify(asked));
				return { kind: 'deny' } as const;
			};
			const { perform } = await serve({
				approvalMode: 'ask',
				person: { approve },
				settings: { 'prowess.tools.bubblewrapPath': path },
			});
			await perform('schedule.add', { when: 'when `ls -a` says "done.txt"', text: 'Look at done.txt' });
			assert.ok(shown.join('').includes(said), shown.join(''));
		}
	});

	it('on a condition is asked about once, with what will be polled, and not kept where that is dangerous', async () => {
		const shown: string[] = [];
		const approve = async (asked: unknown) => {
			shown.push(JSON.stringify(asked));
			return { kind: 'once' } as const;
		};
		const { base, perform } = await serve({ approvalMode: 'ask', person: { approve } });
		const outcome = await perform('schedule.add', { when: 'when `ls -a` says "done.txt"', text: 'Look at done.txt' });
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		assert.equal(shown.length, 1, shown.join('\n'));
		assert.match(shown.join(''), /Runs unattended, again and again.*ls -a.*may do more than read/);
		const refused = await perform('schedule.add', { when: 'when `rm -rf /` succeeds', text: 'Look at a' });
		assert.match(JSON.stringify(refused), /nobody is there to be asked/);
		assert.equal(shown.length, 2, shown.join('\n'));
		assert.deepEqual(
			base.schedules.list().map(({ watch }) => watch?.condition.what),
			['ls -a'],
		);
	});

	it('is refused before anybody is asked when its time cannot be read', async () => {
		const { base, perform } = await serve({});
		assert.match(JSON.stringify(await perform('schedule.add', { ...wanted, when: 'when pigs fly' })), /INVALID_PARAMS/);
		assert.deepEqual(base.schedules.list(), []);
	});
});

describe('A goal that an agent proposes', () => {
	const serve = useServedBases();
	const plan = '# Ship it\n\n1. Write a\n2. Write b\n3. Write c (after 1)';

	it('is not kept where nobody can agree to it, whatever the level allows', async () => {
		for (const approvalMode of ['never', 'full'] as const) {
			const { base, perform } = await serve({ approvalMode });
			assert.notEqual((await perform('goal.start', { plan })).status, 'done');
			assert.deepEqual(base.goals.list(), []);
		}
	});

	it('is refused before anybody is asked when its plan cannot be carried out, with the line or the step', async () => {
		const { base, perform } = await serve({});
		for (const [bad, problem] of [
			['1. a\n1. b', /line 2 of the plan: expected step 2; got 1/],
			['Just do it', /line 1 of the plan/],
			['# x\n1. a (after 2)\n2. b (after 1)', /wait for each other/],
			['# x', /0 steps, expected 1 to 8/],
			['1. a', /a goal needs a title/],
		] as const) {
			assert.match(JSON.stringify(await perform('goal.start', { plan: bad })), problem);
		}
		assert.deepEqual(base.goals.list(), []);
	});

	it('is kept as the user changed it, and begins', async () => {
		const shown: string[] = [];
		const approve = async (asked: unknown) => {
			shown.push(JSON.stringify(asked));
			return { kind: 'once', text: plan.replace('Write b', 'Write b.txt') } as const;
		};
		const { base, perform } = await serve({ approvalMode: 'ask', person: { approve } });
		const outcome = await perform('goal.start', { plan });
		assert.equal(outcome.status, 'done', JSON.stringify(outcome));
		assert.match(shown.join(''), /Write a.*Write b.*Write c/s);
		const [goal] = base.goals.list();
		assert.deepEqual(
			[goal?.title, goal?.isFollowed, goal?.steps.map(({ text, after }) => [text, after])],
			[
				'Ship it',
				true,
				[
					['Write a', []],
					['Write b.txt', [1]],
					['Write c', [1]],
				],
			],
		);
	});
});

describe('A script that an agent writes', () => {
	const serve = useServedBases();
	const script = [
		'name: Copies',
		'steps:',
		"  - { id: copy, for: [a, b], op: fs.write, with: { path: '${item}.txt', content: '${item}' } }",
		'  - { id: look, op: fs.read, with: { path: a.txt }, after: [copy] }',
	].join('\n');

	it('is refused with the lines of its problems before anybody is asked', async () => {
		const { perform } = await serve({ approvalMode: 'ask' });
		const outcome = await perform('script.run', { script: script.replace('fs.read', 'fs.raed') });
		assert.match(JSON.stringify(outcome), /script\.yaml:4: steps\.1\.op: there is no op/);
	});

	it('is shown whole, and each of its ops is judged by itself', async () => {
		const shown: string[] = [];
		const approve = async (asked: unknown) => {
			shown.push(JSON.stringify(asked));
			return shown.length < 3 ? ({ kind: 'once' } as const) : ({ kind: 'deny' } as const);
		};
		const { base, perform, host } = await serve({ approvalMode: 'ask', person: { approve } });
		const outcome = await perform('script.run', { script });
		assert.notEqual(outcome.status, 'done');
		assert.match(JSON.stringify(outcome), /step \\"copy\\" \(line 3\)/);
		assert.match(shown[0] ?? '', /1\. copy: .*for each.*2\. look: Read a\.txt.*name: Copies/s);
		assert.equal(shown.length, 3);
		assert.deepEqual(
			['a.txt', 'b.txt'].map((path) => existsSync(join(host.workspace, path))),
			[true, false],
		);
		const rows = await base.ledger.query({ limit: 50 });
		assert.ok(rows.some(({ op, kind }) => op === 'script.run' && kind === 'intent'));
		assert.ok(rows.some(({ op, kind }) => op === 'fs.write' && kind === 'denial'));
	});
});
