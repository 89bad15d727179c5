/** Turns with pictures, pasted and read: what the model is shown, what the thread and the history keep, what is said where it takes none. */
import assert from 'node:assert/strict';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import { png } from '../support/pictures.ts';
import { MemoryHost } from './memory-host.ts';
import { call, type ScriptedModel, scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

/** Returns a host that reads a picture, with the result that the real host gives. */
const reads = () =>
	new MemoryHost({}, {
		'fs.read': async () => ({
			path: 'shot.png',
			text: '',
			startLine: 1,
			endLine: 1,
			totalLines: 1,
			truncated: false,
			unsaved: false,
			image: { type: 'image/png', width: 8, height: 6, data: png().toString('base64') },
		}),
	});
const read = [call('fs_read', { path: 'shot.png' })];
const blind = (model: ScriptedModel): ScriptedModel => ({ ...model, takesImages: false });

describe('A turn with pictures', () => {
	let transcript: Transcript;
	afterEach(() => transcript.close());

	/** Pasted with the message. */
	async function paste(threadId: ThreadId, prompt: string): Promise<void> {
		await transcript.prompt(threadId, prompt, [{ kind: 'image', ...(await transcript.attach(png())) }]);
	}

	it('shows the model what was pasted, in the next turn too, by its id and never by its bytes', async () => {
		const model = scriptedModel([text('A grey square.'), text('Still grey.')]);
		transcript = new Transcript({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await paste(threadId, 'What is this?');
		await transcript.prompt(threadId, 'And now?');
		await transcript.matches('picture-pasted', threadId);
	});

	it('shows the model what it has read, behind the result of the call', async () => {
		transcript = new Transcript({ model: scriptedModel([read, text('A grey square.')]), host: reads() });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Look at shot.png');
		await transcript.matches('picture-read', threadId);
	});

	it('says before anything is sent that the model takes none, where one was pasted', async () => {
		const model = blind(scriptedModel([text('never')]));
		transcript = new Transcript({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await paste(threadId, 'What is this?');
		await transcript.matches('picture-not-taken', threadId);
		assert.equal(model.requests.length, 0);
	});

	it('goes on where the model turns out to take none, and tells the user once', async () => {
		const model = scriptedModel([[{ kind: 'note', note: 'imagesLeftOut' }, ...text('I see none.')]]);
		transcript = new Transcript({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await paste(threadId, 'What is this?');
		await transcript.matches('picture-left-out', threadId);
	});
});
