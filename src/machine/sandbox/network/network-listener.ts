/**
 * Program that is started inside a network namespace, listens there, and hands its listening socket to the host:
 * clients that connect inside then talk to the host, without any way that leads out. The program ends when the host has
 * the socket.
 */
import { readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { PROXY_PORT } from './limits.ts';

const server = createServer();
server.on('error', (error) => {
	process.stderr.write(`${String(error)}\n`);
	process.exit(1);
});
process.once('disconnect', () => process.exit());
// A socket on its way holds the news of a disconnect back, so the end of the host is also the end of our input.
process.stdin.once('close', () => process.exit()).resume();
server.listen({ host: '127.0.0.1', port: PROXY_PORT }, () => {
	process.send?.({ namespace: readlinkSync('/proc/self/ns/net') }, server);
});
