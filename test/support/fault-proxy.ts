/**
 * Stands between us and a model server that answers properly, and spoils its answers: an error status, a cut, a stall,
 * garbage, single bytes. Keeps every request as it came.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `after`: events of the stream that pass untouched. */
type Fault =
	| {
			readonly kind: 'status';
			readonly status: number;
			readonly message?: string;
			readonly type?: string;
			readonly headers?: Record<string, string>;
	  }
	| { readonly kind: 'cut'; readonly after: number }
	/** Ends the stream properly, but early. */
	| { readonly kind: 'end'; readonly after: number }
	| { readonly kind: 'stall'; readonly after: number; readonly keepAliveMs?: number }
	| { readonly kind: 'garbage'; readonly after: number }
	| { readonly kind: 'page' }
	| { readonly kind: 'redirect'; readonly to: string }
	/** Every byte in a write of its own. */
	| { readonly kind: 'bytes' }
	/** Rewrites the text of the stream. */
	| { readonly kind: 'rewrite'; readonly with: (stream: string) => string };

export interface FaultProxy {
	readonly url: string;
	readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly text: string }[];
	/** Sets the fault for the next request only. */
	fault(fault: Fault): void;
	/** Resolves when the newest request's connection has ended, whoever ended it. */
	closed(): Promise<void>;
	close(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
	const requests: { headers: IncomingHttpHeaders; text: string }[] = [];
	let next: Fault | undefined;
	const answering = new Set<Promise<void>>();
	let closed: Promise<void> = Promise.resolve();
	const server = createServer((request, response) => {
		closed = new Promise((resolve) => response.once('close', resolve));
		const fault = next;
		next = undefined;
		const gone = new AbortController();
		response.once('close', () => gone.abort());
		const work = readAll(request)
			.then(async (text) => {
				requests.push({ headers: request.headers, text });
				await answer(request, response, text, fault, target, gone.signal);
			})
			.catch((error: unknown) => {
				// A client that has hung up gets no answer; any other error is a fault of the test.
				if (!gone.signal.aborted) throw error;
			})
			.finally(() => answering.delete(work));
		answering.add(work);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		fault(fault) {
			next = fault;
		},
		closed: () => closed,
		async close() {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
			await Promise.all(answering);
		},
	};
}

async function answer(
	request: IncomingMessage,
	response: ServerResponse,
	text: string,
	fault: Fault | undefined,
	target: string,
	signal: AbortSignal,
) {
	switch (fault?.kind) {
		case 'status': {
			// The shapes of all vendors at once.
			const { message = `scripted ${fault.status}`, type = 'scripted' } = fault;
			const error = { message, type, code: fault.status, status: type };
			response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
			response.end(JSON.stringify({ type: 'error', error }));
			return;
		}
		case 'page':
			response.writeHead(200, { 'content-type': 'text/html' });
			response.end('<html><body>Sign in to this network</body></html>');
			return;
		case 'redirect':
			response.writeHead(307, { location: fault.to });
			response.end();
			return;
		default:
	}
	const { host: _host, connection: _connection, ...headers } = request.headers;
	const upstream = await fetch(`${target}${request.url ?? ''}`, {
		method: request.method ?? 'POST',
		headers: headers as Record<string, string>,
		body: text,
		signal,
	});
	const retryAfter = upstream.headers.get('retry-after');
	response.writeHead(upstream.status, {
		'content-type': upstream.headers.get('content-type') ?? 'text/event-stream',
		...(retryAfter !== null && { 'retry-after': retryAfter }),
	});
	await spoil(response, await upstream.text(), fault);
}

async function spoil(response: ServerResponse, stream: string, fault: Fault | undefined): Promise<void> {
	const events = stream.split(/(?<=\r?\n\r?\n)/);
	switch (fault?.kind) {
		case 'cut':
			response.write(events.slice(0, fault.after).join(''));
			response.socket?.end();
			return;
		case 'end':
			response.end(events.slice(0, fault.after).join(''));
			return;
		case 'stall': {
			response.write(events.slice(0, fault.after).join(''));
			response.flushHeaders();
			if (fault.keepAliveMs !== undefined) {
				const timer = setInterval(() => response.write(': still here\n\n'), fault.keepAliveMs);
				response.once('close', () => clearInterval(timer));
			}
			return;
		}
		case 'garbage':
			response.end(`${events.slice(0, fault.after).join('')}data: {"half": \n\n`);
			return;
		case 'rewrite':
			response.end(fault.with(stream));
			return;
		case 'bytes':
			for (const byte of Buffer.from(stream)) {
				await new Promise<void>((resolve) => response.write(Buffer.of(byte), () => resolve()));
			}
			response.end();
			return;
		default:
			response.end(stream);
	}
}

async function readAll(request: IncomingMessage): Promise<string> {
	request.setEncoding('utf8');
	let text = '';
	for await (const chunk of request) {
		text += chunk as string;
	}
	return text;
}
