/** Older messages that leave a thread for good: what stands in for them, who says it, and what the user sees of it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { ThreadItem } from '../../src/protocol/thread/items.ts';
import { ThreadSnapshot } from '../../src/protocol/thread/thread.ts';
import type { ModelMessage, ModelRequest } from '../../src/server/models/model-port.ts';
import { openMigratedDatabase } from '../../src/store/open-database.ts';
import { threadMigrations } from '../../src/store/threads/thread-migrations.ts';
import { tempDir } from '../support/temp-dir.ts';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

const signal = new AbortController().signal;
const window = 16_384;
const project = { 'AGENTS.md': 'Use tabs, never spaces.' };

describe('A thread whose older messages leave', () => {
	const transcripts: Transcript[] = [];

	afterEach(() => transcripts.splice(0).forEach((transcript) => transcript.close()));

	function begin(stage: Stage): Transcript {
		const transcript = new Transcript(stage);
		transcripts.push(transcript);
		return transcript;
	}

	it('is left whole when the turn is stopped while they are summarized', async () => {
		const model = scriptedModel(chatter(30), window, [{ kind: 'wait' }]);
		const transcript = begin({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		for (let n = 1; model.summaries.length === 0; n += 1) {
			const ended = transcript.until(({ type }) => type === 'turn.end');
			await transcript.threads.handlers.prompt({ threadId, text: `Question ${n}?`, context: [] }, signal);
			await Promise.race([ended, asked(() => model.summaries.length > 0)]);
		}
		await transcript.threads.handlers.stop({ threadId }, signal);
		assert.deepEqual(await compactionsOf(transcript, threadId), []);
		assert.equal(transcript.store.compaction(threadId), undefined);
	});

	it('leaves a list behind when the provider stays overloaded, and the user reads why it takes time', async () => {
		const overloaded = new ProwessError('PROVIDER_OVERLOADED', 'busy', { provider: 'test', retryable: true });
		const model = scriptedModel(chatter(1), window, [{ kind: 'fail', error: overloaded }]);
		const transcript = begin({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Build the shop');
		await transcript.prompt(threadId, '/compact');
		const items = await itemsOf(transcript, threadId);
		const waits = items.filter((item) => item.kind === 'notice' && item.attempt?.waitMs !== undefined);
		assert.equal(waits.length, model.summaries.length - 1);
		assert.ok(waits.length > 0);
		const [row] = await compactionsOf(transcript, threadId);
		assert.deepEqual([row?.model, row?.text.startsWith('- said: Answer 1')], [undefined, true]);
	});

	it('names what was done by a list when no model summarizes it', async () => {
		const model = scriptedModel(
			[
				[call('fs_edit', { path: 'a.ts', edits: [{ find: 'x', replace: 'y' }] }, 'call_1')],
				[call('shell_run', { argv: ['npm', 'test'] }, 'call_2')],
				[call('fs_read', { path: 'b.ts' }, 'call_3')],
				...chatter(1),
			],
			window,
		);
		const transcript = begin({ model, host: new MemoryHost({ 'a.ts': 'x', 'b.ts': 'b' }) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Mend it');
		await transcript.prompt(threadId, '/compact');
		const [row] = await compactionsOf(transcript, threadId);
		assert.equal(row?.model, undefined);
		assert.match(row?.text ?? '', /Looked at: Read b\.ts\n- Edit a\.ts: .*\n- Run npm test: failed: .*\n- said: Answer 1/);
	});

	it('names by the summary of a model what was done, and what the user wants to be kept', async () => {
		const model = scriptedModel(chatter(3), window, text('Decided: the shop sells tea.'));
		const transcript = begin({ model, host: new MemoryHost(project) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Build the shop');
		await transcript.prompt(threadId, '/compact the names of all files');
		await transcript.prompt(threadId, 'Go on');
		assert.match(textOf(model.summaries[0]), /User: Build the shop[\s\S]*kept above all: the names of all files$/);
		assert.doesNotMatch(textOf(model.summaries[0]), /Use tabs/);
		const [head, seen, last] = model.requests[1]?.messages ?? [];
		assert.ok(head?.role === 'user' && seen?.role === 'assistant' && last?.role === 'user');
		assert.match(head.text, /^Build the shop\n[\s\S]*Decided: the shop sells tea\.[\s\S]*Use tabs, never spaces\./);
		assert.equal(last.text, 'Go on');
		const [row] = await compactionsOf(transcript, threadId);
		assert.deepEqual([row?.text, row?.model, row?.messages], ['Decided: the shop sells tea.', 'test/scripted', 2]);
	});

	it('says that there is nothing to summarize, and never shows the command to the model', async () => {
		const model = scriptedModel(chatter(1), window);
		const transcript = begin({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, '/compact');
		await transcript.prompt(threadId, 'Build the shop');
		assert.match(JSON.stringify(transcript.events), /no older messages to summarize/);
		assert.deepEqual(await compactionsOf(transcript, threadId), []);
		assert.doesNotMatch(JSON.stringify(model.requests), /compact/);
		assert.equal(model.summaries.length, 0);
	});

	it('leaves what stands in for others as it is', async () => {
		const transcript = begin({ model: scriptedModel(chatter(1), window), host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Build the shop');
		await transcript.prompt(threadId, '/compact');
		await transcript.prompt(threadId, '/compact');
		assert.equal((await compactionsOf(transcript, threadId)).length, 1);
	});

	it('brings them back when the turn in which they left is run again', async () => {
		const model = scriptedModel(chatter(4), window, text('Summarized.'));
		const transcript = begin({ model, host: new MemoryHost({}) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Build the shop');
		await transcript.prompt(threadId, '/compact');
		const [row] = await compactionsOf(transcript, threadId);
		assert.ok(row !== undefined);
		const ended = transcript.until(({ type }) => type === 'turn.end');
		await transcript.threads.handlers.rerun({ threadId, turnId: row.turnId, text: 'Go on' }, signal);
		await ended;
		assert.deepEqual(await compactionsOf(transcript, threadId), []);
		const messages = model.requests.at(-1)?.messages ?? [];
		assert.deepEqual(
			messages.map(({ role }) => role),
			['user', 'assistant', 'user'],
		);
	});

	it('begins with the same bytes from one cut to the next, also in another process', async () => {
		const file = join(tempDir(), 'threads.db');
		const requests: ModelRequest[] = [];
		let cuts: ThreadItem[] = [];
		let threadId: ThreadId | undefined;
		for (let n = 1; n <= 20; n += 1) {
			// Each turn in a server of its own: nothing but the store is left of the one before.
			const model = scriptedModel(chatter(1), 8_192, text('Summarized.'));
			const database = openMigratedDatabase(file, threadMigrations).db;
			const transcript = new Transcript({ model, host: new MemoryHost(project), database });
			threadId ??= await transcript.create();
			await transcript.prompt(threadId, `Question ${n}?`);
			requests.push(...model.requests);
			cuts = (await itemsOf(transcript, threadId)).filter(({ kind }) => kind === 'compaction' || kind === 'notice');
			transcript.close();
		}
		const changed = requests.filter(
			({ messages }, index) => index > 0 && !isPrefix(requests[index - 1]?.messages ?? [], messages),
		);
		assert.ok(cuts.filter(({ kind }) => kind === 'compaction').length >= 2);
		assert.ok(changed.length <= cuts.length, `${changed.length} of 20 begin in another way, ${cuts.length} cuts are shown`);
		assert.match(textOf(requests.at(-1)), /^Question 1\?[\s\S]*Summarized\.[\s\S]*Use tabs/);
	});

	it('knows what it was told first after three cuts, by the list alone', async () => {
		const facts = Array.from({ length: 10 }, (_, n) => `The ${n + 1}. shelf is ${n * 7 + 3} cm wide.`);
		let known = 0;
		for (const fact of facts) {
			const model = scriptedModel(chatter(40), 8_192);
			const transcript = begin({ model, host: new MemoryHost({}) });
			const threadId = await transcript.create();
			await transcript.prompt(threadId, `${fact} Build it.`);
			for (let n = 1; (await compactionsOf(transcript, threadId)).length < 3; n += 1) {
				await transcript.prompt(threadId, `Question ${n}?`);
			}
			await transcript.prompt(threadId, 'How wide is it?');
			known += textOf(model.requests.at(-1)).includes(fact) ? 1 : 0;
		}
		assert.ok(known >= 9, `${known} of 10`);
	});

	it('is cut no more often at its end than at its beginning, because old words of the user leave as well', async () => {
		const transcript = begin({ model: scriptedModel(chatter(180), 8_192), host: new MemoryHost(project) });
		const threadId = await transcript.create();
		const cuts: number[] = [];
		const turns = 60;
		for (let part = 0; part < 3; part += 1) {
			const before = (await compactionsOf(transcript, threadId)).length;
			for (let n = part * turns + 1; n <= (part + 1) * turns; n += 1) {
				await transcript.prompt(threadId, n === 1 ? 'Build the shop' : `Question ${n}?`);
			}
			cuts.push((await compactionsOf(transcript, threadId)).length - before);
		}
		const rows = await compactionsOf(transcript, threadId);
		const [first = 0, ...later] = cuts;
		assert.ok(first > 0 && Math.max(...later) <= first * 1.25, `${cuts.join(', ')} cuts in each ${turns} turns`);
		assert.ok(rows.some(({ text: told }) => told.includes('- the user said: Question ')));
	});

	it('keeps the plan, and goes on with the words of the running turn', async () => {
		const plan = { items: [{ text: 'Write the tests', status: 'pending' }] };
		const reads = Array.from({ length: 8 }, (_, n) => [call('fs_read', { path: 'big', offset: n + 1 }, `call_${n}`)]);
		const model = scriptedModel([[call('todo_write', plan, 'call_p')], ...reads, text('Done.')], window);
		const transcript = begin({ model, host: new MemoryHost({ big: 'a line of it\n'.repeat(3_000) }) });
		const threadId = await transcript.create();
		await transcript.prompt(threadId, 'Hello, what is this project about?');
		await transcript.prompt(threadId, 'Read it all');
		assert.ok((await compactionsOf(transcript, threadId)).length > 0);
		const [head] = model.requests.at(-1)?.messages ?? [];
		assert.ok(head?.role === 'user');
		assert.match(head.text, /The plan when they ended:\n- Write the tests \(pending\)/);
	});
});

function chatter(count: number): ScriptedPart[][] {
	return Array.from({ length: count }, (_, n) => text(`Answer ${n + 1} ${'and so on it goes, word by word. '.repeat(120)}`));
}

async function itemsOf(transcript: Transcript, threadId: ThreadId): Promise<ThreadItem[]> {
	return ThreadSnapshot.parse(await transcript.threads.handlers.open({ threadId, items: 1_000 }, signal)).items;
}

async function compactionsOf(
	transcript: Transcript,
	threadId: ThreadId,
): Promise<Extract<ThreadItem, { kind: 'compaction' }>[]> {
	return (await itemsOf(transcript, threadId)).filter((item) => item.kind === 'compaction');
}

function textOf(request: ModelRequest | undefined): string {
	const [first] = request?.messages ?? [];
	return first?.role === 'user' ? first.text : '';
}

function isPrefix(before: readonly ModelMessage[], after: readonly ModelMessage[]): boolean {
	return before.every((message, index) => JSON.stringify(message) === JSON.stringify(after[index]));
}

/** Resolves once it is so; the turn that it waits for ends otherwise. */
async function asked(isSo: () => boolean): Promise<void> {
	while (!isSo()) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}
