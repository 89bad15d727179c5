/** Sockets of this machine that attempts aim at; what reaches one is noted, and answered with a word that is nowhere else. */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Places } from '../../fixtures/escapes/escape.ts';

const LOOPBACK = '127.0.0.1';
/** Between datagrams that pass by. */
const CHATTER_MS = 20;

export class Sockets {
	/** Sockets that were reached since this list was emptied. */
	readonly heard: string[] = [];
	ports: Places['ports'] = { tcp4: 0, tcp6: 0, udp4: 0, udp6: 0, chatter: 0 };
	network: Places['network'];
	readonly #servers: Server[] = [];
	readonly #datagrams: DatagramSocket[] = [];
	readonly #connections = new Set<Socket>();
	#chatter: NodeJS.Timeout | undefined;

	/** `paths` by label; `abstract` without its zero byte. */
	async listen(paths: Readonly<Record<string, string>>, abstract: string): Promise<void> {
		const unused = await this.#udp('nobody', 'udp4', LOOPBACK);
		this.#datagrams.pop()?.close();
		this.#talkTo(unused);
		const port = await this.#tcp('a port', { host: LOOPBACK });
		await this.#tcp('a port', { host: '127.0.0.2', port });
		this.ports = {
			tcp4: port,
			tcp6: await this.#tcp('a port of IPv6', { host: '::1' }),
			udp4: await this.#udp('a port', 'udp4', LOOPBACK),
			udp6: await this.#udp('a port of IPv6', 'udp6', '::1'),
			chatter: unused,
		};
		const address = Object.values(networkInterfaces())
			.flatMap((each) => each ?? [])
			.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
		this.network =
			address === undefined
				? undefined
				: { address, port: await this.#tcp('an address of the network', { host: address }) };
		await this.#tcp('an abstract socket', { path: `\0${abstract}` });
		for (const [label, path] of Object.entries(paths)) await this.#tcp(`the socket ${label}`, { path });
	}

	/** Ends the connections there are. */
	hangUp(): void {
		for (const connection of this.#connections) connection.destroy();
		this.#connections.clear();
	}

	async close(): Promise<void> {
		clearInterval(this.#chatter);
		for (const socket of this.#datagrams) socket.close();
		this.hangUp();
		await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
	}

	/** Datagrams to a port where nobody listens, for those who would listen to others. */
	#talkTo(port: number): void {
		const socket = createSocket('udp4');
		this.#datagrams.push(socket);
		const say = () => socket.send('canary-passing-by', port, LOOPBACK, () => undefined);
		this.#chatter = setInterval(say, CHATTER_MS).unref();
	}

	async #tcp(label: string, where: { host: string; port?: number } | { path: string }): Promise<number> {
		const server = createServer((socket) => {
			this.heard.push(`connected to ${label}`);
			this.#connections.add(socket);
			socket.on('error', () => undefined).end(`canary-answer-${label.replaceAll(' ', '-')}`);
		});
		this.#servers.push(server);
		server.listen('path' in where ? where : { port: 0, ...where });
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	}

	async #udp(label: string, type: 'udp4' | 'udp6', address: string): Promise<number> {
		const socket = createSocket(type, () => this.heard.push(`sent a datagram to ${label}`));
		this.#datagrams.push(socket);
		socket.bind(0, address);
		await once(socket, 'listening');
		return socket.address().port;
	}
}
