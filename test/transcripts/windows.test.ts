/** Turns that read, write, say or are told more than a window of the usual sizes holds: each ends well or says what to do. */
import assert from 'node:assert/strict';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import type { ThreadId } from '../../src/protocol/rpc/ids.ts';
import type { ModelRequest } from '../../src/server/models/model-port.ts';
import { estimateTokens } from '../../src/server/models/windows/token-estimate.ts';
import { MemoryHost } from './memory-host.ts';
import { call, type ScriptedPart, scriptedModel, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const signal = new AbortController().signal;
const usage = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 0, estimated: false };

describe('A turn with a window of', function () {
	this.timeout(60_000);
	let transcript: Transcript | undefined;
	afterEach(() => {
		transcript?.close();
		transcript = undefined;
	});

	async function play(
		window: number,
		answers: readonly (readonly ScriptedPart[])[],
		prompts: readonly string[],
		files: Readonly<Record<string, string>> = {},
	): Promise<{ requests: readonly ModelRequest[]; outcomes: string[]; threadId: ThreadId; stage: Transcript }> {
		const model = scriptedModel(answers, window);
		const stage = new Transcript({ model, host: new MemoryHost(files), settings: { 'prowess.agent.maxIterations': 60 } });
		transcript = stage;
		const threadId = await stage.create();
		for (const prompt of prompts) {
			await stage.prompt(threadId, prompt);
		}
		const outcomes = stage.events.flatMap((event) => (event.type === 'turn.end' ? [event.error?.code ?? event.outcome] : []));
		for (const { system, messages, tools } of model.requests) {
			const tokens = estimateTokens(system + JSON.stringify(messages) + JSON.stringify(tools));
			assert.ok(tokens <= window, `a request of ${tokens} tokens in a window of ${window}`);
		}
		return { requests: model.requests, outcomes, threadId, stage };
	}

	for (const window of [8_192, 16_384, 32_768, 131_072, 1_048_576]) {
		// No two lines and no two words are the same: a model that gets nowhere, or repeats itself, is stopped.
		const large = Array.from({ length: 2_000 }, (_, n) => `some words of a large file, one line after line ${n}\n`).join('');

		it(`${window} tokens reads forty large files, and never forgets what it is for`, async () => {
			const names = Array.from({ length: 40 }, (_, n) => `large-${n}`);
			const reads = names.map((path) => [call('fs_read', { path }, `call_${path}`)]);
			const files = Object.fromEntries(names.map((name) => [name, `${name}\n${large}`]));
			const { requests, outcomes } = await play(window, [...reads, text('Read.')], ['Read all of it'], files);
			assert.deepEqual(outcomes, ['done']);
			assert.equal(requests.length, 41);
			assert.ok(requests.every(({ messages: [first] }) => first?.role === 'user' && first.text.startsWith('Read all of it')));
		});

		it(`${window} tokens writes twelve large files`, async () => {
			const content = large.slice(0, 12_000);
			const writes = Array.from({ length: 12 }, (_, n) => [call('fs_write', { path: `new-${n}`, content }, `call_${n}`)]);
			const { outcomes } = await play(window, [...writes, text('Written.')], ['Write them']);
			assert.deepEqual(outcomes, ['done']);
		});

		it(`${window} tokens takes an answer that is longer, and the message after it`, async () => {
			const long: ScriptedPart[] = [
				{ kind: 'textDelta', text: Array.from({ length: Math.ceil(window / 3) }, (_, n) => `word ${n} `).join('') },
				{ kind: 'textEnd' },
				{ kind: 'finish', reason: 'length', usage },
			];
			const { outcomes } = await play(window, [long, text('That is all.'), text('Fine.')], ['Tell a story', 'And now?']);
			assert.deepEqual(outcomes, ['done', 'done']);
		});

		it(`${window} tokens says of a first message that does not fit what to do, and takes a shorter one`, async () => {
			const huge = '0 1 2 3 '.repeat(window * 0.45);
			if (huge.length > 128_000) {
				// Longer than any message may be: it never becomes a turn.
				await assert.rejects(play(window, [], [huge]), (error: ProwessError) => error.code === 'MESSAGE_TOO_LONG');
				return;
			}
			const { requests, outcomes, stage, threadId } = await play(window, [text('Fine.')], [huge, 'Something short'], {
				'AGENTS.md': 'Use tabs.',
			});
			assert.deepEqual(outcomes, ['CONTEXT_OVERFLOW', 'done']);
			const [sent] = requests[0]?.messages ?? [];
			assert.ok(sent?.role === 'user' && sent.text.includes('Something short') && sent.text.includes('Use tabs.'));
			assert.ok(!sent.text.includes('0 1 2 3'));
			const { items } = await stage.threads.handlers.open({ threadId, items: 100 }, signal);
			assert.ok(items.some((item) => item.kind === 'notice' && item.level === 'error' && item.actions.includes('switchModel')));
			assert.ok(items.some((item) => item.kind === 'user' && item.text === huge), 'the user still sees what was sent');
		});
	}

	it('32768 tokens by its own word, and less in truth, takes a shorter message after one that was refused', async () => {
		const refused: ScriptedPart[] = [{ kind: 'fail', error: new ProwessError('CONTEXT_OVERFLOW', 'too long', { retryable: false }) }];
		const huge = 'word after word '.repeat(4_000);
		const { requests, outcomes } = await play(32_768, [refused, text('Fine.')], [huge, 'Something short']);
		assert.deepEqual(outcomes, ['CONTEXT_OVERFLOW', 'done']);
		assert.ok(!JSON.stringify(requests.at(-1)?.messages).includes('word after word'));
	});

	it('1048576 tokens takes a message of 128,000 characters as JavaScript counts them, and not one more', async () => {
		// Such a sign counts as two.
		const most = `${'𝒳 '.repeat(42_666)}ab`;
		assert.equal(most.length, 128_000);
		const { requests, outcomes, stage, threadId } = await play(1_048_576, [text('Fine.')], [most]);
		assert.deepEqual([outcomes, requests.length], [['done'], 1]);
		await assert.rejects(stage.prompt(threadId, `${most}c`), { code: 'MESSAGE_TOO_LONG' });
	});
});
