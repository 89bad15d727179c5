/** Turns in which hooks of the user do not let the agent rest at once. */
import assert from 'node:assert/strict';
import { MemoryHost } from './memory-host.ts';
import { scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

describe('A turn with hooks at its end', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function play(reasons: string[], answers: readonly string[]): Promise<MemoryHost> {
		const host = new MemoryHost({});
		host.reasonsToGoOn = reasons;
		transcript = new Transcript({ model: scriptedModel(answers.map((answer) => text(answer))), host });
		await transcript.prompt(await transcript.create(), 'Say hello to the team');
		return host;
	}

	const notices = () =>
		transcript.events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.text] : [],
		);

	it('goes on with the reason, which the user is told of, and rests when none is left', async () => {
		const host = await play(['Greet Ada, too.'], ['Hello.', 'Hello, Ada.']);
		assert.deepEqual(host.rested, [
			{ isAgain: false, text: 'Hello.' },
			{ isAgain: true, text: 'Hello, Ada.' },
		]);
		assert.deepEqual(notices(), ['A hook does not let the agent end here yet, so it goes on.']);
	});

	it('rests after five reasons, whatever hooks say', async () => {
		const answers = Array.from({ length: 6 }, (_, n) => `Hello ${n}.`);
		const host = await play(Array.from({ length: 9 }, () => 'More.'), answers);
		assert.deepEqual([host.rested.length, notices().length], [5, 5]);
	});
});
