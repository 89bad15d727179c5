/** Threads that outgrow the model's window: what is kept, what is cut, and who hears of it. */
import assert from 'node:assert/strict';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { textForUser } from '../../src/protocol/errors/error-text.ts';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import { ThreadSnapshot } from '../../src/protocol/thread/thread.ts';
import type { ModelMessage, ModelRequest } from '../../src/server/models/model-port.ts';
import { estimateTokens } from '../../src/server/models/windows/token-estimate.ts';
import { MemoryHost } from './memory-host.ts';
import { call, type ScriptedModel, scriptedModel, type ScriptedPart } from './scripted-model.ts';
import { type Stage, Transcript } from './transcript.ts';

const project = { 'AGENTS.md': 'Use tabs, never spaces.' };
const listed = async () => ({
	capabilities: [{ name: 'lint', type: 'skill', source: 'project', description: 'Finds faults' }],
});

describe('A thread that outgrows the window', () => {
	let transcript: Transcript;

	afterEach(() => transcript.close());

	async function begin(stage: Stage): Promise<ThreadId> {
		transcript = new Transcript(stage);
		return transcript.create();
	}

	async function ask(threadId: ThreadId, ...prompts: readonly string[]): Promise<void> {
		for (const prompt of prompts) {
			await transcript.prompt(threadId, prompt);
		}
	}

	function notices(): string[] {
		return transcript.events.flatMap((event) =>
			event.type === 'item.start' && event.item.kind === 'notice' ? [event.item.text] : [],
		);
	}

	function compactions(): number {
		return transcript.events.filter((event) => event.type === 'item.start' && event.item.kind === 'compaction').length;
	}

	function outcomes(): string[] {
		return transcript.events.flatMap((event) => (event.type === 'turn.end' ? [event.outcome] : []));
	}

	it('keeps the instructions, the capabilities and the task in every request', async () => {
		const model = scriptedModel(chatter(12), 8_192);
		const host = new MemoryHost(project, { 'capability.list': listed });
		await ask(await begin({ model, host }), 'Build the shop', ...questions(11));
		for (const request of model.requests) {
			const [head = ''] = textsOf(request);
			assert.deepEqual(
				['Build the shop', 'Use tabs, never spaces.', 'skill/lint'].filter((text) => !head.includes(text)),
				[],
			);
		}
		assert.match(textsOf(model.requests[11])[0] ?? '', /left out/);
		assert.ok(!saidIn(model.requests[11]).some((text) => text.startsWith('Answer 1 ')));
	});

	it('is cut by much and then stays as it is, so that most requests begin like the one before', async () => {
		const model = scriptedModel(chatter(24), 16_384);
		await ask(await begin({ model, host: new MemoryHost({}) }), ...questions(24));
		const changes = model.requests.filter(
			({ messages }, index) => index > 0 && !isPrefix(model.requests[index - 1]?.messages ?? [], messages),
		);
		assert.ok(changes.length > 0 && changes.length <= 6, `${changes.length} of 24 requests begin in another way`);
	});

	it('tells the user each time the model sees less of it', async () => {
		const model = scriptedModel(chatter(24), 16_384);
		await ask(await begin({ model, host: new MemoryHost({}) }), ...questions(24));
		const changes = model.requests.filter(
			({ messages }, index) => index > 0 && !isPrefix(model.requests[index - 1]?.messages ?? [], messages),
		);
		assert.equal(notices().length + compactions(), changes.length);
		assert.match(notices()[0] ?? '', /no longer fits/);
	});

	it('names what it shortened by its cards, also those of earlier turns and in the stored thread', async () => {
		const lines = 'let a = 1;\n'.repeat(400);
		const write = (n: number) => [call('fs_write', { path: `src/${n}.ts`, content: lines }, `call_${n}`)];
		const read = (n: number, callId = `call_${n}`) => [call('fs_read', { path: 'a.ts', offset: n }, callId)];
		// Some models number the calls of each answer anew.
		const twice = [read(1, 'call_0'), read(2, 'call_0'), say('Read.')];
		const model = scriptedModel(
			[...twice, write(3), read(4), say('Written.'), write(5), read(6), read(7), read(8), say('Done.')],
			16_384,
		);
		const threadId = await begin({ model, host: new MemoryHost({ 'a.ts': lines }) });
		await ask(threadId, 'Read it', 'Write it', 'Go on');
		const { items } = ThreadSnapshot.parse(
			await transcript.threads.handlers.open({ threadId, items: 1_000 }, new AbortController().signal),
		);
		const cards = new Map(items.flatMap((item) => (item.kind === 'tool' ? [[item.id, item] as const] : [])));
		const told = items.flatMap((item) => (item.kind === 'notice' ? (item.shortened?.parts ?? []) : []));
		const calls = told.filter(({ kind }) => kind === 'input' || kind === 'result');
		for (const { title, itemId, before, after } of calls) {
			assert.ok(after < before);
			assert.equal(itemId === undefined ? title : cards.get(itemId)?.title, title);
		}
		const linked = calls.filter(({ itemId }) => itemId !== undefined);
		assert.deepEqual(new Set(linked.map(({ kind }) => kind)), new Set(['input', 'result']));
		assert.equal(calls.length - linked.length, 2, 'one of several with the same id leads nowhere');
	});

	it('lets a turn that writes many files come to its end', async () => {
		const writes = Array.from({ length: 12 }, (_, n) => [
			call('fs_write', { path: `src/${n}.ts`, content: `export const a${n} = 1;\n`.repeat(400) }, `call_${n}`),
		]);
		const model = limited(scriptedModel([...writes, say('All written.'), say('Yes.')], 16_384), 16_384);
		const host = new MemoryHost(project);
		const threadId = await begin({ model, host });
		await ask(threadId, 'Write the twelve modules', 'go on');
		assert.deepEqual(outcomes(), ['done', 'done']);
		assert.equal(host.performed.filter(({ op }) => op === 'fs.write').length, 12);
		assert.equal(model.refused.length, 0);
		for (const request of model.requests) {
			assert.match(textsOf(request)[0] ?? '', /Write the twelve modules/);
			assertValid(request);
		}
	});

	it('shows the newest result before old ones', async () => {
		const reads = Array.from({ length: 6 }, (_, n) => [call('fs_read', { path: 'big', offset: n + 1 }, `call_${n}`)]);
		const model = scriptedModel([...reads, say('Read.')], 16_384);
		await ask(await begin({ model, host: new MemoryHost({ big: 'a line of it\n'.repeat(15_000) }) }), 'Read it all');
		for (const { messages } of model.requests.slice(1)) {
			const results = messages.flatMap((message) =>
				message.role === 'tool' ? message.results.map(({ text }) => text.length) : [],
			);
			assert.ok((results.at(-1) ?? 0) > 8_000, String(results));
		}
	});

	it('remembers the limit that a provider refused it with', async () => {
		const reads = Array.from({ length: 6 }, (_, n) => [call('fs_read', { path: 'big', offset: n + 1 }, `call_${n}`)]);
		const model = limited(scriptedModel([...reads, say('Read.'), say('Again.')], 128_000), 30_000);
		const host = new MemoryHost({ ...project, big: 'a line of it\n'.repeat(15_000) });
		await ask(await begin({ model, host }), 'Read it all', 'And?');
		assert.deepEqual(outcomes(), ['done', 'done']);
		assert.ok(model.refused.length <= 3, `${model.refused.length} requests were refused`);
		assert.match(textsOf(model.requests.at(-1))[0] ?? '', /Read it all[\s\S]*Use tabs/);
	});

	it('shortens what was attached when the first request is refused, and keeps the words', async () => {
		const model = limited(scriptedModel([say('Seen.')], 128_000), 6_000);
		const threadId = await begin({ model, host: new MemoryHost({ ...project, big: 'a line of it\n'.repeat(15_000) }) });
		const ended = transcript.until(({ type }) => type === 'turn.end');
		const context = [{ kind: 'file' as const, path: 'big' }];
		await transcript.threads.handlers.prompt(
			{ threadId, text: 'What is in it?', context },
			new AbortController().signal,
		);
		await ended;
		assert.deepEqual(outcomes(), ['done']);
		assert.match(textsOf(model.requests.at(-1))[0] ?? '', /What is in it\?[\s\S]*left out[\s\S]*Use tabs/);
	});

	it('says what to do when even the message alone is too long', async () => {
		const model = scriptedModel([], 8_192);
		await ask(await begin({ model, host: new MemoryHost({}) }), 'word '.repeat(20_000));
		assert.deepEqual(outcomes(), ['failed']);
		assert.equal(model.requests.length, 0);
		const error = transcript.events.flatMap((event) => (event.type === 'turn.end' ? [event.error] : []))[0];
		assert.equal(error?.code, 'CONTEXT_OVERFLOW');
		assert.match(
			textForUser(error, (english) => english),
			/\/compact .* a new thread, .* a model with a larger context\.$/,
		);
	});
});

function say(words: string): ScriptedPart[] {
	return [{ kind: 'textDelta', text: words }, { kind: 'textEnd' }];
}

function chatter(count: number): ScriptedPart[][] {
	return Array.from({ length: count }, (_, n) => say(`Answer ${n + 1} ${'and so on it goes, word by word. '.repeat(120)}`));
}

function questions(count: number): string[] {
	return Array.from({ length: count }, (_, n) => `Question ${n + 1}?`);
}

function textsOf(request: ModelRequest | undefined): string[] {
	return (request?.messages ?? []).map((message) => (message.role === 'user' ? message.text : ''));
}

function saidIn(request: ModelRequest | undefined): string[] {
	return (request?.messages ?? []).flatMap((message) =>
		message.role === 'assistant' ? message.parts.map((part) => (part.kind === 'text' ? part.text : '')) : [],
	);
}

function isPrefix(before: readonly ModelMessage[], after: readonly ModelMessage[]): boolean {
	return before.every((message, index) => JSON.stringify(message) === JSON.stringify(after[index]));
}

/** Begins with the user, and each call is answered right after it. */
function assertValid({ messages }: ModelRequest): void {
	assert.equal(messages[0]?.role, 'user');
	messages.forEach((message, index) => {
		const next = messages[index + 1];
		const calls = message.role === 'assistant' ? message.parts.flatMap((part) => (part.kind === 'toolCall' ? [part] : [])) : [];
		calls.forEach(({ inputText }) => JSON.parse(inputText) as unknown);
		assert.deepEqual(
			next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [],
			calls.map(({ callId }) => callId),
		);
		assert.notEqual(message.role, next?.role);
	});
}

/** No vendor is sent what is kept for the next cut. */
function readByModels(key: string, value: unknown): unknown {
	return key === 'leftOut' ? undefined : value;
}

/** The same model behind an endpoint that takes fewer tokens than it is believed to. */
function limited(model: ScriptedModel, tokens: number): ScriptedModel & { readonly refused: ModelRequest[] } {
	const refused: ModelRequest[] = [];
	return {
		...model,
		refused,
		stream(request, signal) {
			if (estimateTokens(JSON.stringify(request.messages, readByModels)) > tokens) {
				refused.push(request);
				throw new ProwessError('CONTEXT_OVERFLOW', 'provider "test" answered 400: too long', {});
			}
			return model.stream(request, signal);
		},
	};
}
