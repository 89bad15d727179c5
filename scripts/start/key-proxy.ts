/**
 * A loopback proxy in front of the VS Code server that knows one request more: POST /mint-key, whose answer the workbench
 * needs to keep secrets over a reload. The server itself answers it with 405.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';

export interface KeyProxy {
	readonly origin: string;
	close(): void;
}

/**
 * Returns half of the key of the browser's secret storage, made on first use; the other half never leaves the browser.
 * Each installation has a key of its own.
 */
export function keptKey(file: string): Buffer {
	if (existsSync(file)) return readFileSync(file);
	const key = randomBytes(32);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, key, { mode: 0o600 });
	return key;
}

export async function startKeyProxy(
	target: { origin: string; token: string },
	key: Buffer,
	port: number,
): Promise<KeyProxy> {
	const { hostname, port: targetPort } = new URL(target.origin);
	const to = { host: hostname, port: Number(targetPort) };
	const sockets = new Set<Socket>();

	const server = createServer((incoming, outgoing) => {
		const { method, url = '/', headers } = incoming;
		if (method === 'POST' && new URL(url, target.origin).pathname.endsWith('/mint-key')) {
			const isOurs = headers.cookie?.split(/; */).includes(`vscode-tkn=${target.token}`) === true;
			outgoing.writeHead(isOurs ? 200 : 403, { 'content-type': 'application/octet-stream' }).end(isOurs ? key : '');
			return;
		}
		// The headers go through as they are: the server builds its addresses from the Host the browser sees.
		const forwarded = request({ ...to, method, path: url, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		forwarded.on('error', () => outgoing.destroy());
		incoming.pipe(forwarded);
	});
	server.on('upgrade', (incoming, socket: Socket, head) => {
		const far = connect(to, () => {
			const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
			for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
				lines.push(`${incoming.rawHeaders[i]}: ${incoming.rawHeaders[i + 1]}`);
			}
			far.write(`${lines.join('\r\n')}\r\n\r\n`);
			far.write(head);
			socket.pipe(far).pipe(socket);
		});
		far.on('error', () => socket.destroy());
		socket.on('error', () => far.destroy());
		far.on('close', () => socket.destroy());
		socket.on('close', () => far.destroy());
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});

	const address = await listen(port);
	return {
		origin: `http://127.0.0.1:${address}`,
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};

	async function listen(wanted: number): Promise<number> {
		server.listen(wanted, '127.0.0.1');
		await once(server, 'listening');
		const bound = server.address();
		return bound === null || typeof bound === 'string' ? wanted : bound.port;
	}
}
