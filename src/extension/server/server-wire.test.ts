import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Peer } from '../../protocol/rpc/peer.ts';
import type { Wire } from '../../protocol/rpc/wire.ts';
import { threadRequests } from '../../protocol/thread/thread-requests.ts';
import { serverWire } from './server-wire.ts';

/** A server that accepts every request and never answers; it honours the caller's signal, as the JSON-RPC wire does. */
const silent: Wire = {
	sendRequest: (_method, _params, signal) =>
		new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
	sendNotification: () => {},
	onRequest: () => ({ dispose() {} }),
	onNotification: () => ({ dispose() {} }),
};

describe('serverWire', () => {
	it('rejects what is under way with SERVER_GONE when the process goes', async () => {
		const gone = new AbortController();
		const peer = new Peer(serverWire(silent, gone.signal));
		const call = peer.call(threadRequests.list, {}, new AbortController().signal);
		gone.abort('exit code 134');
		await assert.rejects(call, {
			code: 'SERVER_GONE',
			message: /thread\/list: the server process is gone: exit code 134/,
		});
	});

	it('refuses new calls once the process is gone', async () => {
		const peer = new Peer(serverWire(silent, AbortSignal.abort('exit code 1')));
		await assert.rejects(peer.call(threadRequests.list, {}, new AbortController().signal), { code: 'SERVER_GONE' });
	});

	it("rejects with the caller's own reason when the caller gives up", async () => {
		const peer = new Peer(serverWire(silent, new AbortController().signal));
		const caller = new AbortController();
		const call = peer.call(threadRequests.list, {}, caller.signal);
		caller.abort(new Error('the view was closed'));
		await assert.rejects(call, /the view was closed/);
	});
});
