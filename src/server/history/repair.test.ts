import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { AssistantPart, ModelMessage, ToolResultPart } from '../models/model-port.ts';
import { historyTokens, keepNewestTurns, shortenResults } from './select.ts';
import { repairHistory, toolCalls } from './repair.ts';

const callId = fc.constantFrom('a', 'b', 'c');
const text = fc.constantFrom('', 'words', 'more words');
const part: fc.Arbitrary<AssistantPart> = fc.oneof(
	fc.record({ kind: fc.constant('text' as const), text }),
	fc.record({ kind: fc.constant('thinking' as const), text }),
	fc.record({ kind: fc.constant('toolCall' as const), callId, tool: fc.constant('fs_read'), inputText: text }),
);
const result: fc.Arbitrary<ToolResultPart> = fc.record({
	callId,
	tool: fc.constant('fs_read'),
	text,
	isError: fc.boolean(),
});
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
	fc.record({ role: fc.constant('user' as const), text }),
	fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
	fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 4 }) }),
);
const history = fc.array(message, { maxLength: 20 });

describe('a repaired history', () => {
	it('is accepted by every provider, whatever it was made of', () => {
		fc.assert(
			fc.property(history, (messages) => assertValid(repairHistory(messages))),
			{ numRuns: 5_000 },
		);
	});

	it('is left as it is by a second repair', () => {
		fc.assert(
			fc.property(history, (messages) => {
				const once = repairHistory(messages);
				assert.deepEqual(repairHistory(once), once);
			}),
		);
	});

	it('stays valid when its oldest turns are dropped and its results are cut', () => {
		fc.assert(
			fc.property(history, fc.nat(300), (messages, tokens) => {
				const valid = repairHistory(messages);
				const kept = keepNewestTurns(valid, tokens);
				assertValid(kept);
				assertValid(shortenResults(kept, tokens));
				assert.deepEqual(valid.slice(valid.length - kept.length), kept);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('keeps the last turn however small the window is', () => {
		const messages: ModelMessage[] = [
			{ role: 'user', text: 'old' },
			{ role: 'assistant', parts: [{ kind: 'text', text: 'answer' }] },
			{ role: 'user', text: 'new '.repeat(1000) },
		];
		assert.deepEqual(keepNewestTurns(messages, 1), messages.slice(2));
		assert.ok(historyTokens(messages) > 1);
	});
});

function assertValid(messages: readonly ModelMessage[]): void {
	for (const [index, one] of messages.entries()) {
		const next = messages[index + 1];
		const calls = one.role === 'assistant' ? toolCalls(one.parts).map((call) => call.callId) : [];
		if (index === 0) {
			assert.equal(one.role, 'user');
		}
		assert.notEqual(one.role, next?.role);
		if (one.role === 'assistant') {
			assert.equal(new Set(calls).size, calls.length);
			assert.ok(calls.length > 0 || one.parts.some((each) => each.kind === 'text' && each.text !== ''));
		}
		if (calls.length > 0) {
			assert.deepEqual(next?.role === 'tool' ? next.results.map((each) => each.callId) : [], calls);
		} else {
			assert.notEqual(next?.role, 'tool');
		}
	}
}
