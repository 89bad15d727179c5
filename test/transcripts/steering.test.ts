/**
 * Checks messages that the user sends while a turn runs: each reaches the model once, and the conversation keeps it
 * whatever happens.
 */
import assert from 'node:assert/strict';
import { type ItemId, newId, type ThreadId, type TurnId } from '../../src/protocol/rpc/ids.ts';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, type ScriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

const signal = new AbortController().signal;

describe('A message to a turn that runs', () => {
	let transcript: Transcript;
	let threadId: ThreadId;

	afterEach(() => transcript.close());

	/** A turn that stands in its first call, until `goOn`. */
	async function standing(answers: readonly (readonly ScriptedPart[])[], more: Partial<Stage> = {}) {
		let goOn!: () => void;
		const held = new Promise<void>((resolve) => (goOn = resolve));
		const host = new MemoryHost({ 'a.ts': 'let a;', 'b.ts': 'let b;' }, {
			'shell.run': async (_request, _progress, aborted) => {
				await Promise.race([held, rejected(aborted)]);
				return { commandId: 'cmd_1', running: false, exitCode: 0, signal: null, timedOut: false, output: 'ok\n', omitted: 0 };
			},
		});
		const model = scriptedModel([[call('shell_run', { argv: ['make'] })], ...answers]);
		transcript = new Transcript({ model, host, ...more });
		threadId = await transcript.create();
		const ended = transcript.until(({ type }) => type === 'turn.end');
		await begun('Build it', (event) => event.type === 'item.start' && event.item.kind === 'tool');
		return { model, host, goOn, ended };
	}

	async function begun(prompt: string, until: Parameters<Transcript['until']>[0]): Promise<void> {
		const reached = transcript.until(until);
		await transcript.threads.handlers.prompt({ threadId, text: prompt, context: [] }, signal);
		await reached;
	}

	function steer(words: string, messageId?: ItemId, context: { kind: 'file'; path: string }[] = []) {
		return transcript.threads.handlers.steer({ threadId, text: words, context, messageId }, signal);
	}

	/** Words of a sub-agent of the thread. */
	function tell(to: ThreadId) {
		const from = { id: 'thr_checker' as ThreadId, name: 'checker' };
		return transcript.threads.handlers.tell({ threadId: to, text: 'The port is taken', from }, signal);
	}

	it('is refused with an id that is not its own, and the turn goes on', async () => {
		const { goOn, ended } = await standing([text('Built.')]);
		const taken = transcript.store.lastItems(threadId, 9).items.find(({ kind }) => kind === 'tool')?.id;
		await assert.rejects(steer('Forged', taken as ItemId), /names no message of the user/);
		await assert.rejects(
			transcript.threads.handlers.steer({ threadId: newId('thr'), text: 'x', context: [] }, signal),
			/there is no thread/,
		);
		goOn();
		await ended;
		await transcript.matches('steered-forged', threadId);
	});

	it('of another agent begins no turn in a thread of the user, and is refused in a thread that is not there', async () => {
		const { goOn, ended, model } = await standing([text('Built.')]);
		goOn();
		await ended;
		await assert.rejects(tell(threadId), /only the user begins a turn there/);
		await assert.rejects(tell(newId('thr')), /there is no thread/);
		assert.equal(model.requests.length, 2);
	});

	it('of another agent comes to the model with its name, not as words of the user, and is not sent again with theirs', async () => {
		const { model, goOn, ended } = await standing([text('Built.'), text('Built again.')]);
		await steer('Skip the tests');
		await tell(threadId);
		goOn();
		await ended;
		await transcript.matches('steered-by-agent', threadId);
		const turnId = transcript.store.turns(threadId).at(-1)?.id as TurnId;
		const again = transcript.until(({ type }) => type === 'turn.end');
		await transcript.threads.handlers.rerun({ threadId, turnId }, signal);
		await again;
		assert.match(lastOf(model), /Skip the tests/);
		assert.doesNotMatch(lastOf(model), /The port is taken/);
	});

	it('of another agent is read in the next turn when the user stops this one, still with its name', async () => {
		const { model, ended } = await standing([text('Never said.')]);
		await tell(threadId);
		await transcript.threads.handlers.stop({ threadId }, signal);
		await ended;
		await transcript.prompt(threadId, 'And now?');
		assert.match(lastOf(model), /Message from the agent .*checker.* not from the user.*The port is taken.*And now\?/);
	});

	it('of another agent begins a turn in the thread of a sub-agent', async () => {
		const { goOn, ended, model } = await standing([text('Built.'), text('Looked.')]);
		goOn();
		await ended;
		const { id } = await transcript.threads.handlers.create(
			{ modelId: null, mode: 'agent', effort: null, agent: { parent: threadId, name: 'helper' } },
			signal,
		);
		const told = transcript.until(({ type }) => type === 'turn.end');
		await tell(id as ThreadId);
		await told;
		assert.match(lastOf(model), /Message from the agent .*checker.*not from the user.*The port is taken/);
	});

	it('is in the conversation when the user stops the turn before the model has read it', async () => {
		const { model, ended } = await standing([text('Never said.')]);
		await steer('Use make -j2');
		await transcript.threads.handlers.stop({ threadId }, signal);
		await ended;
		await transcript.prompt(threadId, 'And now?');
		assert.match(lastOf(model), /Use make -j2.*And now\?/);
		await transcript.matches('steered-stopped', threadId);
	});

	it('is in the conversation when the turn fails before the model has read it', async () => {
		const { goOn, ended } = await standing([], { settings: { 'prowess.agent.maxIterations': 1 } });
		await steer('Use make -j2');
		goOn();
		await ended;
		await transcript.matches('steered-unread', threadId);
	});

	it('comes to the model once with the results of the calls that run', async () => {
		const { model, goOn, ended } = await standing([text('Built without tests.')]);
		const first = await steer('Skip the tests', undefined, [{ kind: 'file', path: 'b.ts' }]);
		goOn();
		await ended;
		assert.equal(transcript.store.turns(threadId).at(-1)?.id, first.turnId);
		assert.equal(JSON.stringify(model.requests.at(-1)).split('Skip the tests').length, 2);
		await transcript.matches('steered', threadId);
	});

	it('is taken once when it is sent again with the same id, also after the turn', async () => {
		const { model, goOn, ended } = await standing([text('Built.')]);
		const id = newId('itm');
		const turns = await Promise.all([steer('Only once', id), steer('Only once', id)]);
		goOn();
		await ended;
		turns.push(await steer('Only once', id));
		turns.push(await transcript.threads.handlers.prompt({ threadId, text: 'Only once', context: [], messageId: id }, signal));
		assert.equal(new Set(turns.map(({ turnId }) => turnId)).size, 1);
		assert.equal(model.requests.length, 2);
		await transcript.matches('steered-twice', threadId);
	});

	it('comes together with those that were sent after it', async () => {
		const { goOn, ended } = await standing([text('Built.')]);
		await steer('Skip the tests');
		await steer('And be quiet');
		goOn();
		await ended;
		await transcript.matches('steered-more', threadId);
	});

	it('is answered in the same turn when it comes while the model gives its answer', async () => {
		const model = scriptedModel([[...text('It is').slice(0, 2), { kind: 'wait', until: released() }], text('In German: ja.')]);
		transcript = new Transcript({ model, host: new MemoryHost({}) });
		threadId = await transcript.create();
		const ended = transcript.until(({ type }) => type === 'turn.end');
		await begun('Is it so?', ({ type }) => type === 'item.delta');
		await steer('In German, please');
		release();
		await ended;
		await transcript.matches('steered-answer', threadId);
	});

	it('starts a turn where none runs', async () => {
		const model = scriptedModel([text('Here.')]);
		transcript = new Transcript({ model, host: new MemoryHost({}) });
		threadId = await transcript.create();
		const ended = transcript.until(({ type }) => type === 'turn.end');
		await steer('Are you there, in this thread?');
		await ended;
		await transcript.matches('steered-at-rest', threadId);
	});

	it('is for the turn that is tried again', async () => {
		const { model, goOn, ended } = await standing([text('Built.'), text('Built again.')]);
		const { turnId } = await steer('Skip the tests');
		goOn();
		await ended;
		const again = transcript.until(({ type }) => type === 'turn.end');
		await transcript.threads.handlers.stop({ threadId }, signal);
		await transcript.threads.handlers.rerun({ threadId, turnId: turnId as TurnId }, signal);
		await again;
		assert.match(lastOf(model), /Build it.*Skip the tests/);
	});

	let release!: () => void;
	function released(): Promise<void> {
		return new Promise((resolve) => (release = resolve));
	}
});

function lastOf({ requests }: ScriptedModel): string {
	return JSON.stringify(requests.at(-1)?.messages);
}

function rejected(aborted: AbortSignal): Promise<never> {
	return new Promise((_resolve, reject) => aborted.addEventListener('abort', () => reject(aborted.reason), { once: true }));
}
