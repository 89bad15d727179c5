/**
 * Sends a single request to one of the checked addresses and reads the whole response: no proxy, no reuse of
 * connections, certificates checked.
 */
import { type IncomingMessage, request as send, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { startDeadline } from '../../base/time/deadline.ts';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import { HTTP_CONNECT_TIMEOUT_MS, IDLE_TIMEOUT_MS, RESPONSE_BYTES, RESPONSE_HEADER_BYTES } from './limits.ts';
import { type CheckedAddresses, lookupAmong, refuseUnchecked } from './resolve-host.ts';
import type { TargetUrl } from './target-url.ts';

interface Outgoing {
	readonly method: string;
	readonly target: TargetUrl;
	readonly addresses: CheckedAddresses;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Buffer | undefined;
	/** Maximum size of the response. Default: `RESPONSE_BYTES`. */
	readonly maxBytes?: number;
}

export interface Incoming {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly cookies: readonly string[];
	readonly body: Buffer;
}

export async function sendHttpRequest(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming> {
	signal.throwIfAborted();
	const { target, maxBytes = RESPONSE_BYTES } = outgoing;
	let socket: Duplex | undefined;
	let broken: Error | undefined;
	try {
		socket = connectTo(outgoing, IDLE_TIMEOUT_MS);
		socket.on('error', (error) => {
			broken = error;
		});
		const response = await sendOverSocket(outgoing, socket, signal);
		const { 'set-cookie': cookies = [], ...rest } = response.headers;
		const headers = Object.fromEntries(
			Object.entries(rest).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
		);
		const body = await readResponseBody(response, outgoing.method, target.host, maxBytes);
		signal.throwIfAborted();
		// A response without a length ends with its connection, also where that was broken off.
		if (broken !== undefined) {
			throw broken;
		}
		return { status: response.statusCode ?? 0, headers, cookies, body };
	} catch (error) {
		signal.throwIfAborted();
		if (isProwessError(error)) {
			throw error;
		}
		const why =
			error instanceof Error ? error.message || String('code' in error ? error.code : error.name) : String(error);
		throw createSendFailure(target, why, error);
	} finally {
		socket?.destroy();
	}
}

/** Returns the error of a request that could not be sent or whose response broke off. */
export function createSendFailure({ host }: Pick<TargetUrl, 'host'>, why: string, cause: unknown): ProwessError {
	const said = text('The request to {host} failed: {why}', { host, why });
	return new ProwessError('REQUEST_FAILED', `the request to ${host} failed: ${why}`, { host, said }, cause);
}

/** `idleMs`: how long nothing may come; 0: as long as it takes. */
export function connectTo({ target, addresses }: Pick<Outgoing, 'target' | 'addresses'>, idleMs: number): Duplex {
	const { hostname, port, isSecure } = target;
	const options = { host: hostname, port, lookup: lookupAmong(addresses), autoSelectFamily: true };
	const socket = isSecure
		? connectSecurely({
				...options,
				rejectUnauthorized: true,
				ALPNProtocols: ['http/1.1'],
				...(addresses.some(({ address }) => address === hostname) ? {} : { servername: hostname }),
			})
		: connect(options);
	const late = startDeadline(HTTP_CONNECT_TIMEOUT_MS, () => {
		socket.destroy(new Error(`no connection within ${HTTP_CONNECT_TIMEOUT_MS} ms`));
	});
	socket.once('close', () => late.dispose());
	socket.once(isSecure ? 'secureConnect' : 'connect', () => {
		late.dispose();
		refuseUnchecked(socket, addresses);
	});
	if (idleMs > 0) {
		socket.setTimeout(idleMs, () => socket.destroy(new Error(`nothing came for ${idleMs} ms`)));
	}
	return socket;
}

/** Resolves with the head of the response; its body is still to come. */
export function sendOverSocket(
	{ method, target, headers, body }: Omit<Outgoing, 'addresses'>,
	socket: Duplex,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const options: RequestOptions = {
			method,
			host: target.hostname,
			port: target.port,
			path: `${target.url.pathname}${target.url.search}`,
			headers: {
				host: target.host,
				'accept-encoding': 'gzip, deflate, br',
				'user-agent': 'Prowess',
				accept: '*/*',
				...headers,
				connection: 'close',
				...(body === undefined && !method.startsWith('P') ? {} : { 'content-length': body?.length ?? 0 }),
			},
			createConnection: () => socket,
			setDefaultHeaders: false,
			maxHeaderSize: RESPONSE_HEADER_BYTES,
			insecureHTTPParser: false,
			signal,
		};
		const request = send(options);
		request.once('response', resolve);
		// Also after the response: an error without a listener would end the host.
		request.on('error', reject);
		request.once('upgrade', (_response, upgraded: Duplex) => {
			upgraded.destroy();
			reject(new Error('it wants to change the protocol'));
		});
		request.end(body);
	});
}

async function readResponseBody(
	response: IncomingMessage,
	method: string,
	host: string,
	maxBytes: number,
): Promise<Buffer> {
	const length = Number(response.headers['content-length'] ?? 0);
	if (method !== 'HEAD' && length > maxBytes) {
		throw responseTooLargeError(host, `says it has ${length} bytes`, maxBytes);
	}
	const raw = limitResponseBytes(response, host, 'has', maxBytes);
	const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase().trim();
	const decoder = createContentDecoder(encoding, host);
	if (method === 'HEAD' || decoder === undefined) {
		return collectPieces(raw);
	}
	return collectPieces(limitResponseBytes(decompressPieces(response, raw, decoder), host, 'unpacks to', maxBytes));
}

function createContentDecoder(encoding: string, host: string) {
	const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
	switch (encoding) {
		case '':
		case 'identity':
			return undefined;
		case 'gzip':
		case 'x-gzip':
			return createGunzip(flush);
		case 'deflate':
			return createInflate(flush);
		case 'br':
			return createBrotliDecompress();
		default:
			throw new ProwessError('REQUEST_FAILED', `${host} answers in an encoding that was not asked for: ${encoding}`, {
				host,
				said: text('{host} answers in an encoding that was not asked for: {encoding}', { host, encoding }),
			});
	}
}

/** Piece by piece: what a piece unpacks to is counted before the next one is taken. */
async function* decompressPieces(
	response: IncomingMessage,
	raw: AsyncIterable<Buffer>,
	decoder: Duplex,
): AsyncGenerator<Buffer> {
	let failure: unknown;
	const feeding = (async () => {
		try {
			for await (const piece of raw) {
				if (decoder.destroyed) {
					return;
				}
				if (!decoder.write(piece)) {
					await hasRoom(decoder);
				}
			}
			decoder.end();
		} catch (error) {
			failure = error;
			decoder.destroy(error instanceof Error ? error : new Error(String(error)));
		}
	})();
	try {
		for await (const piece of decoder as Readable) {
			yield piece as Buffer;
		}
	} catch (error) {
		throw failure ?? error;
	} finally {
		decoder.destroy();
		// Otherwise the feeding would wait for the next piece.
		response.destroy();
		await feeding;
	}
}

/** Or is gone. */
function hasRoom(decoder: Duplex): Promise<void> {
	return new Promise((resolve) => {
		const stopWaiting = () => {
			decoder.off('drain', stopWaiting);
			decoder.off('close', stopWaiting);
			resolve();
		};
		decoder.on('drain', stopWaiting);
		decoder.on('close', stopWaiting);
	});
}

async function* limitResponseBytes(
	pieces: AsyncIterable<Buffer>,
	host: string,
	verb: string,
	maxBytes: number,
): AsyncGenerator<Buffer> {
	let bytes = 0;
	for await (const piece of pieces) {
		bytes += piece.length;
		if (bytes > maxBytes) {
			throw responseTooLargeError(host, `${verb} more`, maxBytes);
		}
		yield piece;
	}
}

async function collectPieces(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
	const all: Buffer[] = [];
	for await (const piece of pieces) {
		all.push(piece);
	}
	return Buffer.concat(all);
}

function responseTooLargeError(host: string, what: string, limit: number): ProwessError {
	const message = `the response of ${host} ${what}; the limit is ${limit} bytes. Ask for less of it`;
	return new ProwessError('RESPONSE_TOO_LARGE', message, {
		host,
		limit,
		said: text('The response of {host} is larger than {limit} bytes.', { host, limit }),
	});
}
