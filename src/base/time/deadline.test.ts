import assert from 'node:assert/strict';
import { once } from 'node:events';
import { startDeadline } from './deadline.ts';
import { deriveSignal, TimeoutError } from './derived-signal.ts';
import { watchForStandstill } from './standstill.ts';
import { blockTheLoop } from '../../../test/support/block-the-loop.ts';

const never = new AbortController().signal;

describe('a limit in a process that stood still', () => {
	it('is not passed before what came meanwhile was looked at', async () => {
		const { port1, port2 } = new MessageChannel();
		const answered = once(port1, 'message');
		const limit = deriveSignal(never, { what: 'the answer', timeoutMs: 50 });
		const passed = once(limit.signal, 'abort').then(() => 'passed');
		port2.postMessage('here');
		blockTheLoop(900);
		assert.notEqual(await Promise.race([answered, passed]), 'passed');
		limit.dispose();
		port1.close();
	});

	it('passes nevertheless when nothing came', async () => {
		const limit = deriveSignal(never, { what: 'the answer', timeoutMs: 100 });
		blockTheLoop(900);
		await once(limit.signal, 'abort');
		assert.ok(limit.signal.reason instanceof TimeoutError);
	});

	it('can be taken back while it looks', async () => {
		const passed: string[] = [];
		const late = startDeadline(10, () => passed.push('late'));
		blockTheLoop(1_000);
		// Waits for a later timer: then the limit's own timer has run and started another one.
		await once(AbortSignal.timeout(100), 'abort');
		late.dispose();
		const { promise, resolve } = Promise.withResolvers<void>();
		startDeadline(1_500, resolve);
		await promise;
		assert.deepEqual(passed, []);
	});
});

describe('watchForStandstill', () => {
	it('tells how long it was', async () => {
		const { promise, resolve } = Promise.withResolvers<number>();
		const watch = watchForStandstill(resolve);
		blockTheLoop(2_000);
		const forMs = await promise;
		watch.dispose();
		assert.ok(forMs >= 1_400, String(forMs));
	});
});
