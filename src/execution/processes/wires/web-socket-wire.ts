/** WebSocket over a connection whose far end has to show the token first, once. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { CHANNEL_PATH, CHANNEL_SUBPROTOCOL, frameLimits } from '../../../protocol/execution/execution.ts';
import type { ExecutorWire, WireEvents } from './executor-wire.ts';

const POLICY_VIOLATION = 1008;

/** The request that opens a channel: by what name the host is called there, and what has to be shown. */
export class ChannelRequest {
	readonly #host: string;
	readonly #tokenHash: Buffer;
	#isTokenUsed = false;
	readonly #sockets = new WebSocketServer({
		noServer: true,
		clientTracking: false,
		maxPayload: frameLimits.bytes,
		perMessageDeflate: false,
		autoPong: false,
		handleProtocols: () => CHANNEL_SUBPROTOCOL,
	});

	constructor(host: string, token: string) {
		this.#host = host;
		this.#tokenHash = hashToken(token);
	}

	/** Why a request opens nothing; undefined: it does, and none after it. */
	refusal({ method, url, headers }: IncomingMessage): string | undefined {
		const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
		const isOfPage = headers.origin !== undefined || Object.keys(headers).some((name) => name.startsWith('sec-fetch-'));
		if (method !== 'GET' || url !== CHANNEL_PATH || headers['sec-websocket-protocol'] !== CHANNEL_SUBPROTOCOL) {
			return 'a request for something else than the channel';
		}
		if (isOfPage || headers.host !== this.#host) {
			return 'a request from a page';
		}
		if (this.#isTokenUsed || scheme !== 'Bearer' || !timingSafeEqual(hashToken(token), this.#tokenHash)) {
			return 'a request without the token';
		}
		this.#isTokenUsed = true;
		return undefined;
	}

	open(request: IncomingMessage, socket: Socket, head: Buffer, opened: (webSocket: WebSocket) => void): void {
		this.#sockets.handleUpgrade(request, socket, head, opened);
	}
}

/** True for a malformed request. A request that ends in the middle does not count as malformed. */
export function isMalformed({ code }: NodeJS.ErrnoException): boolean {
	return code?.startsWith('HPE_') === true && code !== 'HPE_INVALID_EOF_STATE';
}

/** Base of the wires over a WebSocket, however it was opened. */
export abstract class WebSocketWire implements ExecutorWire {
	protected events: WireEvents | undefined;
	#webSocket: WebSocket | undefined;
	#socket: Socket | undefined;

	abstract follow(events: WireEvents): void;
	/** Lets go of what is below the WebSocket. */
	protected abstract end(): void;

	get unreadBytes(): number {
		return this.#webSocket?.bufferedAmount ?? 0;
	}

	send(text: string): void {
		if (this.#socket?.writableCorked === 0) {
			leaveTogether(this.#socket);
		}
		this.#webSocket?.send(text, () => {
			// An executor that is gone is noticed by its end.
		});
	}

	ping(): void {
		this.#webSocket?.ping();
	}

	pong(data: Buffer): void {
		this.#webSocket?.pong(data);
	}

	pause(): void {
		this.#webSocket?.pause();
	}

	resume(): void {
		this.#webSocket?.resume();
	}

	close(end: 'done' | 'violation'): void {
		this.#webSocket?.close(end === 'done' ? 1000 : POLICY_VIOLATION);
		this.end();
	}

	/** `socket` is what the WebSocket speaks through. */
	protected opened(webSocket: WebSocket, socket: Socket): void {
		this.#webSocket = webSocket;
		this.#socket = socket;
		webSocket.on('message', (data, isBinary) => this.events?.onReceived({ data: data as Buffer, isBinary }));
		webSocket.on('ping', (data: Buffer) => this.events?.onReceived({ data, ping: true }));
		webSocket.on('pong', (data: Buffer) => this.events?.onReceived({ data, ping: false }));
		// A frame that is not WebSocket, or too large.
		webSocket.on('error', (error: Error) => this.events?.onFault(error.message));
		webSocket.on('close', () => this.events?.onClosed());
		this.events?.onOpen();
	}
}

/**
 * Sends together what is written in this turn of the loop: answers come in bursts, and a write for each one costs more
 * than the answers do.
 */
function leaveTogether(socket: Socket): void {
	socket.cork();
	process.nextTick(() => socket.uncork());
}

function hashToken(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
