import assert from 'node:assert/strict';
import type { ModelMessage } from '../models/model-port.ts';
import { limitEarlier, SILENT_MARK, withoutDetails, withoutSilentTurns } from './earlier-messages.ts';
import { messageTokens, userMessage } from './messages.ts';
import { repairHistory } from './repair.ts';

const said = (text: string): ModelMessage => ({ role: 'user', text });
const answered = (text: string): ModelMessage => ({ role: 'assistant', parts: [{ kind: 'text', text }] });
const called: ModelMessage = {
	role: 'assistant',
	parts: [
		{ kind: 'thinking', text: 'secret thought' },
		{ kind: 'text', text: 'I look.' },
		{ kind: 'toolCall', callId: 'c', tool: 'fs_read', inputText: '{"path":"secret"}' },
	],
};
const returned: ModelMessage = {
	role: 'tool',
	results: [{ callId: 'c', tool: 'fs_read', text: 'secret', isError: false }],
};

describe('Earlier messages', () => {
	it('are limited from the newest back, to the first that would be too many', () => {
		const all = [
			said('one'),
			answered('two'),
			said('x'.repeat(4_000)),
			answered('four'),
			said('five'),
			answered('six'),
		];
		const texts = (limits: object) => limitEarlier(all, limits).map((message) => all.indexOf(message));
		assert.deepEqual(texts({}), [0, 1, 2, 3, 4, 5]);
		assert.deepEqual(texts({ earlierMessages: 4 }), [2, 3, 4, 5]);
		// An answer without what it answers is no beginning.
		assert.deepEqual(texts({ earlierMessages: 3 }), [4, 5]);
		assert.deepEqual(texts({ earlierMessages: 1 }), []);
		const newest = all.slice(4).reduce((sum, message) => sum + messageTokens(message), 0);
		// Stops at the long one, although those before it would fit.
		assert.deepEqual(texts({ earlierTokens: newest + 100 }), [4, 5]);
	});

	it('never keep a result without its call, and always keep the rules of the thread', () => {
		const all = [userMessage('one', '', 'RULES'), called, returned, answered('done'), said('two'), answered('three')];
		for (let earlierMessages = 1; earlierMessages <= all.length; earlierMessages += 1) {
			const left = limitEarlier(all, { earlierMessages });
			assert.deepEqual(repairHistory(left), left, String(earlierMessages));
			assert.match(JSON.stringify(left), /RULES/, String(earlierMessages));
		}
	});

	it('lose their details, and keep words, calls and rules', () => {
		const all = [userMessage('look', 'secret file', 'RULES', []), called, returned, answered('It is there.')];
		const left = withoutDetails(all);
		const text = JSON.stringify(left);
		assert.doesNotMatch(text, /secret/);
		for (const kept of ['look', 'RULES', 'I look.', 'fs_read', 'It is there.']) assert.ok(text.includes(kept), kept);
		assert.deepEqual(repairHistory(left), left);
	});

	it('lose silent turns but for the latest, in steps', () => {
		const turns = (count: number) =>
			Array.from({ length: count }, (_, n) => [said(`tick ${n}`), answered(SILENT_MARK)]).flat();
		const left = (count: number) => withoutSilentTurns([said('Hello'), answered('Hi'), ...turns(count)]).length / 2 - 1;
		assert.deepEqual([0, 1, 19, 20, 29, 30, 45].map(left), [0, 1, 19, 10, 19, 10, 15]);
		const withRules = [userMessage('tick', '', 'RULES'), answered(SILENT_MARK), ...turns(20)];
		assert.match(JSON.stringify(withoutSilentTurns(withRules)), /RULES/);
	});
});
