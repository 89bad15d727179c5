/** Turns that get nowhere, are stopped, or hear a no: each ends with its reason, and the thread goes on from there. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import { commandDone, MemoryHost, OpFailure } from './memory-host.ts';
import { call, scriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

const signal = new AbortController().signal;
const deny = (reason?: string) =>
	Promise.reject(
		new OpFailure('denied', 'DENIED_BY_USER', 'the user said no', reason === undefined ? {} : { reason }),
	);

const read = (path: string, id: number): ScriptedPart[] => [call('fs_read', { path }, `call_${id}`)];

describe('A turn that gets nowhere', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function play(name: string, stage: Stage, prompts: readonly string[] = ['Do it']): Promise<void> {
		transcript = new Transcript(stage);
		const threadId = await transcript.create();
		for (const prompt of prompts) await transcript.prompt(threadId, prompt);
		await transcript.matches(name, threadId);
	}

	const noticed = () =>
		transcript.events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [[event.item.error?.code, event.item.actions]] : [],
		);

	it('by two calls in turns has the sixth refused before the third warning, and hears why', async () => {
		const host = new MemoryHost({ 'a.ts': 'let a;', 'b.ts': 'let b;' });
		const turns = [1, 2, 3, 4, 5, 6].map((id) => read(id % 2 === 1 ? 'a.ts' : 'b.ts', id));
		await play('ping-pong', { model: scriptedModel([...turns, text('Neither helps.')]), host });
		assert.equal(host.performed.filter(({ op }) => op === 'fs.read').length, 5);
	});

	it('by three calls in turns has the ninth refused', async () => {
		const host = new MemoryHost({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
		const turns = Array.from({ length: 9 }, (_, id) => read(['a.ts', 'b.ts', 'c.ts'][id % 3] ?? '', id));
		await play('ping-pong-of-three', { model: scriptedModel([...turns, text('None helps.')]), host });
		assert.equal(host.performed.filter(({ op }) => op === 'fs.read').length, 8);
	});

	it('by a command that learns nothing waits longer each time, which is shown, and asks the user at last', async () => {
		const host = new MemoryHost({}, { 'shell.run': () => Promise.resolve(commandDone('1 of 3 ready')) });
		const polls = Array.from({ length: 20 }, (_, id) => [call('shell_run', { argv: ['kubectl', 'get', 'pods'] }, `call_${id}`)]);
		transcript = new Transcript({ model: scriptedModel(polls), host });
		await transcript.prompt(await transcript.create(), 'Is it up?');
		assert.deepEqual(noticed(), [['GOING_IN_CIRCLES', ['continue', 'switchModel']]]);
		assert.equal(host.performed.filter(({ op }) => op === 'shell.run').length, 13);
		const waits = transcript.events.filter((event) => event.type === 'item.tool' && event.patch.paced !== undefined);
		assert.equal(waits.length, 11);
	});

	it('is not one that runs a test as often as the user said, in one answer or in several', async () => {
		const host = new MemoryHost({}, { 'shell.run': () => Promise.resolve(commandDone('1 passed')) });
		const test = (id: number) => call('shell_run', { argv: ['npm', 'test'] }, `call_${id}`);
		const one = Array.from({ length: 10 }, (_, id) => test(id));
		const script = [...one.map((each) => [each]), text('Ten passed.'), one, text('Ten passed.')];
		transcript = new Transcript({ model: scriptedModel(script), host });
		const threadId = await transcript.create();
		for (const ran of [10, 20]) {
			await transcript.prompt(threadId, 'Run the flaky test ten times');
			assert.equal(host.performed.filter(({ op }) => op === 'shell.run').length, ran);
		}
		assert.ok(!transcript.events.some((event) => event.type === 'item.tool' && event.patch.paced !== undefined));
	});

	it('by denied changes is stopped at the fifteenth, and says so', async () => {
		const host = new MemoryHost({}, { 'fs.write': () => deny() });
		const batch = (from: number) =>
			[0, 1, 2, 3, 4].map((n) => call('fs_write', { path: `${from + n}.ts`, content: 'x' }, `call_${from + n}`));
		await play('denied-in-a-row', { model: scriptedModel([batch(0), batch(5), batch(10), text('Never said.')]), host });
		assert.deepEqual(noticed(), [['GOING_IN_CIRCLES', ['continue', 'switchModel']]]);
		assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, 15);
	});

	it('by failing commands is stopped, and goes on when the user wants it to', async () => {
		const host = new MemoryHost({}, {
			'shell.run': () => Promise.reject(new OpFailure('failed', 'COMMAND_NOT_FOUND', 'there is no such program')),
		});
		const batch = (from: number) =>
			[0, 1, 2, 3, 4].map((n) => call('shell_run', { argv: [`tool${from + n}`] }, `call_${from + n}`));
		const model = scriptedModel([batch(0), batch(5), batch(10), text('None of them is installed.')]);
		await play('failing-gone-on', { model, host }, ['Build it', 'Go on']);
		assert.deepEqual(noticed(), [['GOING_IN_CIRCLES', ['continue', 'switchModel']]]);
	});

	it('by an edit that never matches hears each time that it failed', async () => {
		const host = new MemoryHost({}, {
			'fs.edit': () => Promise.reject(new OpFailure('failed', 'EDIT_NO_MATCH', 'a.ts does not hold that text')),
		});
		const again = [1, 2, 3, 4, 5].map((id) => [
			call('fs_edit', { path: 'a.ts', edits: [{ find: 'x', replace: 'y' }] }, `call_${id}`),
		]);
		await play('edit-never-matches', { model: scriptedModel([...again, text('I cannot find it.')]), host });
		assert.equal(host.performed.filter(({ op }) => op === 'fs.edit').length, 3);
	});

	it('by a to-do list that stays the same has it refused', async () => {
		const items = [{ text: 'Look', status: 'pending' }];
		const again = [1, 2, 3, 4, 5].map((id) => [call('todo_write', { items }, `call_${id}`)]);
		await play('todo-again', { model: scriptedModel([...again, text('I wait.')]), host: new MemoryHost({}) });
	});

	it('is told once of a denied change, takes another way, and is left alone', async () => {
		const host = new MemoryHost({}, {
			'fs.write': ({ params }) => {
				const { path } = params as { path: string };
				return path === 'a.ts' ? deny('Use b.ts') : Promise.resolve({ path, created: true, added: 1, removed: 0, patch: '+x' });
			},
		});
		const write = (path: string) => [call('fs_write', { path, content: 'x' }, `call_${path}`)];
		await play('denied-then-other', { model: scriptedModel([write('a.ts'), write('b.ts'), text('I wrote b.ts.')]), host });
	});
});

describe('A turn in the mode Plan', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function plan(name: string, answers: readonly unknown[], script: readonly (readonly ScriptedPart[])[]) {
		const left = [...answers];
		const write = () => {
			const next = left.shift();
			return typeof next === 'string' ? deny(next) : Promise.resolve(next);
		};
		const host = new MemoryHost({}, { 'plan.write': write });
		transcript = new Transcript({ model: scriptedModel(script), host, mode: 'plan' });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Plan it');
		await transcript.matches(name, threadId);
		return host;
	}
	const proposed = (words: string, id: number) => [call('plan_write', { plan: words }, `call_${id}`)];

	it('proposes another plan after a refusal, and carries that out', async () => {
		const second = { plan: '# One file', isEdited: false };
		const written = [call('fs_write', { path: 'a.ts', content: 'x' })];
		const host = await plan('planned-again', ['Only one file.', second], [
			proposed('# All files', 1),
			proposed('# One file', 2),
			written,
			text('I wrote a.ts.'),
		]);
		assert.deepEqual([...host.files.keys()], ['a.ts']);
	});

	it('carries out the plan as the user changed it', async () => {
		const edited = { plan: '# Only b.ts', isEdited: true };
		const host = await plan('planned-edited', [edited], [
			proposed('# a.ts and b.ts', 1),
			[call('fs_write', { path: 'b.ts', content: 'x' })],
			text('I wrote b.ts.'),
		]);
		assert.deepEqual([...host.files.keys()], ['b.ts']);
	});

	it('changes nothing where it writes before its plan', async () => {
		const host = await plan('plan-skipped', [], [[call('fs_write', { path: 'a.ts', content: 'x' })], text('It needs a plan.')]);
		assert.deepEqual([...host.files.keys()], []);
	});
});

describe('A stopped turn', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function stopAt(
		stage: Stage,
		reached: Parameters<Transcript['until']>[0],
	): Promise<ThreadId> {
		transcript = new Transcript(stage);
		const threadId = await transcript.create();
		const there = transcript.until(reached);
		await transcript.threads.handlers.prompt({ threadId, text: 'Write it', context: [] }, signal);
		await there;
		await transcript.threads.handlers.stop({ threadId }, signal);
		return threadId;
	}

	it('goes on from what it said with the next message', async () => {
		const model = scriptedModel([[...text('First the table').slice(0, 2), { kind: 'wait' }], text('then the chairs.')]);
		const threadId = await stopAt({ model, host: new MemoryHost({}) }, ({ type }) => type === 'item.delta');
		await transcript.prompt(threadId, 'Go on');
		await transcript.matches('stopped-and-resumed', threadId);
	});

	it('repeats nothing of a call that it was stopped in, and the model is told', async () => {
		const host = new MemoryHost({}, {
			'shell.run': (_request, _progress, stop) =>
				new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason), { once: true })),
		});
		const model = scriptedModel([[call('shell_run', { argv: ['make'] })], text('I look first.')]);
		const threadId = await stopAt(
			{ model, host },
			(event) => event.type === 'item.start' && event.item.kind === 'tool',
		);
		await transcript.prompt(threadId, 'Go on');
		await transcript.matches('stopped-call-resumed', threadId);
		assert.equal(host.performed.filter(({ op }) => op === 'shell.run').length, 1);
	});

	it('has the calls that it did not come to answered, and none of them run', async () => {
		const host = new MemoryHost({}, {
			'fs.write': (_request, progress, stop) => {
				progress({ opId: _request.opId, kind: 'waiting', reason: 'writes ask' });
				return new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason), { once: true }));
			},
		});
		const write = (path: string) => call('fs_write', { path, content: 'x' }, `call_${path}`);
		const model = scriptedModel([[write('a'), write('b')], text('Neither is written.')]);
		const threadId = await stopAt(
			{ model, host },
			(event) => event.type === 'item.tool' && event.patch.status === 'waiting',
		);
		await transcript.prompt(threadId, 'What is there?');
		await transcript.matches('stopped-question-resumed', threadId);
		assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, 1);
	});
});
