import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { deriveSignal, TimeoutError } from './derived-signal.ts';

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('deriveSignal', () => {
	it('is aborted at once by a parent that already is, and listens to nothing', () => {
		const parent = AbortSignal.abort(new Error('stop'));
		const derived = deriveSignal(parent, { what: 'a wait', timeoutMs: 1000 });
		assert.equal(derived.signal.aborted, true);
		assert.equal(derived.signal.reason, parent.reason);
		assert.equal(getEventListeners(parent, 'abort').length, 0);
		derived.resume();
		derived.dispose();
	});

	it('aborts with the reason of its parent', () => {
		const parent = new AbortController();
		const derived = deriveSignal(parent.signal);
		const reason = new Error('user pressed stop');
		parent.abort(reason);
		assert.equal(derived.signal.reason, reason);
		derived.dispose();
	});

	it('aborts when its time is up, naming the wait and the limit', async () => {
		const derived = deriveSignal(new AbortController().signal, { what: 'the answer', timeoutMs: 5 });
		await once(derived.signal, 'abort');
		const reason: unknown = derived.signal.reason;
		assert.ok(reason instanceof TimeoutError);
		assert.equal(reason.message, 'the answer took longer than 5 ms');
		assert.equal(reason.code, 'TIMEOUT');
		derived.dispose();
	});

	it('keeps the first reason', () => {
		const parent = new AbortController();
		const derived = deriveSignal(parent.signal);
		derived.abort('mine');
		parent.abort('theirs');
		assert.equal(derived.signal.reason, 'mine');
		derived.dispose();
	});

	it('leaves no listener on its parent and no clock behind', () => {
		const parent = new AbortController();
		const before = timers();
		for (let i = 0; i < 1000; i += 1) {
			const derived = deriveSignal(parent.signal, { what: 'a wait', timeoutMs: 60_000 });
			assert.equal(getEventListeners(parent.signal, 'abort').length, 1);
			derived.dispose();
		}
		assert.equal(getEventListeners(parent.signal, 'abort').length, 0);
		assert.equal(timers(), before);
	});

	it('lets no clock run on after it was aborted', () => {
		const before = timers();
		const parent = new AbortController();
		const derived = deriveSignal(parent.signal, { what: 'a wait', timeoutMs: 60_000 });
		derived.abort('enough');
		assert.equal(timers(), before);
		assert.equal(getEventListeners(parent.signal, 'abort').length, 0);
		derived.dispose();
	});

	it('does not start its clock again after its end', () => {
		const before = timers();
		const derived = deriveSignal(new AbortController().signal, { what: 'a wait', timeoutMs: 60_000 });
		derived.pause();
		derived.dispose();
		derived.resume();
		assert.equal(timers(), before);
	});

	it('waits without end while paused, and then has what was left', async () => {
		const derived = deriveSignal(new AbortController().signal, { what: 'a wait', timeoutMs: 20 });
		derived.pause();
		derived.pause();
		const other = deriveSignal(new AbortController().signal, { what: 'another', timeoutMs: 60 });
		await once(other.signal, 'abort');
		assert.equal(derived.signal.aborted, false);
		derived.resume();
		derived.resume();
		await once(derived.signal, 'abort');
		derived.dispose();
		other.dispose();
	});

	it('is renewed up to the longest time in all, which the error then names', async () => {
		const derived = deriveSignal(new AbortController().signal, { what: 'a call', timeoutMs: 30, longestMs: 60 });
		const startedAt = performance.now();
		const renewing = setInterval(() => derived.renew(), 10);
		await once(derived.signal, 'abort');
		clearInterval(renewing);
		assert.ok(performance.now() - startedAt >= 50);
		assert.match(String(derived.signal.reason), /a call took longer than 60 ms/);
		derived.renew();
		derived.dispose();
	});

	it('is not renewed without a longest time, nor started by that while it is paused', () => {
		const before = timers();
		const derived = deriveSignal(new AbortController().signal, {
			what: 'a call',
			timeoutMs: 60_000,
			longestMs: 90_000,
		});
		derived.pause();
		derived.renew();
		assert.equal(timers(), before);
		derived.dispose();
		const plain = deriveSignal(new AbortController().signal, { what: 'a call', timeoutMs: 60_000 });
		plain.pause();
		plain.renew();
		assert.equal(timers(), before);
		plain.dispose();
	});

	for (const timeoutMs of [0, undefined]) {
		it(`has no limit when it is given ${timeoutMs}`, () => {
			const before = timers();
			const derived = deriveSignal(
				new AbortController().signal,
				timeoutMs === undefined ? undefined : { what: 'a wait', timeoutMs },
			);
			derived.pause();
			derived.resume();
			assert.equal(timers(), before);
			derived.dispose();
		});
	}

	it('does not take a limit of a month for none', async () => {
		const derived = deriveSignal(new AbortController().signal, { what: 'a wait', timeoutMs: 30 * 86_400_000 });
		await new Promise(setImmediate);
		await once(AbortSignal.timeout(5), 'abort');
		assert.equal(derived.signal.aborted, false);
		derived.dispose();
	});
});
