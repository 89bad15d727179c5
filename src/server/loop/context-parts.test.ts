import assert from 'node:assert/strict';
import { userMessage } from '../history/messages.ts';
import { contextParts } from './context-parts.ts';

const words = (n: number) => 'word '.repeat(n);
const result = { callId: 'call_1', tool: 'fs_read', isError: false } as const;

describe('What fills the window of a model', () => {
	it('is told by what it is, and adds up to what the provider counted', () => {
		const request = {
			system: words(400),
			tools: [{ name: 'fs_read', description: words(200), inputSchema: { type: 'object' } }],
			messages: [
				userMessage(words(100), words(600), words(50)),
				{ role: 'assistant', parts: [{ kind: 'text', text: words(80) }] },
				{ role: 'tool', results: [{ ...result, text: words(1_000) }] },
			],
		} as const;
		const parts = contextParts(request, { inputTokens: 5_000, outputTokens: 40 });
		assert.equal(
			Object.values(parts).reduce((sum, part) => sum + part, 0),
			5_040,
		);
		const { rules, tools, files, results, conversation } = parts;
		assert.ok(
			results > files && files > rules && rules > tools && tools > 0 && conversation > 40,
			JSON.stringify(parts),
		);
	});

	it('counts what we add ourselves as conversation, and nothing where nothing was asked', () => {
		const ours = { role: 'user', text: words(100), ownChars: 0 } as const;
		const { files, conversation } = contextParts(
			{ system: '', tools: [], messages: [ours] },
			{ inputTokens: 90, outputTokens: 10 },
		);
		assert.deepEqual([files, conversation], [0, 100]);
		const none = contextParts({ system: '', tools: [], messages: [] }, { inputTokens: 0, outputTokens: 0 });
		assert.deepEqual(Object.values(none), [0, 0, 0, 0, 0]);
	});
});
