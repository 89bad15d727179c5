/**
 * The one way out to a provider. Follows no redirect (it would carry key and code to an address the user has not named)
 * and takes a web page for what it is: something between us and the endpoint. Connections are kept for the next request;
 * the environment's proxy counts as everywhere in Node.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { providerError, shortenProviderText } from '../streams/provider-error.ts';
import { modelLimits } from '../limits.ts';
import { pageError, refusedError, unreachableError } from './provider-failure.ts';
import { providers } from './index.ts';
import type { Endpoint } from './vendor.ts';

/** The body of an answer that has begun. Rejects with the error the endpoint's refusal means, or PROVIDER_UNREACHABLE, or the signal's reason. */
export async function postJson(endpoint: Endpoint, path: string, body: string, signal: AbortSignal): Promise<Readable> {
	const response = await sendPostRequest(endpoint, path, body, signal);
	const { statusCode: status = 0, headers } = response;
	const { providerId: provider } = endpoint;
	if (status >= 300 && status < 400) {
		response.destroy();
		throw providerError(
			'PROVIDER_ERROR',
			`provider "${provider}" redirects to ${shortenProviderText(headers.location ?? 'nowhere')}; redirects are not followed, set its baseUrl to the new address`,
			{ provider, status, retryable: false },
		);
	}
	const decoded = await decodedBody(response);
	if (status < 200 || status >= 300) {
		throw refusedError(endpoint, response, await readBodyBeginning(decoded));
	}
	const type = headers['content-type'] ?? '';
	if (type.startsWith('text/html')) {
		response.destroy();
		throw pageError(endpoint, status);
	}
	return decoded;
}

/** A connection that was kept may just have been closed at the far end: then the endpoint has seen nothing, and it is sent anew. */
async function sendPostRequest(
	endpoint: Endpoint,
	path: string,
	body: string,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	for (let isFirst = true; ; isFirst = false) {
		const request = await openHttpRequest(endpoint, path, body);
		const hasReceived = trackReceivedBytes(request);
		try {
			return await answerTo(request, body, signal);
		} catch (error) {
			signal.throwIfAborted();
			if (!isFirst || !request.reusedSocket || hasReceived()) {
				throw unreachableError(endpoint, error as Error);
			}
		}
	}
}

async function openHttpRequest(endpoint: Endpoint, path: string, body: string): Promise<ClientRequest> {
	const url = `${endpoint.baseUrl.replace(/\/+$/, '')}${path}`;
	const options: RequestOptions = {
		method: 'POST',
		headers: {
			...(endpoint.key !== null && providers[endpoint.kind].keyHeader(endpoint.key)),
			...endpoint.headers,
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
			accept: 'text/event-stream, application/json',
			'user-agent': 'prowess',
		},
	};
	try {
		// Loaded where it is needed: it takes longer than all else before a request to this machine.
		return url.startsWith('http:') ? httpRequest(url, options) : (await import('node:https')).request(url, options);
	} catch (error) {
		throw unreachableError(endpoint, error as Error);
	}
}

/** We ask for no compression; some proxies compress all the same. */
async function decodedBody(response: IncomingMessage): Promise<Readable> {
	const encoding = response.headers['content-encoding'] ?? 'identity';
	if (encoding === 'identity') {
		return response;
	}
	const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
	const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress };
	const create = Object.entries(decoders).find(([name]) => name === encoding)?.[1];
	if (create === undefined) {
		return response;
	}
	// A failure of either destroys the other, and is read from the last one.
	return pipeline(response, create(), () => {});
}

/** Reads as much of a refusal as it takes to tell its meaning; a body that breaks off counts as far as it came. */
async function readBodyBeginning(body: Readable): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes >= modelLimits.maxRefusalBytes) {
				break;
			}
		}
	} catch {
		// The status says enough.
	}
	return Buffer.concat(chunks).toString('utf8');
}

/**
 * The answer to `request` as soon as it begins, on a connection that outlives it. The signal is not among the request's
 * options: Node binds the socket that it opens for a request to that signal, and a later abort would break the next
 * answer on the socket, or the idle socket with an error nobody hears. Rejects with the reason of `signal`, which ends
 * request and answer until the answer is over and does nothing from then on, or with the error of the network.
 */
function answerTo(request: ClientRequest, body: string, signal: AbortSignal): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const abort = () => {
			request.destroy();
			reject(signal.reason as Error);
		};
		if (signal.aborted) {
			abort();
		}
		signal.addEventListener('abort', abort, { once: true });
		request
			.once('close', () => signal.removeEventListener('abort', abort))
			// Stays for good: the far end may break the connection between the end of an answer and its next use.
			.on('error', reject)
			.once('response', resolve)
			.end(body);
	});
}

/** Tells later whether anything came on the connection of `request` since it was given it. */
function trackReceivedBytes(request: ClientRequest): () => boolean {
	let before = 0;
	request.once('socket', (socket) => {
		before = socket.bytesRead;
	});
	return () => (request.socket?.bytesRead ?? 0) > before;
}

/**
 * Reads `body` to its end, after the last part of an answer, or closes it when it goes on for longer than is worth it.
 * Closing the connection at once would make the next request open another one, which takes two or three round trips to
 * the vendor.
 */
export function readOut(body: Readable): void {
	let bytes = 0;
	const timer = setTimeout(() => body.destroy(), modelLimits.readOutMs).unref();
	const stopTimer = () => clearTimeout(timer);
	// Nobody wants to know any more how it fails.
	body.once('end', stopTimer).once('close', stopTimer).on('error', stopTimer);
	body.on('data', (chunk: Buffer) => {
		bytes += chunk.length;
		if (bytes > modelLimits.maxReadOutBytes) {
			body.destroy();
		}
	});
}
