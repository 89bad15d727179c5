import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { TimeoutError } from './derived-signal.ts';
import { orAborted, raceTimeout, waitUntilAfterAbort, withTimeLimit } from './bounded-wait.ts';

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

describe('waitUntilAfterAbort', () => {
	const stop = new AbortController();

	it('rejects as the work does', async () => {
		await assert.rejects(waitUntilAfterAbort(Promise.reject(new Error('no')), 60_000, stop.signal), /no/);
	});

	it('waits for the work alone, and no longer than its time after an abort', async () => {
		const work = Promise.withResolvers<void>();
		const waiting = waitUntilAfterAbort(work.promise, 1, stop.signal);
		stop.abort();
		await waiting;
		work.resolve();
		await waitUntilAfterAbort(work.promise, 60_000, stop.signal);
	});
});

describe('raceTimeout', () => {
	it('goes on without what takes longer, however that ends', async () => {
		const work = Promise.withResolvers<never>();
		assert.equal(await raceTimeout(work.promise, 1), undefined);
		work.reject(new Error('too late'));
	});

	it('is as the work is when that comes in time, and leaves no timer', async () => {
		assert.equal(await raceTimeout(Promise.resolve(1), 60_000), 1);
		await assert.rejects(raceTimeout(Promise.reject(new Error('no')), 60_000), /no/);
	});
});

describe('orAborted', () => {
	const reason = new Error('enough');
	const never = new Promise<never>(() => {});

	it('rejects with the reason of a signal that aborts while it waits, or did before', async () => {
		const controller = new AbortController();
		const waiting = orAborted(never, controller.signal);
		controller.abort(reason);
		await assert.rejects(waiting, reason);
		await assert.rejects(orAborted(never, controller.signal), reason);
		await assert.rejects(orAborted(Promise.resolve(1), controller.signal), reason);
	});

	it('leaves work that fails after it was left without a word', async () => {
		const controller = new AbortController();
		const work = Promise.withResolvers<never>();
		const waiting = orAborted(work.promise, controller.signal);
		controller.abort(reason);
		await assert.rejects(waiting, reason);
		work.reject(new Error('too late'));
	});

	it('is as the work is, and leaves nothing on the signal', async () => {
		const { signal } = new AbortController();
		assert.equal(await orAborted(Promise.resolve(1), signal), 1);
		await assert.rejects(orAborted(Promise.reject(reason), signal), reason);
		assert.deepEqual(getEventListeners(signal, 'abort'), []);
	});
});
