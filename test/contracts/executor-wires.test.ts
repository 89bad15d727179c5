/**
 * Holds every wire for the frames of an executor to one contract, against a far end that writes raw bytes, whole frames
 * and broken ones.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { DescriptorWire } from '../../src/execution/processes/wires/descriptor-wire.ts';
import { ExecutorChannel } from '../../src/execution/processes/executor-channel.ts';
import type { ExecutorWire } from '../../src/execution/processes/wires/executor-wire.ts';
import { IpcWire } from '../../src/execution/processes/wires/ipc-wire.ts';
import { MAX_UNREAD_BYTES } from '../../src/execution/processes/limits.ts';
import { LoopbackWire } from '../../src/execution/processes/wires/loopback-wire.ts';
import {
	CHANNEL_PATH,
	CHANNEL_SUBPROTOCOL,
	type ExecutorFrame,
	frameLimits,
	type HostFrame,
	ipcOpening,
} from '../../src/protocol/execution/execution.ts';
import { waitFor } from '../support/wait-for.ts';

const token = 'token-of-the-test';
const CUTS_AT_ONCE = 20;

interface Link {
	readonly wire: ExecutorWire;
	/** The executor's end. */
	readonly far: Socket;
	opening(shown: string): Buffer;
	/** Encodes one text message; its bytes need not be valid text. */
	message(text: Buffer): Buffer;
	readonly ping: Buffer;
	readonly pong: Buffer;
}

function webSocketOpening(host: string, shown: string): Buffer {
	const key = createHash('sha256').update('key').digest().subarray(0, 16).toString('base64');
	const lines = [
		`GET ${CHANNEL_PATH} HTTP/1.1`,
		...[`host: ${host}`, 'connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
		...[`sec-websocket-key: ${key}`, `sec-websocket-protocol: ${CHANNEL_SUBPROTOCOL}`],
		...[`authorization: Bearer ${shown}`, '', ''],
	];
	return Buffer.from(lines.join('\r\n'));
}

function webSocketFrame(opcode: number, text: Buffer): Buffer {
	const mask = randomBytes(4);
	const length = Buffer.alloc(text.length < 126 ? 1 : 9);
	if (text.length < 126) {
		length[0] = 0x80 | text.length;
	} else {
		length[0] = 0xff;
		length.writeBigUInt64BE(BigInt(text.length), 1);
	}
	return Buffer.concat([
		Buffer.from([0x80 | opcode]),
		length,
		mask,
		text.map((byte, at) => byte ^ (mask[at % 4] ?? 0)),
	]);
}

const overWebSocket = (host: string) => ({
	opening: (shown: string) => webSocketOpening(host, shown),
	message: (text: Buffer) => webSocketFrame(1, text),
	ping: webSocketFrame(9, Buffer.alloc(0)),
	pong: webSocketFrame(10, Buffer.alloc(0)),
});
const line = (text: string | Buffer) => Buffer.concat([Buffer.from(text), Buffer.from('\n')]);

/** The near end of a connection, and the far one. */
async function connected(server: Server): Promise<[Socket, Socket]> {
	const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
	const near = await new Promise<Socket>((resolve) => {
		// Others may connect at the same time.
		const take = (socket: Socket) => {
			if (socket.remotePort !== far.localPort) return;
			server.off('connection', take);
			resolve(socket);
		};
		server.on('connection', take);
	});
	near.on('error', () => undefined);
	return [near, far];
}

const links: Readonly<Record<string, (server: Server) => Promise<Link>>> = {
	'an inherited descriptor': async (server) => {
		const [near, far] = await connected(server);
		return { wire: new DescriptorWire(near, token), far, ...overWebSocket('localhost') };
	},
	"Node's channel": async (server) => {
		const [near, far] = await connected(server);
		return {
			wire: new IpcWire(near, token),
			far,
			opening: (shown) => line(JSON.stringify(ipcOpening(shown))),
			message: line,
			ping: line('"ping"'),
			pong: line('"pong"'),
		};
	},
	'a port': async () => {
		const wire = await LoopbackWire.listen(token);
		const far = connect(wire.port, '127.0.0.1');
		await once(far, 'connect');
		return { wire, far, ...overWebSocket(`127.0.0.1:${wire.port}`) };
	},
};

for (const [name, makeLink] of Object.entries(links)) {
	describe(`The channel to an executor over ${name}`, function () {
		this.timeout(60_000);
		let server: Server;
		const left: { readonly channel: ExecutorChannel; readonly far: Socket }[] = [];
		beforeEach(async () => {
			server = createServer().setMaxListeners(CUTS_AT_ONCE + 1);
			server.listen(0, '127.0.0.1');
			await once(server, 'listening');
		});
		afterEach(async () => {
			for (const { channel, far } of left.splice(0)) {
				channel.close();
				far.destroy();
			}
			await new Promise((resolve) => server.close(resolve));
		});

		/** Opens a link and collects everything that the host hears. */
		async function opened(heartbeatMs?: number) {
			const { wire, far, ...rest } = await makeLink(server);
			const taken: ExecutorFrame[] = [];
			const ends: string[] = [];
			const refused: string[] = [];
			const unanswered: number[] = [];
			let heard = Buffer.alloc(0);
			far.on('error', () => undefined).on('data', (bytes: Buffer) => void (heard = Buffer.concat([heard, bytes])));
			const channel = new ExecutorChannel(
				wire,
				{
					onFrame: (frame) => void taken.push(frame),
					onForged: () => assert.fail('nothing is claimed'),
					onUnanswered: (pings) => void unanswered.push(pings),
					onRefused: (problem) => void refused.push(problem),
					onViolation: (problem) => void ends.push(`violation: ${problem}`),
					onClosed: () => void ends.push('closed'),
				},
				heartbeatMs,
			);
			left.push({ channel, far });
			return { ...rest, channel, far, taken, ends, refused, unanswered, heard: () => heard.toString('latin1') };
		}
		const frames: readonly ExecutorFrame[] = [
			{ type: 'ready', protocol: 1 },
			{ type: 'dispatch', dispatchId: 'd-1', op: 'x.y', params: {} },
			{ type: 'progress', callId: 'c', message: 'half – 半' },
			{ type: 'result', callId: 'c', value: 1 },
		];
		const bytesOf = (frame: unknown) => Buffer.from(JSON.stringify(frame));
		const last: HostFrame = { type: 'cancel', callId: 'c', reason: 'last' };

		it('takes what was there whole, and ends once, wherever it is cut (R-16)', async () => {
			const { opening, message } = await opened();
			const whole = [opening(token), ...frames.map((frame) => message(bytesOf(frame)))];
			const length = whole.reduce((sum, bytes) => sum + bytes.length, 0);
			for (let from = 0; from <= length; from += CUTS_AT_ONCE) {
				const cuts = Array.from({ length: Math.min(CUTS_AT_ONCE, length + 1 - from) }, (_, at) => from + at);
				await Promise.all(cuts.map((cut) => cutAfter(cut)));
			}
		});

		async function cutAfter(cut: number): Promise<void> {
			const { channel, far, taken, ends, ...link } = await opened();
			const opening = link.opening(token);
			const messages = frames.map((frame) => link.message(bytesOf(frame)));
			let at = cut - opening.length;
			const count = messages.filter((bytes) => (at -= bytes.length) >= 0).length;
			far.end(Buffer.concat([opening, ...messages]).subarray(0, cut));
			if (name === 'a port' && cut < opening.length) {
				// Nobody has shown the token: whoever it was is gone, and the port waits for the executor.
				if (!far.closed) await once(far, 'close');
				assert.deepEqual([taken, ends], [[], []], `after ${cut} bytes`);
			} else {
				await waitFor('the end', () => ends.length > 0);
				assert.deepEqual([taken, ends], [frames.slice(0, count), ['closed']], `after ${cut} bytes`);
			}
			channel.close();
			far.destroy();
		}

		for (const shown of ['guessed', '', `${token}x`]) {
			it(`is not opened by the token "${shown}"`, async () => {
				const { far, opening, message, ends, refused, taken } = await opened();
				far.write(Buffer.concat([opening(shown), message(bytesOf(frames[0]))]));
				await waitFor('its refusal', () => refused.length + ends.length > 0);
				assert.match([...refused, ...ends].join(), /a request without the token/);
				assert.deepEqual(taken, []);
			});
		}

		for (const [what, text, about] of [
			['is larger than a frame may be', Buffer.alloc(frameLimits.bytes + 1, 'x'), /payload/i],
			['is not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), /UTF-8/],
			['is no frame', Buffer.from('{"type":"nothing"}'), /a frame that is/],
			['has a key twice', Buffer.from('{"type":"ready","type":"ready","protocol":1}'), /twice/],
		] as const) {
			it(`is closed by what ${what}, and nothing after it is taken (R-09)`, async () => {
				const { far, opening, message, ends, taken } = await opened();
				far.write(Buffer.concat([opening(token), message(text), message(bytesOf(frames[0]))]));
				await waitFor('the end', () => ends.length > 0);
				assert.match(ends.join(), about);
				assert.match(ends.join(), /^violation: /);
				await waitFor('the far end to notice', () => far.destroyed || far.readableEnded);
				assert.deepEqual([taken, ends.length], [[], 1]);
			});
		}

		it('takes what comes in small pieces', async () => {
			const { far, opening, message, taken } = await opened();
			far.setNoDelay(true);
			const bytes = Buffer.concat([opening(token), ...frames.map((frame) => message(bytesOf(frame)))]);
			for (const byte of bytes) {
				far.write(Buffer.from([byte]));
				await new Promise((resolve) => setImmediate(resolve));
			}
			await waitFor('all', () => taken.length === frames.length);
			assert.deepEqual(taken, frames);
		});

		it('takes so many at once, and the others later, in their order (R-10)', async () => {
			const { far, opening, message, taken } = await opened();
			const count = frameLimits.burst + 100;
			const all = Array.from({ length: count }, (_, at) =>
				message(bytesOf({ type: 'progress', callId: 'c', message: `${at}` })),
			);
			far.write(Buffer.concat([opening(token), ...all]));
			await waitFor('the first', () => taken.length > 0);
			assert.ok(taken.length < count, 'all at once');
			await waitFor('all', () => taken.length === count);
			assert.deepEqual(
				taken.map((frame) => (frame.type === 'progress' ? Number(frame.message) : -1)),
				all.map((_, at) => at),
			);
		});

		it('hands on frames whole and in order, and what is too large as an error', async () => {
			const { far, opening, channel, heard } = await opened();
			assert.equal(channel.send(last), false, 'nobody is there yet');
			far.write(opening(token));
			const answer = (dispatchId: string, ok: unknown): HostFrame => ({ type: 'dispatch_result', dispatchId, ok });
			await waitFor('it to be open', () => channel.send(answer('d-0', 'x')));
			channel.send(answer('d-1', 'x'.repeat(6_000_000)));
			channel.send(last);
			await waitFor('the last', () => heard().includes('"last"'));
			assert.match(heard(), /"d-0".*"d-1".*RESPONSE_TOO_LARGE.*"last"/s);
		});

		it('counts what the far end does not answer, and answers what it asks', async () => {
			const { far, opening, ping, pong, unanswered, heard } = await opened(20);
			far.write(opening(token));
			await waitFor('two that are not answered', () => unanswered.includes(2));
			unanswered.length = 0;
			const before = heard().length;
			far.write(Buffer.concat([pong, ping]));
			await waitFor('it to count anew', () => unanswered.includes(1));
			assert.ok(heard().length > before);
		});

		it('is closed when the far end does not read (R-03)', async () => {
			const { far, opening, channel, ends } = await opened();
			far.write(opening(token));
			await waitFor('it to be open', () => channel.send(last));
			far.pause();
			const large: HostFrame = { type: 'dispatch_result', dispatchId: 'd', ok: 'x'.repeat(4_000_000) };
			for (let sent = 0; sent < 2 * MAX_UNREAD_BYTES && channel.send(large); sent += 4_000_000);
			assert.match(ends.join(), /it does not read/);
		});
	});
}
