/**
 * `fetch` for a library that reads responses as they arrive, limited to a single origin. Connections go to checked
 * addresses only, without proxy, redirect, cookie or compression. Each request is checked anew for the addresses it may
 * reach.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isProwessError, ProwessError } from '../../protocol/errors/errors.ts';
import { text } from '../../protocol/text/text.ts';
import type { CheckedAddresses } from './resolve-host.ts';
import { connectTo, sendOverSocket } from './send.ts';
import { createSendFailure } from './send.ts';
import { parseTargetUrl, type TargetUrl } from './target-url.ts';

interface StreamedFetchOptions {
	/** The only scheme, host and port that is reached. */
	readonly origin: TargetUrl;
	/** Added to those of the library. */
	readonly headers: Readonly<Record<string, string>>;
	/** Maximum size of a single response; of a stream of events, which may last, of each event. */
	readonly maxBytes: number;
	/** Addresses of the host that may be connected to. Rejects where there is none. */
	addresses(signal: AbortSignal): Promise<CheckedAddresses>;
}

/** Statuses that have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** Rejects with HOST_REFUSED, REQUEST_FAILED or RESPONSE_TOO_LARGE, or with the signal's reason. */
export function streamedFetch({ origin, headers, maxBytes, addresses }: StreamedFetchOptions): typeof fetch {
	return async (input, init = {}) => {
		const target = parseTargetUrl(input instanceof Request ? input.url : String(input));
		const { method = 'GET', body, signal = new AbortController().signal } = init;
		if (target.url.origin !== origin.url.origin) {
			const message = `${origin.host} wants a request to ${target.host}, which is another server`;
			throw new ProwessError('HOST_REFUSED', message, { host: target.host });
		}
		if (body !== undefined && body !== null && typeof body !== 'string') {
			throw new ProwessError('INTERNAL', 'a request has a body that is no text');
		}
		const own = signal ?? new AbortController().signal;
		own.throwIfAborted();
		const checked = await addresses(own);
		const socket = connectTo({ target, addresses: checked }, 0);
		const destroySocket = () => socket.destroy();
		own.addEventListener('abort', destroySocket, { once: true });
		socket.once('close', () => own.removeEventListener('abort', destroySocket));
		// Ignored here: an error that breaks the connection is also the error of the request, or of its body.
		socket.on('error', () => undefined);
		try {
			const outgoing = {
				method,
				target,
				headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers, 'accept-encoding': 'identity' },
				body: typeof body === 'string' ? Buffer.from(body) : undefined,
			};
			const response = await sendOverSocket(outgoing, socket, own);
			const status = response.statusCode ?? 0;
			if (status >= 300 && status < 400) {
				const message = `${target.host} redirects to ${response.headers.location ?? 'nowhere'}, which is not followed: write that address instead`;
				throw new ProwessError('REQUEST_FAILED', message, {
					host: target.host,
					said: text('{host} redirects to {where}, which is not followed. Write that address instead.', {
						host: target.host,
						where: response.headers.location ?? '?',
					}),
				});
			}
			const shown = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
			const content = WITHOUT_BODY.has(status) ? null : createBodyStream(response, target.host, maxBytes);
			if (content === null) response.resume();
			return new Response(content, { status, headers: shown });
		} catch (error) {
			socket.destroy();
			own.throwIfAborted();
			if (isProwessError(error)) {
				throw error;
			}
			throw createSendFailure(target, error instanceof Error ? error.message : String(error), error);
		}
	};
}

/** True for a stream of server-sent events. */
export function isEventStream(contentType: string | null | undefined): boolean {
	return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType ?? '');
}

/** Place after the last empty line; 0: there is none. */
function findEventEnd(text: string): number {
	const ends = ['\n\n', '\n\r\n', '\r\r'].map((line) => {
		const at = text.lastIndexOf(line);
		return at < 0 ? 0 : at + line.length;
	});
	return Math.max(...ends);
}

function createBodyStream(response: IncomingMessage, host: string, maxBytes: number): ReadableStream<Uint8Array> {
	const isOfEvents = isEventStream(response.headers['content-type']);
	async function* limitBodyBytes(): AsyncGenerator<Buffer> {
		let bytes = 0;
		let tail = '';
		for await (const piece of response as AsyncIterable<Buffer>) {
			bytes += piece.length;
			if (isOfEvents) {
				// An empty line ends an event, also where it arrives in two pieces.
				const seen = tail + piece.toString('latin1');
				const end = findEventEnd(seen);
				if (end > 0) bytes = seen.length - end;
				tail = seen.slice(-2);
			}
			if (bytes > maxBytes) {
				throw new ProwessError('RESPONSE_TOO_LARGE', `the response of ${host} has more than ${maxBytes} bytes`, {
					host,
					limit: maxBytes,
					said: text('The response of {host} is larger than {limit} bytes.', { host, limit: maxBytes }),
				});
			}
			yield piece;
		}
	}
	return Readable.toWeb(Readable.from(limitBodyBytes())) as ReadableStream<Uint8Array>;
}
