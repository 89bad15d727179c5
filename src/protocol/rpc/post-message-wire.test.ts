/** Faults that only posted messages can have; test/contracts/wires.test.ts covers every wire. */
import assert from 'node:assert/strict';
import { toDisposable } from '../../base/disposable.ts';
import { postMessageWire } from './post-message-wire.ts';
import { WIRE_CODES } from './wire.ts';

const never = new AbortController().signal;

/** A wire whose far end is this test: frames out are kept, frames in are given by hand. */
function wireByHand(post?: (frame: unknown) => void) {
	const sent: Record<string, unknown>[] = [];
	const bad: unknown[] = [];
	let receive: (frame: unknown) => void = () => {};
	const wire = postMessageWire({
		post: post ?? ((frame) => sent.push(frame as Record<string, unknown>)),
		listen(listener) {
			receive = listener;
			return toDisposable(() => (receive = () => {}));
		},
		onBadFrame: (frame) => bad.push(frame),
	});
	return { wire, sent, bad, receive: (frame: unknown) => receive(frame) };
}
const settled = () => new Promise(setImmediate);

describe('postMessageWire', () => {
	it('reports the far end as gone when it can no longer be posted to', async () => {
		const { wire } = wireByHand(() => {
			throw new Error('Webview is disposed');
		});
		wire.sendNotification('far/say', {});
		await assert.rejects(wire.sendRequest('far/echo', {}, never), { code: WIRE_CODES.farEndGone });
	});

	it('does not throw into the transport when an answer cannot be posted', async () => {
		const { wire, receive } = wireByHand(() => {
			throw new Error('Webview is disposed');
		});
		wire.onRequest('near/echo', async () => ({}));
		receive({ kind: 'request', id: 1, method: 'near/echo', params: {} });
		await settled();
	});

	it('reports every message that is not a frame', () => {
		const { bad, receive } = wireByHand();
		const frames = [undefined, { kind: 'error', id: 1 }, { kind: 'notification' }, { kind: 'cancel', id: 1.5 }];
		for (const frame of frames) {
			receive(frame);
		}
		assert.deepEqual(bad, frames);
	});

	it('aborts its running handlers when it is closed, and sends no more answers', async () => {
		const { wire, sent, receive } = wireByHand();
		let reason: unknown;
		wire.onRequest('near/wait', (_params, signal) => {
			return new Promise((_resolve, reject) => {
				signal.addEventListener('abort', () => {
					reason = signal.reason;
					reject(signal.reason);
				});
			});
		});
		receive({ kind: 'request', id: 1, method: 'near/wait', params: {} });
		wire.close();
		wire.close();
		await settled();
		assert.equal((reason as { code: number }).code, WIRE_CODES.farEndGone);
		assert.deepEqual(sent, []);
	});

	it('settles a call once, even if more answers arrive', async () => {
		const { wire, sent, receive } = wireByHand();
		const call = wire.sendRequest('far/echo', {}, never);
		const id = sent[0]?.['id'];
		receive({ kind: 'result', id, result: 'first' });
		receive({ kind: 'error', id, code: -1, message: 'second' });
		assert.equal(await call, 'first');
		receive({ kind: 'result', id, result: 'third' });
	});

	it('keeps the newer handler of a method when the older one is disposed', async () => {
		const { wire, sent, receive } = wireByHand();
		const older = wire.onRequest('near/echo', async () => 'older');
		wire.onRequest('near/echo', async () => 'newer');
		older.dispose();
		receive({ kind: 'request', id: 1, method: 'near/echo', params: {} });
		await settled();
		assert.deepEqual(sent, [{ kind: 'result', id: 1, result: 'newer' }]);
	});
});
