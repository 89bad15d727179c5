import assert from 'node:assert/strict';
import { newId } from '../../protocol/rpc/ids.ts';
import type { ModelMessage } from '../models/model-port.ts';
import { type HistoryCut, UNCUT_HISTORY } from './select.ts';
import { shortenedParts } from './shortened-parts.ts';
import { storedAt, userMessage } from './messages.ts';

const budget = 10_000;
const none = () => undefined;

describe('What a cut shortens', () => {
	it('is told piece by piece, with the size of the whole and of what is left', () => {
		const told = shortenedParts(conversation(), upTo(4), UNCUT_HISTORY, budget, none);
		assert.deepEqual(
			told?.parts.map(({ kind, title, before }) => [kind, title, before]),
			[
				['attachment', 'Look at it', 3_000],
				['answer', `I write it. ${'so '.repeat(36)}`.slice(0, 119) + '…', 6_012],
				['input', 'Write a.ts', JSON.stringify(write).length],
				['result', 'Read b.ts', 5_000],
			],
		);
		assert.deepEqual(told?.counts, { result: 1, input: 1, answer: 1, attachment: 1 });
		assert.ok(told.parts.every(({ after }) => after > 0 && after <= 1_200));
		assert.equal(
			told.after,
			told.parts.reduce((sum, { after }) => sum + after, 0),
		);
	});

	it('names the item of a call by the place of the message that makes it, and none where there is no place', () => {
		const item = newId('itm');
		const asked: [number, string][] = [];
		const find = (position: number, callId: string) => {
			asked.push([position, callId]);
			return item;
		};
		const [message, answer, results, ...rest] = conversation();
		assert.ok(message !== undefined && answer !== undefined && results !== undefined);
		const stored = [message, storedAt(answer, 12), results, ...rest];
		const parts = shortenedParts(stored, upTo(3), upTo(2), budget, find)?.parts ?? [];
		assert.deepEqual(asked, [[12, 'call_2']]);
		assert.deepEqual(
			parts.map(({ kind, itemId }) => [kind, itemId]),
			[['result', item]],
		);
		assert.ok(
			shortenedParts(conversation(), upTo(3), UNCUT_HISTORY, budget, find)?.parts.every(
				(part) => part.itemId === undefined,
			),
		);
	});

	it('is only what was whole before, and nothing of what leaves altogether', () => {
		assert.equal(shortenedParts(conversation(), upTo(4), upTo(4), budget, none), undefined);
		const later = shortenedParts(conversation(), upTo(4), upTo(2), budget, none);
		assert.deepEqual(later?.counts, { result: 1, input: 0, answer: 0, attachment: 0 });
		assert.equal(shortenedParts(conversation(), { ...upTo(4), dropped: 4 }, UNCUT_HISTORY, budget, none), undefined);
	});

	it('is also what is newest, where nothing else is left to shorten', () => {
		const newest = conversation().slice(0, 3);
		const told = shortenedParts(newest, { ...UNCUT_HISTORY, squeezed: 200 }, UNCUT_HISTORY, budget, none);
		assert.deepEqual(told?.counts, { result: 1, input: 1, answer: 1, attachment: 0 });
	});

	it('counts all of very many, and lists those that lost most', () => {
		const many = Array.from({ length: 250 }, (_, n): ModelMessage => answerOf(`${n}`.padEnd(2_000 + n, '.')));
		const told = shortenedParts(many, upTo(250), UNCUT_HISTORY, budget, none);
		assert.equal(told?.counts.answer, 250);
		assert.equal(told.parts.length, 200);
		assert.deepEqual([told.parts[0]?.before, told.parts.at(-1)?.before], [2_050, 2_249]);
	});
});

const write = { path: 'a.ts', content: 'x'.repeat(4_000) };

function conversation(): ModelMessage[] {
	return [
		userMessage('Look at it', 'f'.repeat(3_000), ''),
		{
			role: 'assistant',
			parts: [
				{ kind: 'text', text: `I write it. ${'so '.repeat(2_000)}` },
				{ kind: 'toolCall', callId: 'call_1', tool: 'fs_write', inputText: JSON.stringify(write) },
				{ kind: 'toolCall', callId: 'call_2', tool: 'fs_read', inputText: '{"path":"b.ts"}' },
			],
		},
		{
			role: 'tool',
			results: [
				{ callId: 'call_1', tool: 'fs_write', text: 'written', isError: false },
				{ callId: 'call_2', tool: 'fs_read', text: 'b'.repeat(5_000), isError: false },
			],
		},
		answerOf('Done.'),
		userMessage('Go on', '', ''),
	];
}

function answerOf(text: string): ModelMessage {
	return { role: 'assistant', parts: [{ kind: 'text', text }] };
}

function upTo(shortened: number): HistoryCut {
	return { ...UNCUT_HISTORY, shortened };
}
