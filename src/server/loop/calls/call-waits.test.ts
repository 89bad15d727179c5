import assert from 'node:assert/strict';
import { CallWaits } from './call-waits.ts';

/** Notes each kind of progress at its time, and ends at the last one. */
function waitedAfter(...noted: readonly (readonly [at: number, kind: 'waiting' | 'running' | 'output' | 'end'])[]) {
	let now = 0;
	const waits = new CallWaits(() => now);
	for (const [at, kind] of noted) {
		now = at;
		if (kind !== 'end') waits.note({ kind });
	}
	return waits.end().waitedMs;
}

describe('The wait of a call for the person', () => {
	it('is unknown where nobody was asked, or answered within a moment', () => {
		assert.equal(waitedAfter([0, 'running'], [9_000, 'end']), undefined);
		assert.equal(waitedAfter([0, 'waiting'], [999, 'running'], [9_000, 'end']), undefined);
	});

	it('is the sum of all its waits, without its own time', () => {
		assert.equal(
			waitedAfter([0, 'waiting'], [2_000, 'running'], [5_000, 'output'], [6_000, 'waiting'], [9_000, 'running']),
			5_000,
		);
	});

	it('counts to the end where the answer was a no', () => {
		assert.equal(waitedAfter([1_000, 'waiting'], [2_000, 'waiting'], [100_000, 'end']), 99_000);
	});
});
