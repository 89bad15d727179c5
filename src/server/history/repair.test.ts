import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assertValidHistory, histories } from '../../../test/support/histories.ts';
import { repairHistory } from './repair.ts';

describe('a repaired history', () => {
	it('is accepted by every provider, whatever it was made of', () => {
		fc.assert(
			fc.property(histories, (messages) => assertValidHistory(repairHistory(messages))),
			{ numRuns: 5_000 },
		);
	});

	it('is left as it is by a second repair', () => {
		fc.assert(
			fc.property(histories, (messages) => {
				const once = repairHistory(messages);
				assert.deepEqual(repairHistory(once), once);
			}),
		);
	});

	it('names each result as its call', () => {
		const [, , answered] = repairHistory([
			{ role: 'user', text: 'What is in a.ts?' },
			{ role: 'assistant', parts: [{ kind: 'toolCall', callId: 'a', tool: 'fs_read', inputText: '{}' }] },
			{ role: 'tool', results: [{ callId: 'a', tool: 'shell', text: 'It says so.', isError: false }] },
		]);
		assert.ok(answered?.role === 'tool');
		assert.deepEqual(
			answered.results.map(({ tool, text }) => [tool, text]),
			[['fs_read', 'It says so.']],
		);
	});
});
