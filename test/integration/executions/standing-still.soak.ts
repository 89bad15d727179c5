import assert from 'node:assert/strict';
import { hostStandsStill, serverStandsStill } from './standing-still.ts';

/** Longer than any limit of a stream, of a lease or of a request. */
const sleepMs = 75_000;

describe('A machine that sleeps for more than a minute', () => {
	it('does not time out what the server waits for (R-50)', async () => {
		await serverStandsStill(sleepMs, sleepMs);
	});

	it('does not time out what the host waits for (R-50)', async () => {
		assert.match((await hostStandsStill(sleepMs)).result, /ended\n\[exit code 0\]/);
	});
});
