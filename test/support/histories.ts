/** Conversations with a model, made at random, and what a provider insists on. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toolCalls } from '../../src/server/history/repair.ts';
import type { AssistantPart, ModelMessage, ToolResultPart } from '../../src/server/models/model-port.ts';

const callId = fc.constantFrom('a', 'b', 'c');
const text = fc.oneof(
	fc.constantFrom('', 'words', 'more words'),
	fc.nat(9_000).map((length) => 'wide '.repeat(length / 5)),
);
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
	fc.record({
		role: fc.constant('user' as const),
		text: fc.constant('words attached rules'),
		ownChars: fc.constantFrom(0, 5),
		rulesChars: fc.constant(6),
	}),
	fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
	fc.record({ role: fc.constant('tool' as const), results: fc.array(result, { maxLength: 4 }) }),
);
/** Arbitrary histories as a store could hold them: in any order, with or without results. */
export const histories = fc.array(message, { maxLength: 20 });

/** Begins with the user, nobody speaks twice in a row, and each call is answered right after it. */
export function assertValidHistory(messages: readonly ModelMessage[]): void {
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
