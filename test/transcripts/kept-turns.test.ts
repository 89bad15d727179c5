/** Checks the data that a turn leaves behind for the next one, in another process, and for readers that look for it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ThreadId, TurnId } from '../../src/protocol/rpc/ids.ts';
import type { ModelRequest } from '../../src/server/models/model-port.ts';
import { createTraces } from '../../src/server/threads/traces.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { tempDir } from '../support/temp-dir.ts';
import { MemoryHost } from './memory-host.ts';
import { scriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const signal = new AbortController().signal;

describe('A turn', () => {
	/** Each prompt in a server of its own: nothing but the store is left of the one before. */
	async function inProcesses(
		turns: readonly (readonly [prompt: string, answers: readonly (readonly ScriptedPart[])[]])[],
		meanwhile: (transcript: Transcript, threadId: ThreadId) => Promise<void> = async () => {},
	): Promise<ModelRequest[]> {
		const file = join(tempDir(), 'threads.db');
		const requests: ModelRequest[] = [];
		let threadId: ThreadId | undefined;
		for (const [prompt, answers] of turns) {
			const model = scriptedModel(answers);
			const transcript = new Transcript({
				model,
				host: new MemoryHost({}),
				database: openMigratedDatabase(file, threadMigrations).db,
			});
			threadId ??= await transcript.create();
			await transcript.prompt(threadId, prompt);
			await meanwhile(transcript, threadId);
			requests.push(...model.requests);
			transcript.close();
		}
		return requests;
	}

	it('brings the thoughts of its answer back as their provider signed them', async () => {
		const thought: ScriptedPart[] = [
			{ kind: 'thinkingDelta', text: 'Tea sells best.' },
			{ kind: 'thinkingEnd', metadata: { signature: 'c2lnbmVk' } },
			...text('Sell tea.'),
		];
		const [, second] = await inProcesses([
			['Build the shop', [thought]],
			['Go on', [text('Done.')]],
		]);
		assert.deepEqual(second?.messages[1], {
			role: 'assistant',
			parts: [
				{ kind: 'thinking', text: 'Tea sells best.', metadata: { signature: 'c2lnbmVk' } },
				{ kind: 'text', text: 'Sell tea.' },
			],
		});
	});

	it('takes its thread out of the archive, and leaves a pinned one first in the list', async () => {
		const transcript = new Transcript({ model: scriptedModel([text('One.'), text('Two.')]), host: new MemoryHost({}) });
		const { handlers } = transcript.threads;
		const [first, second] = [await transcript.create(), await transcript.create()];
		const shelves = async () => {
			const { threads } = await handlers.list({ limit: 10 }, signal);
			return threads.map(({ id, shelf }) => [id, shelf]);
		};
		await transcript.prompt(first, 'One');
		await handlers.update({ threadId: first, shelf: 'pinned' }, signal);
		await transcript.prompt(second, 'Two');
		await handlers.update({ threadId: second, shelf: 'archived' }, signal);
		assert.deepEqual(await shelves(), [
			[first, 'pinned'],
			[second, 'archived'],
		]);
		await handlers.update({ threadId: first, shelf: 'archived' }, signal);
		await handlers.update({ threadId: second, shelf: null }, signal);
		await transcript.prompt(first, 'Three');
		assert.deepEqual(await shelves(), [
			[first, undefined],
			[second, undefined],
		]);
		transcript.close();
	});

	it('that was silent leaves its mark alone, and nobody is shown an answer', async () => {
		const [, second] = await inProcesses(
			[
				['Note this down', [text('NO_REPLY')]],
				['Go on', [text('Done.')]],
			],
			async ({ events }) => {
				const said = events.flatMap((event) => (event.type === 'item.start' && event.item.kind === 'text' ? [event.item] : []));
				assert.ok(said.every((item) => !item.text.includes('NO_REPLY')));
			},
		);
		assert.deepEqual(second?.messages[1], { role: 'assistant', parts: [{ kind: 'text', text: '[no reply needed]' }] });
		assert.doesNotMatch(JSON.stringify(second), /NO_REPLY/);
	});

	it('is found by what the user and the agent said in it, in later processes too', async () => {
		const found: boolean[] = [];
		await inProcesses(
			[
				['Build the teashop', [text('It has a samovar.')]],
				['Go on', [text('Done.')]],
			],
			async (transcript, threadId) => {
				for (const query of ['teashop', 'samovar', 'coffee']) {
					const { threads } = await transcript.threads.handlers.list({ query, limit: 10 }, signal);
					found.push(threads.some(({ id }) => id === threadId));
				}
			},
		);
		assert.deepEqual(found, [true, true, false, true, true, false]);
	});

	it('leaves neither an answer that was revised nor our question about it, except in its trace', async () => {
		const traced: string[] = [];
		const [, , later] = await inProcesses(
			[
				['Fix the total in a.ts', [text('I have updated `a.ts`.'), text('It was not done.')]],
				['Go on', [text('Sure.')]],
			],
			async (transcript, threadId) => {
				const { items } = await transcript.threads.handlers.open({ threadId, items: 10 }, signal);
				assert.ok(items.every((item) => item.kind !== 'text' || !item.text.includes('updated')));
				const { threads } = await transcript.threads.handlers.list({ query: 'updated', limit: 10 }, signal);
				assert.deepEqual(threads, []);
				const { list, show } = createTraces(transcript.store);
				const { turns } = await list({ threadId, limit: 10 }, signal);
				const { items: steps } = await show({ turnId: turns[0]?.turnId as TurnId }, signal);
				traced.push(...steps.flatMap(({ kind, text: said }) => (kind === 'revision' ? [said] : [])));
			},
		);
		assert.deepEqual(later?.messages.slice(0, 2), [
			{ role: 'user', text: 'Fix the total in a.ts' },
			{ role: 'assistant', parts: [{ kind: 'text', text: 'It was not done.' }] },
		]);
		assert.deepEqual(traced[0], 'I have updated `a.ts`.');
	});

	it('leaves none of our reminders: later turns read what the model said, in one piece', async () => {
		const [, , later] = await inProcesses([
			['Fix the total in a.ts', [text("I'll read the file now."), text(' It is short.')]],
			['Go on', [text('Sure.')]],
		]);
		assert.deepEqual(later?.messages.slice(0, 2), [
			{ role: 'user', text: 'Fix the total in a.ts' },
			{
				role: 'assistant',
				parts: [
					{ kind: 'text', text: "I'll read the file now." },
					{ kind: 'text', text: ' It is short.' },
				],
			},
		]);
	});

	it('is known whole by later ones where its answer came in pieces: what they claim is still judged', async () => {
		const requests = await inProcesses([
			['Fix the total in a.ts', [text("I'll read the file now."), text(' It is short.')]],
			['Fix the total in a.ts', [text('I have updated `a.ts`.'), text('It was not done.')]],
		]);
		assert.equal(requests.length, 4);
		assert.match(JSON.stringify(requests[3]?.messages.at(-1)), /No result of a call shows this/);
	});

	it('leaves nothing that we said of it to the model: no notice, no list of files, no command', async () => {
		const [, second] = await inProcesses([
			['Build the shop', [text('Done.')]],
			['/compact', []],
			['Go on', [text('Done.')]],
		]);
		assert.doesNotMatch(JSON.stringify(second), /\/compact|"kind":"(?:notice|instructions|compaction)"/);
		assert.equal(second?.messages.at(-1)?.role, 'user');
	});
});
