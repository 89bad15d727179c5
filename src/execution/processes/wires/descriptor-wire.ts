/** WebSocket over a socket that only the process it was made for holds. No port listens. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { WireEvents } from './executor-wire.ts';
import { ChannelRequest, isMalformed, WebSocketWire } from './web-socket-wire.ts';

export class DescriptorWire extends WebSocketWire {
	readonly #socket: Socket;
	readonly #request: ChannelRequest;
	readonly #http: Server;

	constructor(socket: Socket, token: string) {
		super();
		this.#socket = socket;
		this.#request = new ChannelRequest('localhost', token);
		this.#http = createServer(() => this.events?.onFault('a request that opens no channel'));
		// The token goes over the channel, not through the environment, which every process of this user can read.
		socket.write(`${token}\n`);
	}

	override follow(events: WireEvents): void {
		this.events = events;
		this.#http.on('clientError', (error) => {
			if (isMalformed(error)) events.onFault('something that is not HTTP');
			else events.onClosed();
		});
		this.#http.on('upgrade', (request: IncomingMessage, upgraded: Socket, head: Buffer) => {
			const refusal = this.#request.refusal(request);
			if (refusal !== undefined) events.onFault(refusal);
			else this.#request.open(request, upgraded, head, (webSocket) => this.opened(webSocket, upgraded));
		});
		this.#socket.once('close', () => events.onClosed());
		this.#http.emit('connection', this.#socket);
	}

	protected override end(): void {
		this.#http.close();
		this.#socket.destroySoon();
	}
}
