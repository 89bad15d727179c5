import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertValidHistory, histories } from '../../../test/support/histories.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { repairHistory } from './repair.ts';
import { cutResults, isDeeper, selectHistory } from './select.ts';
import { historyTokens, resultWith, userMessage } from './messages.ts';

const budget = 4_000;

describe('A cut conversation', () => {
	it('is accepted by every provider, whatever is cut of it', () => {
		fc.assert(
			fc.property(histories, fc.integer({ min: 100, max: 9_000 }), (messages, tokens) => {
				assertValidHistory(selectHistory(repairHistory(messages), tokens).messages);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('sees less and less as it grows, never more again', () => {
		fc.assert(
			fc.property(histories, (messages) => {
				const valid = repairHistory(messages);
				const cuts = valid.map((_, index) => selectHistory(valid.slice(0, index + 1), 2_000).cut);
				for (const [index, cut] of cuts.entries()) {
					const before = cuts[index - 1];
					assert.ok(before === undefined || (cut.dropped >= before.dropped && cut.shortened >= before.shortened));
				}
			}),
			{ numRuns: 500 },
		);
	});

	it('is whole while it fits', () => {
		const messages = rounds(3);
		assert.equal(selectHistory(messages, 100_000).messages, messages);
	});

	it('shortens old inputs and results before it leaves anything out, and still holds valid JSON', () => {
		const long = rounds(4, 900);
		const { messages, cut, tokens } = selectHistory(long, 17_000);
		assert.equal(cut.dropped, 0);
		assert.ok(cut.shortened > 0 && tokens <= 17_000);
		const parts = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
		for (const part of parts) {
			assert.ok(part.kind === 'toolCall');
			assert.equal((JSON.parse(part.inputText) as { path: string }).path, 'a.ts');
		}
		assert.deepEqual(messages.slice(-2), long.slice(-2));
	});

	it('begins with the task, what the user said since, the words of the running turn, and the rules', () => {
		const messages = [
			userMessage(
				'Build the shop.',
				'\n\n<file>x</file>',
				'\n\n<workspace-instructions>Use tabs.</workspace-instructions>',
			),
			...rounds(20).slice(1),
			user('Use euros.'),
			...rounds(20).slice(1),
			user('Now write the tests.'),
			...rounds(40).slice(1),
		];
		const [head] = selectHistory(messages, budget).messages;
		assert.ok(head?.role === 'user');
		assert.match(
			head.text,
			/^Build the shop\.\n\n<left-out>\n[\s\S]*- Use euros\.\n<\/left-out>\n\nNow write the tests\.\n\n<workspace-instructions>Use tabs\.<\/workspace-instructions>$/,
		);
	});

	it('keeps rules that came behind a result, when the result is shortened and when it is left out', () => {
		const rules = '\n\n<workspace-instructions>Use tabs.</workspace-instructions>';
		const [task, answer] = rounds(1, 1);
		assert.ok(task !== undefined && answer !== undefined);
		const long = 'It says so. '.repeat(2_000);
		const told: ModelMessage = { role: 'tool', results: [resultWith(result('call_0', ''), long, rules)] };
		const before = [task, answer, told];
		const shortened = selectHistory([...before, ...rounds(2, 300).slice(1)], 13_000);
		const [, , kept] = shortened.messages;
		assert.equal(shortened.cut.dropped, 0);
		assert.ok(kept?.role === 'tool' && kept.results[0]?.text.endsWith(rules));
		assert.ok((kept.results[0]?.text.length ?? Infinity) < 2_000);
		const [head] = selectHistory([...before, ...rounds(40).slice(1)], budget).messages;
		assert.ok(head?.role === 'user' && head.text.endsWith(rules));
	});

	it('does not take for the user’s what the loop said', () => {
		const messages: ModelMessage[] = [
			user('Build the shop.'),
			...rounds(9).slice(1),
			{ role: 'user', text: 'Go on.', ownChars: 0 },
		];
		const [head] = selectHistory([...messages, ...rounds(30).slice(1)], budget).messages;
		assert.ok(head?.role === 'user' && !head.text.includes('Go on.'));
	});

	it('shortens attachments of the newest message when nothing else is left, and never its words', () => {
		const words = 'word '.repeat(1_000);
		const { messages, tokens } = selectHistory([userMessage(words, 'file '.repeat(9_000), '\n\nrules')], budget);
		assert.ok(messages[0]?.role === 'user');
		assert.ok(messages[0].text.startsWith(words) && messages[0].text.endsWith('\n\nrules'));
		assert.ok(tokens <= budget);
	});

	it('is told apart from one that shows more', () => {
		const whole = { dropped: 0, shortened: 0, squeezed: undefined };
		assert.equal(isDeeper({ ...whole, shortened: 1 }, whole), true);
		assert.equal(isDeeper({ ...whole, squeezed: 200 }, { ...whole, squeezed: 1_000 }), true);
		assert.equal(isDeeper(whole, { ...whole, squeezed: 1_000 }), false);
	});
});

describe('The results of one answer', () => {
	it('share what one answer may fill, and each keeps the least', () => {
		const results = Array.from({ length: 5 }, (_, n) => result(String(n), 'one more line of text\n'.repeat(2_500)));
		assert.ok(historyTokens([{ role: 'tool', results: cutResults(results, 32_000, 20_000) }]) <= 20_000 * 0.45);
		assert.ok(cutResults(results, 1_000, 500).every(({ text }) => text.length === 2_000));
	});
});

function user(text: string): ModelMessage {
	return { role: 'user', text };
}

function result(callId: string, text: string) {
	return { callId, tool: 'fs_write', text, isError: false };
}

/** A task, then writes of so many lines, some five tokens each, with their results. */
function rounds(count: number, lines = 150): ModelMessage[] {
	const inputText = JSON.stringify({ path: 'a.ts', content: 'const a = 1;\n'.repeat(lines) });
	return [
		user('Build the shop.'),
		...Array.from({ length: count }, (_, n): ModelMessage[] => [
			{ role: 'assistant', parts: [{ kind: 'toolCall', callId: `call_${n}`, tool: 'fs_write', inputText }] },
			{ role: 'tool', results: [result(`call_${n}`, 'Wrote a line.\n'.repeat(20))] },
		]).flat(),
	];
}
