import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { orAborted } from './or-aborted.ts';

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
