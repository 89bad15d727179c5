/**
 * A door over HTTP on this machine: on loopback alone, for our own name as host and origin. A page of another origin, and one
 * whose name was made to point here, gets nothing.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';

interface LoopbackWish {
	/** 0: any that is free. */
	readonly port: number;
	/** Connections at a time; further ones are closed at once. */
	readonly connections: number;
	/** For the headers, and for a whole request. */
	readonly requestMs: number;
	/** Origins of the user's own tunnels that lead here, beside our own. */
	readonly origins?: readonly string[];
}

export interface Refusal {
	readonly status: number;
	readonly why: string;
}

export interface LoopbackDoor {
	readonly server: Server;
	readonly port: number;
	/** Undefined for a request to our own name, and from no page of another origin. `needsOrigin`: it must come from a page of ours. */
	findRefusal(request: IncomingMessage, needsOrigin?: boolean): Refusal | undefined;
	/** Closes it, and all its connections. */
	close(): void;
}

const FOREIGN: Refusal = { status: 403, why: 'This origin is not served here.' };

/** Rejects with INVALID_STATE where the port is taken. `answer` is called only for requests that are not refused. */
export async function openLoopbackDoor(
	{ port, connections, requestMs, origins = [] }: LoopbackWish,
	answer: RequestListener,
): Promise<LoopbackDoor> {
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
		const known = [...own.map((each) => `http://${each}`), ...origins];
		const isKnown = origin === undefined ? !needsOrigin : known.includes(origin.toLowerCase());
		return isKnown ? undefined : FOREIGN;
	};
	const server = createServer({ connectionsCheckingInterval: Math.min(requestMs, 1_000) }, (request, response) => {
		const refused = findRefusal(request);
		if (refused === undefined) answer(request, response);
		else refuseRequest(response, refused);
	});
	server.maxConnections = connections;
	server.headersTimeout = requestMs;
	server.requestTimeout = requestMs;
	await new Promise<void>((resolve, reject) => {
		server.once('error', (error) =>
			reject(
				new ProwessError('INVALID_STATE', `port ${port} of 127.0.0.1: ${error.message}`, {
					port,
					said: text('Port {port} cannot be used: {why}', { port, why: error.message }),
				}),
			),
		);
		server.listen(port, '127.0.0.1', resolve);
	});
	const { port: listening } = server.address() as AddressInfo;
	own = [`127.0.0.1:${listening}`, `localhost:${listening}`];
	return {
		server,
		port: listening,
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
