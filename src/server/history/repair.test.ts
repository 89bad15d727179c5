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
});
