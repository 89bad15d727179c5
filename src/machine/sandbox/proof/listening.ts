/** Where a program in a sandbox must not get: a port, or an abstract socket, that this host listens on while it tries. */
import { type AddressInfo, createServer } from 'node:net';

interface Listener {
	/** 0 for a socket with a path. */
	readonly port: number;
	/** Returns the number of connections so far. */
	reached(): number;
	close(): void;
}

/** Rejects where the system does not let us listen. */
export async function startListener(where: { port: number; host: string } | { path: string }): Promise<Listener> {
	let connections = 0;
	const server = createServer((socket) => {
		connections += 1;
		socket.destroy();
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(where, resolve);
	});
	const port = 'path' in where ? 0 : (server.address() as AddressInfo).port;
	return { port, reached: () => connections, close: () => void server.close() };
}
