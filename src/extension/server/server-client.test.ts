import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { Peer } from '../../protocol/rpc/peer.ts';
import type { Wire } from '../../protocol/rpc/wire.ts';
import { ServerClient } from './server-client.ts';
import type { EditorServerProcess } from './server-process.ts';

const wire: Wire = {
	sendRequest: async () => ({}),
	sendNotification: () => {},
	onRequest: () => ({ dispose() {} }),
	onNotification: () => ({ dispose() {} }),
};
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A process of which the test decides when it ends. */
class FakeProcess {
	readonly peer = new Peer(wire);
	readonly #gone = new AbortController();
	readonly gone = this.#gone.signal;
	async start(): Promise<void> {}
	async close(): Promise<void> {
		this.die('it was stopped');
	}
	die(how: string): void {
		this.#gone.abort(how);
	}
}

function createClient({ isTrusted = true, startError }: { isTrusted?: boolean; startError?: Error } = {}) {
	const processes: FakeProcess[] = [];
	const client = new ServerClient({
		log: silent,
		isTrusted: () => isTrusted,
		createProcess: async () => {
			const fresh = new FakeProcess();
			processes.push(fresh);
			return fresh as unknown as EditorServerProcess;
		},
		serve: async () => ({ dispose() {} }),
		handshake: async () => {
			if (startError !== undefined) {
				throw startError;
			}
		},
		sentenceOf: ({ message }) => message,
	});
	return { client, processes };
}

describe('ServerClient', () => {
	it('starts nothing before the workspace is trusted', async () => {
		const { client, processes } = createClient({ isTrusted: false });
		await assert.rejects(client.peer(), { code: 'WORKSPACE_UNTRUSTED' });
		await assert.rejects(client.restart(), { code: 'WORKSPACE_UNTRUSTED' });
		assert.equal(processes.length, 0);
	});

	it('starts one process however many need it', async () => {
		const { client, processes } = createClient();
		const peers = await Promise.all([client.peer(), client.peer()]);
		assert.equal(processes.length, 1);
		assert.equal(peers[0], peers[1]);
		await client.close();
	});

	it('starts a fresh one when it dies, and tells of each step', async () => {
		const { client, processes } = createClient();
		const states: string[] = [];
		client.onDidChange(({ kind }) => states.push(kind));
		await client.peer();
		processes[0]?.die('exit code 1');
		assert.equal(client.running, undefined);
		const second = await client.peer();
		assert.equal(second, processes[1]?.peer);
		assert.deepEqual(states, ['starting', 'running', 'starting', 'running']);
		await client.close();
	});

	it('gives up on one that never comes up, says why, and starts again when it is asked to', async () => {
		const startError = new Error('no handshake');
		const { client, processes } = createClient({ startError });
		await assert.rejects(client.peer(), { code: 'SERVER_DEGRADED' });
		assert.equal(client.state.kind, 'degraded');
		assert.equal(processes.length, 6);
		await assert.rejects(client.peer(), { code: 'SERVER_DEGRADED' });
		assert.equal(processes.length, 6);
		await assert.rejects(client.restart(), { code: 'SERVER_DEGRADED' });
		assert.equal(processes.length, 12);
		await client.close();
	});

	it('is started once where its store is newer, and says so to everybody who needs it', async () => {
		const startError = new ProwessError('STORE_NEWER', 'threads.db was written by a later version');
		const { client, processes } = createClient({ startError });
		await assert.rejects(client.peer(), { code: 'STORE_NEWER' });
		await assert.rejects(client.peer(), { code: 'STORE_NEWER' });
		assert.deepEqual(client.state, { kind: 'degraded', reason: startError.message });
		assert.equal(processes.length, 1);
		await client.close();
	});

	it('rejects those who wait, and starts nothing any more, once it is closed', async () => {
		const { client, processes } = createClient();
		const waiting = client.peer();
		const refused = assert.rejects(waiting, { code: 'SERVER_GONE' });
		await client.close();
		await refused;
		await assert.rejects(client.peer(), { code: 'SERVER_GONE' });
		assert.ok(processes.every(({ gone }) => gone.aborted));
	});
});
