/** A thread of ten thousand turns: what it is for stays in each request, and a prompt costs at its end what it cost at first. */
import assert from 'node:assert/strict';
import { NOTICE_TEXTS } from '../../src/protocol/text/notice-texts.ts';
import type { ThreadEvent } from '../../src/protocol/thread/thread.ts';
import type { ModelMessage, ModelRequest } from '../../src/server/models/model-port.ts';
import { MemoryHost } from './memory-host.ts';
import { call, scriptedModel, type ScriptedPart, text } from './scripted-model.ts';
import { Transcript } from './transcript.ts';

const turns = 10_000;

describe('A thread of ten thousand turns', () => {
	it('keeps its task and its rules, begins alike from one cut to the next, and grows no slower', async () => {
		const model = scriptedModel(script(), 32_768, text('Summarized.'));
		const host = new MemoryHost({ 'AGENTS.md': 'Use tabs, never spaces.', 'a.ts': 'let a;\n'.repeat(200) });
		const transcript = new Transcript({ model, host });
		const threadId = await transcript.create();
		const costsMs: number[] = [];
		let changed = 0;
		let shortened = 0;
		let before: readonly ModelMessage[] = [];
		for (let n = 1; n <= turns; n += 1) {
			const begun = performance.now();
			await transcript.prompt(threadId, n === 1 ? 'Build the shop' : `Question ${n}?`);
			costsMs.push(performance.now() - begun);
			// The recorded requests are not kept, so that only the product fills the memory.
			for (const request of taken(model.requests as ModelRequest[])) {
				changed += isPrefix(before, request.messages) ? 0 : 1;
				before = request.messages;
				const [head] = request.messages;
				assert.ok(head?.role === 'user' && head.text.startsWith('Build the shop'), `turn ${n}`);
				assert.ok(head.text.includes('Use tabs, never spaces.'), `turn ${n}`);
			}
			shortened += transcript.events.filter(isShortening).length;
			transcript.events.length = 0;
			host.forget();
		}
		const cuts = model.summaries.length;
		transcript.close();
		console.log(`      ${cuts} times left, ${shortened} times shortened, ${changed} requests that begin in another way`);
		for (const upTo of [10, 100, 1_000, 10_000]) {
			console.log(`      median around turn ${upTo}: ${median(costsMs.slice(upTo * 0.9 - 1, upTo)).toFixed(2)} ms`);
		}
		assert.ok(cuts > 10);
		// Only a cut changes the messages that were sent, and the user is told of each.
		assert.equal(changed, cuts + shortened);
	});
});

/** Each turn reads a file, and answers. */
function* answers(): Generator<readonly ScriptedPart[]> {
	for (let n = 1; ; n += 1) {
		yield [call('fs_read', { path: 'a.ts', offset: n }, `call_${n}`)];
		yield text(`Answer ${n} and so on it goes, word by word.`);
	}
}

function script(): readonly (readonly ScriptedPart[])[] {
	const next = answers();
	// The model asks for the answer to its latest request, whose number is of no use: those before are gone.
	return new Proxy([], { get: (target, name) => (typeof name === 'string' && /^\d+$/.test(name) ? next.next().value : Reflect.get(target, name)) });
}

function isShortening(event: ThreadEvent): boolean {
	return event.type === 'item.start' && event.item.kind === 'notice' && event.item.text === NOTICE_TEXTS.shortened;
}

function taken(requests: ModelRequest[]): ModelRequest[] {
	return requests.splice(0);
}

function isPrefix(before: readonly ModelMessage[], after: readonly ModelMessage[]): boolean {
	return before.every((message, index) => JSON.stringify(message) === JSON.stringify(after[index]));
}

function median(values: readonly number[]): number {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
