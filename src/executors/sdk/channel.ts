/**
 * The executor's end of its channel: descriptor 3, over which the host first sends one line with the token and then speaks
 * WebSocket, or Node's own channel to its parent, when the host has given it one. When the channel ends, so does the
 * process: nothing may outlive its host.
 */
import { Socket } from 'node:net';
import WebSocket from 'ws';
import {
	CHANNEL_PATH,
	CHANNEL_SUBPROTOCOL,
	type ExecutorFrame,
	type HostFrame,
	IPC_PING,
	IPC_PONG,
	ipcOpening,
} from '../../protocol/execution/execution.ts';

const HOST_CHANNEL_DESCRIPTOR = 3;
/** Results of ops may be larger than what we may send. */
const MAX_HOST_FRAME_BYTES = 16 * 1_048_576;

interface HostChannel {
	send(frame: ExecutorFrame): void;
	/** Resolves when all that was sent has arrived. */
	close(): Promise<void>;
}

export async function openHostChannel(onFrame: (frame: HostFrame) => void): Promise<HostChannel> {
	return process.send === undefined ? await overDescriptor(onFrame) : await overIpc(onFrame);
}

/** Resolves when the token has been shown; what the host thinks of it, its end says. */
async function overIpc(onFrame: (frame: HostFrame) => void): Promise<HostChannel> {
	const sendToParent = (said: unknown, sent?: () => void) => process.send?.(said, undefined, {}, sent);
	process.on('disconnect', () => process.exit());
	await new Promise<void>((resolve) => {
		process.once('message', (token) => sendToParent(ipcOpening(String(token)), resolve));
	});
	process.on('message', (said: HostFrame | string) => {
		if (said === IPC_PING) sendToParent(IPC_PONG);
		else if (typeof said === 'object') onFrame(said);
	});
	return {
		send: (frame) => void sendToParent(frame),
		// Closes in order: an answer means that everything before it was read. A write of the host to a dead process would
		// lose whatever the process has not read yet.
		close: () =>
			new Promise((resolve) => {
				process.on('message', (said) => said === IPC_PONG && resolve());
				sendToParent(IPC_PING);
			}),
	};
}

async function overDescriptor(onFrame: (frame: HostFrame) => void): Promise<HostChannel> {
	const socket = new Socket({ fd: HOST_CHANNEL_DESCRIPTOR, readable: true, writable: true });
	socket.on('error', () => process.exit(1));
	const token = await readTokenLine(socket);
	const channel = new WebSocket(`ws://localhost${CHANNEL_PATH}`, CHANNEL_SUBPROTOCOL, {
		createConnection() {
			process.nextTick(() => socket.emit('connect'));
			return socket;
		},
		headers: { authorization: `Bearer ${token}` },
		perMessageDeflate: false,
		maxPayload: MAX_HOST_FRAME_BYTES,
	});
	channel.on('message', (data: Buffer) => onFrame(JSON.parse(data.toString('utf8')) as HostFrame));
	channel.on('error', () => process.exit(1));
	channel.on('close', () => process.exit());
	await new Promise<void>((resolve) => channel.once('open', () => resolve()));
	return {
		send(frame) {
			// Ops that are asked for in one moment leave in one write. Anything else leaves at once, as what it follows does: it may be the last.
			if (frame.type !== 'dispatch') {
				socket.uncork();
			} else if (socket.writableCorked === 0) {
				socket.cork();
				process.nextTick(() => socket.uncork());
			}
			channel.send(JSON.stringify(frame));
		},
		close: () =>
			new Promise((resolve) => {
				channel.once('close', () => resolve());
				channel.close(1000);
			}),
	};
}

/** The host says nothing after it before it is asked, so the line is all there is. */
function readTokenLine(socket: Socket): Promise<string> {
	return new Promise((resolve) => {
		let line = '';
		const takeBytes = (bytes: Buffer) => {
			line += bytes.toString('latin1');
			if (line.endsWith('\n')) {
				socket.off('data', takeBytes);
				resolve(line.trim());
			}
		};
		socket.on('data', takeBytes);
	});
}
