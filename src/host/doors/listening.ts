/**
 * A door over HTTP, for our own names as host and origin: a page of another origin, and one whose name was made to point here,
 * gets nothing. The door listens on loopback alone, unless it has a certificate.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopbackAddress } from '../../machine/http/server-here.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

/** Certificate of the user, and the names that it is for. */
export interface DoorCertificate {
	/** In PEM, with those that it rests on. */
	readonly cert: string;
	readonly key: string;
	/** Hosts that the certificate names, as they stand in an address; none where it has patterns alone. */
	readonly names: readonly string[];
	/** Asked before each connection. Undefined: nothing has changed since it was last asked. Never throws. */
	findRenewed?(): Pick<DoorCertificate, 'cert' | 'key'> | undefined;
}

/** Places for connections: whoever holds one without a whole request keeps nobody else out. */
interface DoorPlaces {
	/** Connections at a time. */
	readonly connections: number;
	/** Connections of one other machine; absent: as many. */
	readonly connectionsOfMachine?: number;
}

interface Holder {
	readonly socket: Socket;
	readonly machine: string;
	/** The request that came last, until it is answered. */
	request?: IncomingMessage;
	/** A page speaks over it. */
	isUpgraded?: boolean;
}

interface ListeningWish extends DoorPlaces {
	/** 0: any that is free. */
	readonly port: number;
	/** Address to listen on; absent: 127.0.0.1. Any other than loopback needs a certificate. */
	readonly address?: string | undefined;
	readonly certificate?: DoorCertificate | undefined;
	/** For the headers, and for a whole request. */
	readonly requestMs: number;
	/** Origins of the user's own tunnels that lead here, beside our own. */
	readonly origins?: readonly string[];
	/** Called for requests to become a socket, which are not refused yet. */
	upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface Refusal {
	readonly status: number;
	readonly why: string;
}

export interface ListeningDoor {
	readonly server: Server | SecureServer;
	readonly port: number;
	/** Origins of its own: those that the certificate is for, or that of loopback. */
	readonly origins: readonly string[];
	/** Undefined for a request to our own name, and from no page of another origin. `needsOrigin`: it must come from a page of ours. */
	findRefusal(request: IncomingMessage, needsOrigin?: boolean): Refusal | undefined;
	/** Closes it, and all its connections. */
	close(): void;
}

const FOREIGN: Refusal = { status: 403, why: 'This origin is not served here.' };

/**
 * Rejects with INVALID_STATE where the port is taken, or other machines would reach it without a certificate. `answer` is called
 * only for requests that are not refused.
 */
export async function openListeningDoor(wish: ListeningWish, answer: RequestListener): Promise<ListeningDoor> {
	const { port, address = '127.0.0.1', certificate, requestMs, origins = [], upgrade } = wish;
	if (certificate === undefined && !isLoopbackAddress(address)) {
		throw new ProwessError('INVALID_STATE', `${address} is reached by other machines, and there is no certificate`, {
			address,
			said: text('Without a certificate, nothing listens on {address}: other machines reach it.', { address }),
		});
	}
	const scheme = certificate === undefined ? 'http' : 'https';
	let own: readonly string[] = [];
	const hosts = origins.map((each) => new URL(each).host);
	const findRefusal = ({ headers }: IncomingMessage, needsOrigin = false): Refusal | undefined => {
		const { host = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
		if (![...own, ...hosts].includes(host.toLowerCase())) {
			return { status: 403, why: 'This host name is not served here.' };
		}
		// A page of another site has us load something, such as a picture, where no origin is sent.
		if (typeof site === 'string' && !['same-origin', 'none'].includes(site) && mode !== 'navigate') {
			return FOREIGN;
		}
		const known = [...own.map((each) => `${scheme}://${each}`), ...origins];
		const isKnown = origin === undefined ? !needsOrigin : known.includes(origin.toLowerCase());
		return isKnown ? undefined : FOREIGN;
	};
	const onRequest: RequestListener = (request, response) => {
		const refused = findRefusal(request);
		if (refused === undefined) answer(request, response);
		else refuseRequest(response, refused);
	};
	const connectionsCheckingInterval = Math.min(requestMs, 1_000);
	const server =
		certificate === undefined
			? createServer({ connectionsCheckingInterval }, onRequest)
			: createSecureServer(
					{ connectionsCheckingInterval, cert: certificate.cert, key: certificate.key, handshakeTimeout: requestMs },
					onRequest,
				);
	if (certificate !== undefined && 'setSecureContext' in server) {
		// Before the listener of the server, which begins the handshake.
		server.prependListener('connection', () => {
			const renewed = certificate.findRenewed?.();
			if (renewed !== undefined) server.setSecureContext({ cert: renewed.cert, key: renewed.key });
		});
	}
	const places = limitPlaces(server, wish);
	if (upgrade !== undefined) {
		server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
			places.keepUpgraded(request);
			upgrade(request, socket, head);
		});
	}
	server.headersTimeout = requestMs;
	server.requestTimeout = requestMs;
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) =>
			reject(
				new ProwessError('INVALID_STATE', `port ${port} of ${address}: ${error.message}`, {
					port,
					said: text('Port {port} cannot be used: {why}', { port, why: error.message }),
				}),
			),
		);
		server.listen(port, address, resolve);
	});
	const { port: listening } = server.address() as AddressInfo;
	const itself = address.includes(':') ? `[${address}]` : address;
	const here = ['127.0.0.1', 'localhost', ...(certificate?.names ?? [itself])];
	// Browsers leave the port out that goes without saying.
	own = here.map((name) => new URL(`${scheme}://${name}:${listening}`).host);
	const named = certificate === undefined ? [itself] : certificate.names;
	return {
		server,
		port: listening,
		origins: named.map((name) => new URL(`${scheme}://${name}:${listening}`).origin),
		findRefusal,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

/**
 * Beyond the most, in all and of one other machine, the connection goes that has waited longest: without a request, between two,
 * or amid one. Where none waits, the new one goes. Call `keepUpgraded` with each request that becomes a socket of a page.
 */
function limitPlaces(server: Server | SecureServer, { connections, connectionsOfMachine = connections }: DoorPlaces) {
	/** Holders by the other end, which a connection and its encrypted one name alike; those that have waited longest first. */
	const holders = new Map<string, Holder>();
	const findHolder = ({ socket }: IncomingMessage) => holders.get(nameEnd(socket));
	const makeRoom = (crowd: readonly Holder[], most: number) => {
		if (crowd.length > most) (crowd.find(isWaiting) ?? crowd.at(-1))?.socket.destroy();
	};
	server.on('connection', (socket: Socket) => {
		const end = nameEnd(socket);
		const holder: Holder = { socket, machine: nameMachine(socket) };
		holders.set(end, holder);
		socket.once('close', () => {
			if (holders.get(end) === holder) holders.delete(end);
		});
		const listOpen = () => [...holders.values()].filter((each) => !each.socket.destroyed);
		if (!isLoopbackAddress(holder.machine)) {
			makeRoom(
				listOpen().filter(({ machine }) => machine === holder.machine),
				connectionsOfMachine,
			);
		}
		makeRoom(listOpen(), connections);
	});
	server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
		const [end, holder] = [nameEnd(request.socket), findHolder(request)];
		if (holder === undefined) return;
		holder.request = request;
		response.once('close', () => {
			if (holders.get(end) !== holder || holder.request !== request) return;
			delete holder.request;
			// The last of those that wait.
			holders.delete(end);
			holders.set(end, holder);
		});
	});
	return {
		keepUpgraded(request: IncomingMessage): void {
			const holder = findHolder(request);
			if (holder !== undefined) holder.isUpgraded = true;
		},
	};
}

function isWaiting({ request, isUpgraded }: Holder): boolean {
	return isUpgraded !== true && request?.complete !== true;
}

/** Connections of one machine to several addresses of ours may have the same port there. */
function nameEnd({ localAddress, remoteAddress, remotePort }: Socket): string {
	return `${localAddress} ${remoteAddress} ${remotePort}`;
}

/** A socket of both families names an address of the older one as one of the newer. */
function nameMachine({ remoteAddress = '' }: Socket): string {
	return remoteAddress.replace(/^::ffff:/, '');
}

/** Answers with the reason, and closes the connection. */
export function refuseRequest(response: ServerResponse, { status, why }: Refusal): void {
	response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(why);
}

export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | 'too long'> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > mostBytes) return 'too long';
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
