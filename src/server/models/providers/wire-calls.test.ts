import assert from 'node:assert/strict';
import type { ModelMessage } from '../model-port.ts';
import { withWireCallIds } from './wire-calls.ts';

describe('Ids of calls in a request', () => {
	it('are unique where an endpoint counts the calls of each answer anew, and results keep to theirs', () => {
		assert.deepEqual(idsOf([...round('call_0', 'call_1'), ...round('call_0'), ...round('call_0')]), [
			['call_0', 'call_1'],
			['call_0', 'call_1'],
			['call_0_2'],
			['call_0_2'],
			['call_0_3'],
			['call_0_3'],
		]);
	});

	it('are unique where two of one answer differ in characters that no vendor takes', () => {
		assert.deepEqual(idsOf(round('fs.read:0', 'fs_read:0', '')), [
			['fs_read_0', 'fs_read_0_2', 'call'],
			['fs_read_0', 'fs_read_0_2', 'call'],
		]);
	});

	it('are unique where one is what another would become, and where they are too long', () => {
		const long = 'x'.repeat(80);
		const [ids = []] = idsOf(round('call_0_2', long, `${long}y`));
		const [, , again = []] = idsOf([...round('call_0', 'call_0_2'), ...round('call_0')]);
		assert.ok(ids.every((id) => id.length <= 64) && new Set(ids).size === 3);
		assert.deepEqual(again, ['call_0_3']);
	});

	it('stay as they were when messages are added', () => {
		const before = [...round('a', 'b'), ...round('a')];
		assert.deepEqual(withWireCallIds([...before, ...round('a', 'b')]).slice(0, before.length), withWireCallIds(before));
	});
});

function round(...callIds: readonly string[]): readonly ModelMessage[] {
	return [
		{
			role: 'assistant',
			parts: callIds.map((callId) => ({ kind: 'toolCall', callId, tool: 'fs_read', inputText: '{}' })),
		},
		{
			role: 'tool',
			results: callIds.map((callId) => ({ callId, tool: 'fs_read', text: 'It says so.', isError: false })),
		},
	];
}

function idsOf(messages: readonly ModelMessage[]): readonly (readonly string[])[] {
	return withWireCallIds(messages).map((message) => {
		switch (message.role) {
			case 'user':
				return [];
			case 'assistant':
				return message.parts.flatMap((part) => (part.kind === 'toolCall' ? [part.callId] : []));
			case 'tool':
				return message.results.map(({ callId }) => callId);
		}
	});
}
