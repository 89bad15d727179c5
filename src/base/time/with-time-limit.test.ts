import assert from 'node:assert/strict';
import { TimeoutError } from './derived-signal.ts';
import { orAborted } from './or-aborted.ts';
import { withTimeLimit } from './with-time-limit.ts';

describe('Work with a time limit', () => {
	it('is aborted when its time is up, with an error that names it', async () => {
		const endless = (signal: AbortSignal) => orAborted(new Promise<never>(() => {}), signal);
		await assert.rejects(
			withTimeLimit({ what: 'the answer', timeoutMs: 5 }, endless),
			(error) => error instanceof TimeoutError && error.message === 'the answer took longer than 5 ms',
		);
	});

	it('fails as it fails by itself', async () => {
		const broken = withTimeLimit({ what: 'the answer', timeoutMs: 60_000 }, () =>
			Promise.reject(new Error('no answer')),
		);
		await assert.rejects(broken, { message: 'no answer' });
	});

	it('gives its result, and its signal stays quiet afterwards', async () => {
		const { signal, value } = await withTimeLimit({ what: 'the answer', timeoutMs: 20 }, (given) =>
			Promise.resolve({ signal: given, value: 42 }),
		);
		// A clock of its own, started later, that passes the same time.
		await assert.rejects(
			withTimeLimit({ what: 'another', timeoutMs: 60 }, (later) => orAborted(new Promise<never>(() => {}), later)),
		);
		assert.equal(value, 42);
		assert.equal(signal.aborted, false);
	});
});
