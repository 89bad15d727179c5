/** Turns whose work a model reads before the agent rests. */
import assert from 'node:assert/strict';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, type ScriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const write = (path: string) => [call('fs_write', { path, content: 'x' }, `call_${path}`)];

describe('A turn whose work is checked', () => {
	let transcript: Transcript;
	let host: MemoryHost;

	afterEach(() => transcript.close());

	async function play(
		answers: readonly (readonly ScriptedPart[])[],
		checks: readonly (readonly ScriptedPart[])[],
		isChecked = true,
	): Promise<ScriptedModel> {
		const model = scriptedModel(answers, 200_000, [], checks);
		host = new MemoryHost({});
		transcript = new Transcript({ model, host, settings: { 'prowess.agent.checkDone': isChecked } });
		await transcript.prompt(await transcript.create(), 'Make a.txt and b.txt');
		return model;
	}

	const notices = () =>
		transcript.events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.text] : [],
		);

	const fails = [{ kind: 'fail' as const, error: new Error('no line') }];

	it('rests when the check cannot be made, or says nothing that can be read', async () => {
		for (const check of [fails, text('Well, it depends.'), text('')]) {
			const model = await play([write('a.txt'), text('Both are there.')], [check]);
			assert.deepEqual([model.checks.length, model.requests.length, notices()], [1, 2, []]);
			transcript.close();
		}
		assert.deepEqual(transcript.events.at(-1)?.type, 'turn.end');
	});

	it('is asked twice at most to go on', async () => {
		const model = await play(
			[write('a.txt'), text('Done.'), text('Done.'), text('Done.')],
			Array.from({ length: 5 }, () => text('NOT DONE: b.txt is missing.')),
		);
		assert.deepEqual([model.checks.length, model.requests.length, notices().length], [2, 4, 2]);
	});

	it('goes on with what is left, which the user is told of, until the check finds nothing', async () => {
		const model = await play(
			[write('a.txt'), text('Both are there.'), write('b.txt'), text('Now both are there.')],
			[text('NOT DONE: b.txt was not made.'), text('DONE')],
		);
		assert.deepEqual([...host.files.keys()], ['a.txt', 'b.txt']);
		assert.deepEqual(notices(), ['A check found something left to do: b.txt was not made.']);
		assert.match(JSON.stringify(model.requests[2]?.messages.at(-1)), /b\.txt was not made\..*if not, say why/s);
		const [check] = model.checks;
		assert.deepEqual(check?.tools, []);
		assert.match(JSON.stringify(check?.messages), /Make a\.txt and b\.txt.*fs_write.*Both are there\./s);
	});

	it('is not checked when nothing was done in it, nor unless the user wants it', async () => {
		const asked = await play([text('Why?')], [text('NOT DONE: all of it.')]);
		transcript.close();
		const unwanted = await play([write('a.txt'), text('Done.')], [text('NOT DONE: b.txt')], false);
		assert.deepEqual([asked.checks.length, unwanted.checks.length], [0, 0]);
	});
});
