/**
 * Program that is started inside a network namespace and hands sockets to the host. Without a word, it listens there and hands
 * the listening socket over: clients that connect inside then talk to the host, without any way that leads out; the program
 * ends with that. With the word `connect`, it opens connections to servers inside, one for each wish, until the host ends.
 */
import { readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { PROXY_PORT } from './limits.ts';

// A socket on its way holds the news of a disconnect back, so the end of the host is also the end of our input.
process.once('disconnect', () => process.exit());
process.stdin.once('close', () => process.exit()).resume();
const namespace = readlinkSync('/proc/self/ns/net');

if (process.argv[2] === 'connect') {
	process.on('message', ({ id, port }: { readonly id: number; readonly port: number }) => openConnection(id, port));
	process.send?.({ namespace });
} else {
	const server = createServer();
	server.on('error', (error) => {
		process.stderr.write(`${String(error)}\n`);
		process.exit(1);
	});
	server.listen({ host: '127.0.0.1', port: PROXY_PORT }, () => process.send?.({ namespace }, server));
}

/** Servers listen on either loopback. */
function openConnection(id: number, port: number): void {
	const socket = connect({
		host: 'localhost',
		port,
		autoSelectFamily: true,
		allowHalfOpen: true,
		lookup: findLoopback,
	});
	// All that the server says is the host's to read.
	socket.pause();
	socket.once('connect', () => process.send?.({ id }, socket, { keepOpen: false }));
	socket.once('error', () => process.send?.({ id }));
}

function findLoopback(
	_name: string,
	_options: unknown,
	found: (error: null, addresses: { address: string; family: number }[]) => void,
): void {
	found(null, [
		{ address: '127.0.0.1', family: 4 },
		{ address: '::1', family: 6 },
	]);
}
