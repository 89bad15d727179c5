/** A real web server on this machine under made-up names, that notes what reaches it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Received {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
}

export interface HttpSite {
	readonly port: number;
	readonly received: Received[];
	/** Ends connections that a client keeps for a next request. */
	dropConnections(): void;
	close(): Promise<void>;
}

/** `address`: of this machine, that it listens at. */
export async function httpSite(
	answer: (request: Received, response: ServerResponse) => void = (_request, response) => response.end('hello'),
	address = '127.0.0.1',
): Promise<HttpSite> {
	const received: Received[] = [];
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const noted = { method, path: url, headers, body: Buffer.concat(pieces).toString('utf8') };
			received.push(noted);
			answer(noted, response);
		});
	});
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return {
		port: await listening(server, address),
		received,
		dropConnections: () => server.closeAllConnections(),
		close,
	};
}

/** Speaks no HTTP by itself: for servers that misbehave. */
export async function rawSite(
	answer: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly connections: () => number; close(): Promise<void> }> {
	const sockets = new Set<Socket>();
	let connections = 0;
	const server = createRawServer((socket) => {
		connections += 1;
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
		answer(socket);
	});
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			for (const socket of sockets) {
				socket.destroy();
			}
		});
	return { port: await listening(server), connections: () => connections, close };
}

function listening(server: Server, address = '127.0.0.1'): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, address, () => resolve((server.address() as AddressInfo).port));
	});
}
