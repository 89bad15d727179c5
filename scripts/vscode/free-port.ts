import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of the loopback interface that was free a moment ago: for programs that do not say which one they took. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('the loopback interface gave no port');
	return address.port;
}
