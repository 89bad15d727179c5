/** Faults that only a JSON-RPC connection can have; test/contracts/wires.test.ts covers every wire. */
import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import {
	CancellationTokenSource,
	createMessageConnection,
	type MessageConnection,
	PortMessageReader,
	PortMessageWriter,
	ResponseError,
} from 'vscode-jsonrpc/node';
import * as z from '../text/zod.ts';
import { jsonRpcWire } from './json-rpc-wire.ts';
import { defineNotification, defineRequest } from './message.ts';
import { Peer } from './peer.ts';
import { WIRE_CODES, type Wire, WireError } from './wire.ts';

const requests = { echo: defineRequest('far/echo', z.object({ text: z.string() }), z.object({ text: z.string() })) };
const notifications = { say: defineNotification('far/say', z.object({ text: z.string() })) };

describe('jsonRpcWire', () => {
	let bare: MessageConnection;
	let refused: string[];
	let wire: Wire;
	let close: () => void;
	beforeEach(() => {
		const { port1, port2 } = new MessageChannel();
		const open = (port: typeof port1) => {
			const connection = createMessageConnection(new PortMessageReader(port), new PortMessageWriter(port));
			connection.onClose(() => connection.dispose());
			connection.listen();
			return connection;
		};
		bare = open(port1);
		refused = [];
		wire = jsonRpcWire(open(port2), { CancellationTokenSource, ResponseError });
		const far = new Peer(wire, (method, problem) => refused.push(`${method}: ${problem}`));
		far.serve(requests, { echo: async ({ text }) => ({ text }) });
		far.on(notifications, { say: ({ text }) => refused.push(`took ${text}`) });
		close = () => port1.close();
	});
	afterEach(() => close());

	it('carries the error of a bundle that is loaded late, with its code and its data', async () => {
		const copy = './wire.ts?late';
		const late = ((await import(copy)) as { readonly WireError: typeof WireError }).WireError;
		assert.notEqual(late, WireError);
		wire.onRequest('far/fail', () => Promise.reject(new late(WIRE_CODES.domainError, 'no', { code: 'NOT_FOUND' })));
		await assert.rejects(bare.sendRequest('far/fail'), { code: WIRE_CODES.domainError, data: { code: 'NOT_FOUND' } });
	});

	it('refuses a request without params as an error of its sender', async () => {
		await assert.rejects(bare.sendRequest('far/echo'), { code: WIRE_CODES.invalidParams, message: /^far\/echo: / });
	});

	it('refuses positional params as an error of their sender', async () => {
		await assert.rejects(bare.sendRequest('far/echo', { text: 'a' }, { text: 'b' }), {
			code: WIRE_CODES.invalidParams,
		});
	});

	it('reports a notification without params, or with positional params', async () => {
		await bare.sendNotification('far/say');
		await bare.sendNotification('far/say', { text: 'a' }, { text: 'b' });
		await bare.sendRequest('far/echo', { text: 'both have arrived' });
		assert.equal(refused.length, 2);
		assert.ok(refused.every((line) => line.startsWith('far/say: ')));
	});
});
