/** Holds every wire to one contract: whatever carries a conversation, the two ends notice no difference. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import {
	CancellationTokenSource,
	createMessageConnection,
	IPCMessageReader,
	IPCMessageWriter,
	type MessageConnection,
	PortMessageReader,
	PortMessageWriter,
	ResponseError,
	StreamMessageReader,
	StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { toDisposable } from '../../src/base/disposable.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';
import { jsonRpcWire } from '../../src/protocol/rpc/json-rpc-wire.ts';
import { Peer } from '../../src/protocol/rpc/peer.ts';
import { postMessageWire } from '../../src/protocol/rpc/post-message-wire.ts';
import { WIRE_CODES, type Wire, WireError } from '../../src/protocol/rpc/wire.ts';
import {
	farNotifications,
	farRequests,
	nearNotifications,
	relayedRequests,
	serveFarEnd,
} from '../fixtures/processes/wire-conversation.ts';
import { specProgram } from '../support/programs.ts';

interface Link {
	readonly wire: Wire;
	/** Puts a frame on the wire to the far end as it is. */
	raw(frame: unknown): void;
	/** The far end goes without a word. */
	drop(): void;
	close(): Promise<void> | void;
}

const program = specProgram(join(import.meta.dirname, '../fixtures/processes/answers-over-ipc.ts'));
const library = { CancellationTokenSource, ResponseError };

function listening(connection: MessageConnection): MessageConnection {
	connection.onClose(() => connection.dispose());
	connection.onError(() => {
		// Garbage is reported here by the library; that it does no harm is what the tests see.
	});
	connection.listen();
	return connection;
}

const links = {
	'JSON-RPC over streams': () => {
		const toFar = new PassThrough();
		const toNear = new PassThrough();
		const near = createMessageConnection(new StreamMessageReader(toNear), new StreamMessageWriter(toFar));
		const far = createMessageConnection(new StreamMessageReader(toFar), new StreamMessageWriter(toNear));
		serveFarEnd(jsonRpcWire(far, library));
		const drop = () => {
			toFar.destroy();
			toNear.destroy();
		};
		listening(far);
		return {
			wire: jsonRpcWire(listening(near), library),
			raw(frame) {
				const body = typeof frame === 'string' ? frame : (JSON.stringify(frame) ?? '');
				toFar.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
			},
			drop,
			close: drop,
		};
	},
	'JSON-RPC over a message port': () => {
		const { port1, port2 } = new MessageChannel();
		const near = createMessageConnection(new PortMessageReader(port1), new PortMessageWriter(port1));
		const far = createMessageConnection(new PortMessageReader(port2), new PortMessageWriter(port2));
		serveFarEnd(jsonRpcWire(far, library));
		listening(far);
		return {
			wire: jsonRpcWire(listening(near), library),
			raw: (frame) => port1.postMessage(frame),
			drop: () => port2.close(),
			close: () => port1.close(),
		};
	},
	'JSON-RPC over the IPC channel of a child process': () => {
		const child = fork(program, ['--node-ipc']);
		const near = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
		return {
			wire: jsonRpcWire(listening(near), library),
			raw: (frame) => void child.send(frame as object),
			drop: () => void child.kill('SIGKILL'),
			async close() {
				child.kill('SIGKILL');
				if (child.exitCode === null && child.signalCode === null) {
					await once(child, 'exit');
				}
			},
		};
	},
	'Posted messages': () => {
		const { port1, port2 } = new MessageChannel();
		const over = (port: typeof port1) =>
			postMessageWire({
				post: (frame) => port.postMessage(frame),
				listen(receive) {
					port.on('message', receive);
					return toDisposable(() => port.off('message', receive));
				},
			});
		const [near, far] = [over(port1), over(port2)];
		port1.once('close', () => near.close());
		port2.once('close', () => far.close());
		serveFarEnd(far);
		return {
			wire: near,
			raw: (frame) => port1.postMessage(frame),
			drop: () => port2.close(),
			close: () => port1.close(),
		};
	},
} satisfies Record<string, () => Link>;

for (const [name, open] of Object.entries<() => Link>(links)) {
	describe(`Wire contract: ${name}`, () => {
		const never = new AbortController().signal;
		let link: Link;
		let near: Peer;
		let refused: string[];
		beforeEach(() => {
			link = open();
			refused = [];
			near = new Peer(link.wire, (method, problem) => refused.push(`${method}: ${problem}`));
		});
		afterEach(() => link.close());

		/** Resolves when the far end has begun to wait. */
		function started(): Promise<void> {
			return new Promise((resolve) => {
				near.on(nearNotifications, { started: () => resolve() });
			});
		}
		const heard = () => near.call(farRequests.heard, {}, never);

		it('answers a typed request', async () => {
			assert.deepEqual(await near.call(farRequests.echo, { text: 'a\u0000\u{1F600}' }, never), {
				text: 'a\u0000\u{1F600}',
			});
		});

		it('refuses params that do not parse, naming method and field', async () => {
			await assert.rejects(near.call(farRequests.echo, { text: 'a', list: [{ name: 'b' }, { name: '' }] }, never), {
				code: WIRE_CODES.invalidParams,
				message: /^far\/echo: list\.1\.name: /,
			});
		});

		for (const params of [undefined, null, [], [{ text: 'a' }, 'b'], ['x'], 'text', 7]) {
			it(`refuses ${JSON.stringify(params) ?? 'no'} params as the caller's fault`, async () => {
				await assert.rejects(link.wire.sendRequest('far/echo', params, never), { code: WIRE_CODES.invalidParams });
			});
		}

		it('says of a method nobody serves that there is none', async () => {
			await assert.rejects(link.wire.sendRequest('far/nothing', {}, never), { code: WIRE_CODES.methodNotFound });
		});

		it('brings our error home with its code and facts', async () => {
			await assert.rejects(near.call(farRequests.fail, { how: 'domain' }, never), (error) => {
				assert.ok(error instanceof ProwessError);
				assert.deepEqual(
					[error.code, error.message, error.facts],
					['NOT_FOUND', 'no such file: a.ts', { path: 'a.ts', tried: ['a', 'b'] }],
				);
				return true;
			});
		});

		for (const how of ['bug', 'not an error', 'wrong result'] as const) {
			it(`calls it our bug when the handler fails with ${how}`, async () => {
				await assert.rejects(near.call(farRequests.fail, { how }, never), (error) => {
					assert.ok(error instanceof WireError);
					assert.equal(error.code, WIRE_CODES.internalError);
					return true;
				});
			});
		}

		it('brings the abort of the caller to the handler, and rejects with the reason of the caller', async () => {
			const waiting = started();
			const controller = new AbortController();
			const running = near.call(farRequests.wait, { key: 'k', deaf: false }, controller.signal);
			await waiting;
			const reason = new Error('user pressed stop');
			controller.abort(reason);
			await assert.rejects(running, reason);
			await near.call(farRequests.sawAbort, { key: 'k' }, never);
		});

		it('frees a caller that aborts even when the far end never answers', async () => {
			const waiting = started();
			const controller = new AbortController();
			const running = near.call(farRequests.wait, { key: 'k', deaf: true }, controller.signal);
			await waiting;
			controller.abort('enough');
			await assert.rejects(running, (reason) => reason === 'enough');
		});

		it('sends nothing for a caller that is aborted already', async () => {
			await assert.rejects(
				near.call(farRequests.echo, { text: 'a' }, AbortSignal.abort('early')),
				(reason) => reason === 'early',
			);
		});

		it('settles every pending call when the far end goes, and refuses new ones', async () => {
			const waiting = started();
			const calls = ['a', 'b', 'c'].map((key) => near.call(farRequests.wait, { key, deaf: true }, never));
			const settled = Promise.allSettled(calls);
			await waiting;
			link.drop();
			for (const result of await settled) {
				assert.equal(result.status, 'rejected');
				assert.equal((result.reason as WireError).code, WIRE_CODES.farEndGone);
			}
			await assert.rejects(near.call(farRequests.echo, { text: 'a' }, never), { code: WIRE_CODES.farEndGone });
			near.notify(farNotifications.say, { text: 'into the void' });
		});

		it('drops frames that are none and goes on', async () => {
			const frames: unknown[] = [
				null,
				42,
				'text',
				[],
				{},
				{ kind: 'request' },
				{ kind: 'request', id: 'x', method: 'far/echo' },
				{ kind: 'result', id: 999 },
				{ kind: 'nonsense', id: 1 },
				{ jsonrpc: '2.0' },
				{ jsonrpc: '2.0', id: 999, result: 1 },
				{ jsonrpc: '2.0', id: 999, error: { code: 1, message: 'x' } },
				{ jsonrpc: '2.0', method: 7 },
				{ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 12345 } },
				{ jsonrpc: '2.0', method: 'nobody/listens', params: {} },
			];
			for (const frame of frames) {
				link.raw(frame);
			}
			assert.deepEqual(await near.call(farRequests.echo, { text: 'still here' }, never), { text: 'still here' });
		});

		it('reports a notification that does not parse, and does not throw it at the transport', async () => {
			for (const params of [{ text: 7 }, {}, undefined, ['x', 'y']]) {
				link.wire.sendNotification('far/say', params);
			}
			near.notify(farNotifications.say, { text: 'good' });
			const { heard: good, refused: bad } = await heard();
			assert.deepEqual(good, ['good']);
			assert.equal(bad.length, 4);
			assert.match(bad[0] ?? '', /^far\/say: text: /);
		});

		it('reports a listener that throws, and goes on', async () => {
			near.notify(farNotifications.say, { text: 'throw' });
			near.notify(farNotifications.say, { text: 'after' });
			assert.deepEqual(await heard(), {
				heard: ['after'],
				refused: ['far/say: the listener failed: the listener is broken'],
			});
		});

		it('keeps the notifications that are held until then, for those who listen by then', async () => {
			const stop = new AbortController();
			const held = near.hold(nearNotifications);
			const waits = ['first', 'second'].map((key) => near.call(farRequests.wait, { key, deaf: false }, stop.signal));
			// Later than what it has said before.
			await near.call(farRequests.echo, { text: 'so far' }, never);
			const heard: string[] = [];
			near.on(nearNotifications, { started: ({ key }) => void heard.push(key) });
			assert.deepEqual(heard, []);
			held.dispose();
			assert.deepEqual(heard, ['first', 'second']);
			stop.abort('enough');
			await Promise.allSettled(waits);
		});

		it('carries a conversation onward untranslated: answers, refusals and aborts', async () => {
			const aborted = Promise.withResolvers<void>();
			const stalled = Promise.withResolvers<void>();
			near.serve(relayedRequests, {
				ask: async ({ n }) => {
					if (n < 0) {
						throw new ProwessError('INVALID_STATE', 'below zero', { n });
					}
					return { n: n + 1 };
				},
				stall: (_params, signal) => {
					signal.addEventListener('abort', () => aborted.resolve());
					stalled.resolve();
					return new Promise(() => {});
				},
			});
			assert.deepEqual(await near.call(relayedRequests.ask, { n: 1 }, never), { n: 2 });
			await assert.rejects(near.call(relayedRequests.ask, { n: -1 }, never), {
				code: 'INVALID_STATE',
				facts: { n: -1 },
			});
			await assert.rejects(near.call(relayedRequests.ask, { n: 0.5 }, never), {
				code: WIRE_CODES.invalidParams,
				message: /^relay\/ask: n: /,
			});
			const controller = new AbortController();
			const running = near.call(relayedRequests.stall, {}, controller.signal);
			await stalled.promise;
			controller.abort('stop');
			await assert.rejects(running, (reason) => reason === 'stop');
			await aborted.promise;
		});

		it('serves no longer what was disposed', async () => {
			near.serve(relayedRequests, { ask: async ({ n }) => ({ n }), stall: async () => ({}) }).dispose();
			await assert.rejects(near.call(relayedRequests.ask, { n: 1 }, never), { code: WIRE_CODES.methodNotFound });
		});
	});
}
