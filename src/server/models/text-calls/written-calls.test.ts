import assert from 'node:assert/strict';
import type { ModelPart, ToolDeclaration } from '../model-port.ts';
import { readWrittenCalls } from './written-calls.ts';

const tools: readonly ToolDeclaration[] = [{ name: 'fs_read', description: '', inputSchema: { type: 'object' } }];
const PIECES = 4_000;

describe('An answer that may be nothing but calls', () => {
	for (const [what, piece] of [
		['blanks', ' \n'.repeat(500)],
		['calls', '<tool_call>{"name":"fs_read","arguments":{"path":"a.ts"}}</tool_call>\n'.repeat(15)],
	] as const) {
		it(`is not held back for ever where it does not end: ${what}`, async () => {
			let sent = 0;
			async function* stream(): AsyncGenerator<ModelPart, void, undefined> {
				for (; sent < PIECES; sent += 1) {
					await Promise.resolve();
					yield { kind: 'textDelta', text: piece };
				}
			}
			const answer = readWrittenCalls(stream(), { tools, isKnown: false, onFound: assert.fail });
			assert.equal((await answer.next()).value?.kind, 'textDelta');
			assert.ok(sent < PIECES / 2, `${sent} pieces were held`);
			await answer.return();
		});
	}
});
