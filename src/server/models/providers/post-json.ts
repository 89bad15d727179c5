/**
 * The one way out to a provider. Follows no redirect (it would carry key and code to an address the user has not named)
 * and takes a web page for what it is: something between us and the endpoint. Connections are kept for the next request;
 * the environment's proxy counts as everywhere in Node.
 */
import { type ClientRequest, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { providerError, shortenProviderText } from '../streams/provider-error.ts';
import { modelLimits } from '../limits.ts';
import { answerTo, trackReceivedBytes } from './answer-to.ts';
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
