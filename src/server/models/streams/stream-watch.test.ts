import assert from 'node:assert/strict';
import { once } from 'node:events';
import { blockTheLoop } from '../../../../test/support/block-the-loop.ts';
import { StreamWatch } from './stream-watch.ts';

describe('StreamWatch', () => {
	it('takes no stream for stalled whose part came while the process stood still (R-37)', async () => {
		const { port1, port2 } = new MessageChannel();
		const stalled: string[] = [];
		const watch = new StreamWatch({ firstByteMs: 50, idleMs: 10_000, keepAliveMs: 0 }, (what) => stalled.push(what));
		const arrived = once(port1, 'message').then(() => watch.part());
		port2.postMessage('a part');
		blockTheLoop(900);
		await arrived;
		await once(AbortSignal.timeout(1_500), 'abort');
		watch.dispose();
		port1.close();
		assert.deepEqual(stalled, []);
	});
});
