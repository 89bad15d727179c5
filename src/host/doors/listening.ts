/**
 * A door over HTTP, for our own names as host and origin: a page of another origin, and one whose name was made to point here,
 * gets nothing. The door listens on loopback alone, unless it has a certificate.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { isLoopbackAddress } from '../../machine/http/server-here.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { limitPlaces, type Places } from './places.ts';

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

interface ListeningWish extends Places {
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
