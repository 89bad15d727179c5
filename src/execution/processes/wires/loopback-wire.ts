/**
 * WebSocket through a port of this machine, for an executor that says it can do no other. Everybody on this machine can
 * reach the port, pages in a browser too: so it is open until one has shown the token, and for nobody after it.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { WireEvents } from './executor-wire.ts';
import { KNOCK_MS, MAX_KNOCKS, MAX_WAITING_CONNECTIONS } from '../limits.ts';
import { ChannelRequest, isMalformed, WebSocketWire } from './web-socket-wire.ts';

const ADDRESS = '127.0.0.1';
const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

export class LoopbackWire extends WebSocketWire {
	readonly port: number;
	readonly #http: Server;
	readonly #request: ChannelRequest;
	readonly #sockets = new Set<Socket>();
	#upgraded: Socket | undefined;
	#knocks = 0;

	private constructor(http: Server, port: number, token: string) {
		super();
		this.#http = http;
		this.port = port;
		this.#request = new ChannelRequest(`${ADDRESS}:${port}`, token);
		http.on('connection', (socket) => {
			this.#sockets.add(socket);
			socket.once('close', () => this.#sockets.delete(socket));
			socket.on('error', () => undefined);
		});
		http.on('request', (request) => this.#refuse(request.socket, 'a request that opens no channel'));
		http.on('clientError', (error, socket) => {
			if (isMalformed(error)) this.#refuse(socket as Socket, 'something that is not HTTP');
			else socket.destroy();
		});
		http.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
			const refusal = this.#request.refusal(request);
			if (refusal === undefined) this.#accept(request, socket, head);
			else this.#refuse(socket, refusal);
		});
	}

	/** Listens. Rejects when the system gives it no port. */
	static async listen(token: string): Promise<LoopbackWire> {
		const http = createServer({
			headersTimeout: KNOCK_MS,
			requestTimeout: KNOCK_MS,
			connectionsCheckingInterval: KNOCK_MS,
		});
		http.maxConnections = MAX_WAITING_CONNECTIONS;
		await new Promise<void>((resolve, reject) => {
			http.once('error', reject);
			http.listen(0, ADDRESS, resolve);
		});
		return new LoopbackWire(http, (http.address() as AddressInfo).port, token);
	}

	override follow(events: WireEvents): void {
		this.events = events;
	}

	protected override end(): void {
		this.#http.close();
		for (const socket of this.#sockets) {
			if (socket === this.#upgraded) socket.destroySoon();
			else socket.destroy();
		}
	}

	#accept(request: IncomingMessage, socket: Socket, head: Buffer): void {
		this.#upgraded = socket;
		this.#http.close();
		for (const other of this.#sockets) {
			if (other !== socket) other.destroy();
		}
		this.#request.open(request, socket, head, (webSocket) => this.opened(webSocket, socket));
	}

	/** Refuses a connection; only repeated refusals are a fault, because the caller need not have been the executor. */
	#refuse(socket: Socket, problem: string): void {
		socket.end(REFUSAL, () => socket.destroy());
		this.#knocks += 1;
		this.events?.onRefused(problem);
		if (this.#knocks >= MAX_KNOCKS) {
			this.events?.onFault(`its port was tried ${this.#knocks} times without the token`);
		}
	}
}
