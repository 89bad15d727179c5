import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { CHANNEL_PATH, CHANNEL_SUBPROTOCOL, type ExecutorFrame } from '../../protocol/execution.ts';
import { ExecutorChannel } from './executor-channel.ts';

const token = 'token-of-the-test';
const opening = [
	`GET ${CHANNEL_PATH} HTTP/1.1`,
	...['host: localhost', 'connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'],
	`sec-websocket-key: ${createHash('sha256').update('key').digest().subarray(0, 16).toString('base64')}`,
	...[`sec-websocket-protocol: ${CHANNEL_SUBPROTOCOL}`, `authorization: Bearer ${token}`, '', ''],
].join('\r\n');

function frameOf(frame: unknown): Buffer {
	const text = Buffer.from(JSON.stringify(frame));
	const mask = randomBytes(4);
	const masked = text.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
	return Buffer.concat([Buffer.from([0x81, 0x80 | text.length]), mask, masked]);
}

const frames = [
	{ type: 'ready', protocol: 1 },
	{ type: 'dispatch', dispatchId: 'd-1', op: 'x.y', params: {} },
	{ type: 'progress', callId: 'c', message: 'half' },
	{ type: 'result', callId: 'c', value: 1 },
].map((frame) => ({ type: frame.type, bytes: frameOf(frame) }));
const session = Buffer.concat([Buffer.from(opening), ...frames.map(({ bytes }) => bytes)]);

describe('The channel to an executor', function () {
	this.timeout(60_000);
	let server: Server;
	beforeEach(async () => {
		server = createServer();
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	afterEach(() => new Promise((resolve) => server.close(resolve)));

	/** What the host hears of an executor that is gone after so many bytes. */
	async function cutAfter(bytes: number): Promise<{ taken: string[]; ends: string[] }> {
		const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
		const [near] = (await once(server, 'connection')) as [Socket];
		const taken: string[] = [];
		const ends: string[] = [];
		const { promise: over, resolve } = Promise.withResolvers<void>();
		const channel = new ExecutorChannel(near, token, {
			onFrame: ({ type }: ExecutorFrame) => void taken.push(type),
			onForged: () => assert.fail('nothing is claimed'),
			onUnanswered: () => assert.fail('it had no time to answer'),
			onViolation(problem) {
				ends.push(`violation: ${problem}`);
				resolve();
			},
			onClosed() {
				ends.push('closed');
				resolve();
			},
		});
		far.on('error', () => undefined).resume();
		far.end(session.subarray(0, bytes));
		await over;
		channel.close();
		far.destroy();
		// Whatever else comes, comes before the sockets are gone.
		if (!near.closed) await once(near, 'close');
		return { taken, ends };
	}

	it('takes what was there whole, and ends once, wherever it is cut (R-16)', async () => {
		for (let bytes = 0; bytes <= session.length; bytes += 1) {
			let left = bytes - opening.length;
			const whole = frames.filter(({ bytes: own }) => (left -= own.length) >= 0).map(({ type }) => type);
			assert.deepEqual(await cutAfter(bytes), { taken: whole, ends: ['closed'] }, `after ${bytes} bytes`);
		}
	});
});
