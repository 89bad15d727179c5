/**
 * The host's end of a channel: WebSocket over a socket that only the process it was made for holds. Nothing listens
 * anywhere. Frames are checked here; the first that breaks a rule closes the channel, and no later one is read.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import {
	CHANNEL_PATH,
	CHANNEL_SUBPROTOCOL,
	type ExecutorFrame,
	frameLimits,
	type HostFrame,
} from '../../protocol/execution.ts';
import { readExecutorFrame } from '../../protocol/executor-frame.ts';
import { HEARTBEAT_MS, MAX_RECEIVED_BYTES, MAX_RESULT_CHARS, MAX_UNREAD_BYTES, PAUSE_MS } from './limits.ts';

const POLICY_VIOLATION = 1008;

export interface ChannelEvents {
	onFrame(frame: ExecutorFrame): void;
	/** Fields by which a frame claimed an identity or rights; they were dropped. */
	onForged(names: readonly string[]): void;
	/** At most once; the channel is closed. */
	onViolation(problem: string): void;
	/** Pings in a row that were not answered; called at each further one. */
	onUnanswered(pings: number): void;
	/** The far end is gone. At most once, and not after a violation. */
	onClosed(): void;
}

type Received =
	{ readonly data: Buffer; readonly isBinary: boolean } | { readonly data: Buffer; readonly ping: boolean };

export class ExecutorChannel {
	readonly #heartbeatMs: number;
	#events: ChannelEvents;
	readonly #http: Server;
	readonly #socket: Socket;
	readonly #tokenHash: Buffer;
	#webSocket: WebSocket | undefined;
	#isOver = false;
	#isTokenUsed = false;
	/** Read, but not taken yet. */
	readonly #queue: Received[] = [];
	/** The process is gone: there is no more than what is here. */
	#isLast = false;
	#received = 0;
	#credit: number = frameLimits.burst;
	#creditAt = performance.now();
	#resume: ReturnType<typeof setTimeout> | undefined;
	#beat: ReturnType<typeof setInterval> | undefined;
	#unanswered = 0;

	constructor(socket: Socket, token: string, events: ChannelEvents, heartbeatMs: number = HEARTBEAT_MS) {
		this.#events = events;
		this.#heartbeatMs = heartbeatMs;
		this.#socket = socket;
		this.#tokenHash = hash(token);
		const sockets = new WebSocketServer({
			noServer: true,
			clientTracking: false,
			maxPayload: frameLimits.bytes,
			perMessageDeflate: false,
			autoPong: false,
			handleProtocols: () => CHANNEL_SUBPROTOCOL,
		});
		this.#http = createServer(() => this.#violation('a request that opens no channel'));
		this.#http.on('clientError', (error: NodeJS.ErrnoException) => {
			// One that ends in the middle is no fault of its words.
			const isMalformed = error.code?.startsWith('HPE_') === true && error.code !== 'HPE_INVALID_EOF_STATE';
			if (isMalformed) this.#violation('something that is not HTTP');
			else this.#closed();
		});
		this.#http.on('upgrade', (request: IncomingMessage, upgraded: Socket, head: Buffer) => {
			if (this.#isOver) {
				return;
			}
			const refusal = this.#refusal(request);
			if (refusal === undefined) {
				this.#isTokenUsed = true;
				sockets.handleUpgrade(request, upgraded, head, (webSocket) => this.#open(webSocket));
			} else {
				this.#violation(refusal);
			}
		});
		socket.once('close', () => this.#closed());
		this.#http.emit('connection', socket);
	}

	/** Everything from now on is for another. */
	handTo(events: ChannelEvents): void {
		this.#events = events;
	}

	/** False when the executor is gone, or does not read. */
	send(frame: HostFrame): boolean {
		if (this.#isOver || this.#webSocket === undefined) {
			return false;
		}
		if (this.#webSocket.bufferedAmount > MAX_UNREAD_BYTES) {
			this.#violation(`it does not read: ${this.#webSocket.bufferedAmount} bytes wait for it`);
			return false;
		}
		const text = JSON.stringify(frame);
		// Only the result of an op can be so large.
		const isTooLarge = frame.type === 'dispatch_result' && text.length > MAX_RESULT_CHARS;
		this.#webSocket.send(isTooLarge ? JSON.stringify(tooLarge(frame.dispatchId, text.length)) : text, () => {
			// One that is gone is noticed by its end.
		});
		return true;
	}

	/** The process is gone: what it sent before is read at once, however much it is. */
	drain(): void {
		this.#isLast = true;
		this.#goOn();
	}

	close(): void {
		this.#end();
		this.#webSocket?.close(1000);
		this.#socket.destroySoon();
	}

	#refusal({ method, url, headers }: IncomingMessage): string | undefined {
		const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
		return method !== 'GET' || url !== CHANNEL_PATH || headers['sec-websocket-protocol'] !== CHANNEL_SUBPROTOCOL
			? 'a request for something else than the channel'
			: headers.origin !== undefined || headers.host !== 'localhost'
				? 'a request from a page'
				: this.#isTokenUsed || scheme !== 'Bearer' || !timingSafeEqual(hash(token), this.#tokenHash)
					? 'a request without the token'
					: undefined;
	}

	#open(webSocket: WebSocket): void {
		this.#webSocket = webSocket;
		webSocket.on('message', (data, isBinary) => this.#receive({ data: data as Buffer, isBinary }));
		webSocket.on('ping', (data: Buffer) => this.#receive({ data, ping: true }));
		webSocket.on('pong', (data: Buffer) => this.#receive({ data, ping: false }));
		// A frame that is not WebSocket, or too large.
		webSocket.on('error', (error: Error) => this.#violation(error.message));
		webSocket.on('close', () => this.#closed());
		this.#beat = setInterval(() => this.#ping(), this.#heartbeatMs);
	}

	/** One whose frames wait here may have answered. */
	#ping(): void {
		if (this.#resume !== undefined) {
			return;
		}
		if (this.#unanswered > 0) {
			this.#events.onUnanswered(this.#unanswered);
		}
		this.#unanswered += 1;
		if (!this.#isOver) this.#webSocket?.ping();
	}

	#receive(received: Received): void {
		if (this.#isOver) {
			return;
		}
		this.#received += received.data.length;
		if (this.#received > MAX_RECEIVED_BYTES) {
			this.#violation(`more than ${MAX_RECEIVED_BYTES} bytes in one execution`);
			return;
		}
		this.#queue.push(received);
		if (this.#resume === undefined) {
			this.#goOn();
		}
	}

	/** Takes what the budget allows. While something is left, nothing more is read: what was read at once is all there is. */
	#goOn(): void {
		clearTimeout(this.#resume);
		this.#resume = undefined;
		const now = performance.now();
		const earned = ((now - this.#creditAt) / 1000) * frameLimits.framesPerSecond;
		this.#creditAt = now;
		this.#credit = Math.min(frameLimits.burst, this.#credit + earned);
		let taken = 0;
		while (taken < this.#queue.length && !this.#isOver && (this.#isLast || this.#credit >= 1)) {
			this.#credit -= 1;
			this.#take(this.#queue[taken] as Received);
			taken += 1;
		}
		this.#queue.splice(0, taken);
		if (this.#isOver) {
			this.#queue.length = 0;
		} else if (this.#queue.length > 0) {
			this.#webSocket?.pause();
			this.#resume = setTimeout(() => this.#goOn(), PAUSE_MS);
		} else {
			this.#webSocket?.resume();
		}
	}

	#take(received: Received): void {
		if ('ping' in received) {
			if (received.ping) this.#webSocket?.pong(received.data);
			else this.#unanswered = 0;
			return;
		}
		if (received.isBinary) {
			this.#violation('a binary frame');
			return;
		}
		const checked = readExecutorFrame(received.data.toString('utf8'));
		if (!checked.ok) {
			this.#violation(`a frame that is ${checked.problem}`);
			return;
		}
		if (checked.forged.length > 0) {
			this.#events.onForged(checked.forged);
		}
		this.#events.onFrame(checked.frame);
	}

	#violation(problem: string): void {
		if (this.#isOver) {
			return;
		}
		this.#end();
		this.#webSocket?.close(POLICY_VIOLATION);
		this.#socket.destroySoon();
		this.#events.onViolation(problem);
	}

	#closed(): void {
		if (!this.#isOver) {
			this.drain();
		}
		if (!this.#isOver) {
			this.#end();
			this.#events.onClosed();
		}
	}

	#end(): void {
		this.#isOver = true;
		clearTimeout(this.#resume);
		clearInterval(this.#beat);
		this.#http.close();
	}
}

function tooLarge(dispatchId: string, chars: number): HostFrame {
	const message = `the op was done, but its result has ${chars} characters, the limit is ${MAX_RESULT_CHARS}. Ask for less at once`;
	return { type: 'dispatch_result', dispatchId, error: { code: 'RESPONSE_TOO_LARGE', message } };
}

function hash(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
