/**
 * Transport to a server that already runs, over Streamable HTTP. Each message is a request of its own, and each answer
 * is held to the same rules as the output of a process. No further stream is opened, so the server sends nothing
 * unasked and nothing waits for such a stream.
 */
import type { AuthProvider, StreamableHTTPClientTransport, Transport } from '@modelcontextprotocol/client';
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { isHere } from '../../../machine/http/server-here.ts';
import { refuseInnerHost, resolveHost, type Resolve } from '../../../machine/http/resolve-host.ts';
import { streamedFetch } from '../../../machine/http/streamed-fetch.ts';
import { parseTargetUrl } from '../../../machine/http/target-url.ts';
import { ACCEPT_MS, MESSAGE_BYTES, STOP_MS } from '../limits.ts';
import { MessageRules, STOPPED } from './message-rules.ts';
import type { ServerLog } from './server-log.ts';

type HttpMessage = Parameters<Transport['send']>[0];
type Send = ReturnType<typeof streamedFetch>;

interface HttpOptions {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly log: ServerLog;
	readonly resolve: Resolve;
	/** `prowess.http.allowHosts`, as it is now. */
	allowedHosts(): readonly string[];
	/** The transport of the SDK, which is loaded by now. */
	readonly Wire: typeof StreamableHTTPClientTransport;
	/** Signs the user in where the server wants it; absent: a header of its entry does. */
	readonly signIn: AuthProvider | undefined;
}

export class HttpTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: <T extends HttpMessage>(message: T) => void;
	readonly hasPerRequestStream = true;
	readonly #wire: StreamableHTTPClientTransport;
	readonly #log: ServerLog;
	readonly #rules = new MessageRules();
	readonly #ended = Promise.withResolvers<string>();
	#reason: string | undefined;
	/** Error that broke off the stream of an answer last. */
	#brokeWith: string | undefined;

	/** Throws INVALID_PARAMS or HOST_REFUSED for an address that cannot be used. */
	constructor({ url, headers, log, resolve, allowedHosts, Wire, signIn }: HttpOptions) {
		const origin = parseTargetUrl(url);
		refuseInnerHost(origin, allowedHosts());
		if (!origin.isSecure && !isHere(origin)) {
			const message = `${origin.host} is asked without encryption: write https://`;
			throw new ProwessError('HOST_REFUSED', message, { host: origin.host });
		}
		const send = streamedFetch({
			origin,
			headers,
			maxBytes: MESSAGE_BYTES,
			addresses: (signal) => resolveHost(origin, allowedHosts(), resolve, signal),
		});
		this.#log = log;
		this.#wire = new Wire(origin.url, {
			fetch: async (address, init) => {
				if (init?.method === 'GET') {
					return new Response(null, { status: 405 });
				}
				const asked = typeof init?.body === 'string' ? requestIn(init.body) : undefined;
				const response = asked === undefined ? await waitForAcceptance(send, address, init) : await send(address, init);
				if (response.status === 202 && asked !== undefined) {
					void response.body?.cancel();
					// Asked by which revision it goes, a server may accept what it does not know; then the older one is tried.
					if (asked === 'server/discover') return new Response(null, { status: 404 });
					const why = 'it accepted a request with status 202, after which no answer can come';
					this.#break(why);
					throw new Error(why);
				}
				if (response.status === 403 || (response.status === 401 && signIn === undefined)) {
					throw createAccessError(response.status, origin.host);
				}
				return response;
			},
			...(signIn && { authProvider: signIn }),
			reconnectionOptions: {
				maxRetries: 0,
				initialReconnectionDelay: 0,
				maxReconnectionDelay: 0,
				reconnectionDelayGrowFactor: 1,
			},
		});
	}

	/** Resolves, with why, when it is over. */
	get ended(): Promise<string> {
		return this.#ended.promise;
	}

	get sessionId(): string | undefined {
		return this.#wire.sessionId;
	}

	setProtocolVersion(version: string): void {
		this.#wire.setProtocolVersion(version);
	}

	async start(): Promise<void> {
		this.#wire.onmessage = (message) => this.#take(message);
		this.#wire.onerror = (error) => this.#problem(error);
		this.#wire.onclose = () => this.#end('the connection was closed');
		await this.#wire.start();
	}

	async send(message: HttpMessage, options?: Parameters<StreamableHTTPClientTransport['send']>[1]): Promise<void> {
		if (this.#reason !== undefined) {
			throw new Error(this.#reason);
		}
		this.#rules.sent(message);
		await this.#wire.send(message, {
			...options,
			onRequestStreamEnd: () => {
				options?.onRequestStreamEnd?.();
				const why = this.#brokeWith ?? 'it ended a stream without the answer';
				this.#brokeWith = undefined;
				// The SDK would wait for ever: there is no other stream on which the answer could come.
				if (this.#rules.isOpen(message) && options?.requestSignal?.aborted !== true) this.#break(why);
			},
		});
	}

	/** Tells the server that its session is over, for as long as a process would be given. */
	async close(): Promise<void> {
		const telling = this.#wire.terminateSession().catch((error: unknown) => this.#log.note(toErrorMessage(error)));
		await raceTimeout(telling, STOP_MS);
		this.#end(STOPPED);
		await this.#wire.close();
	}

	#take(message: HttpMessage): void {
		const why = this.#reason ?? this.#rules.received(message, performance.now());
		if (why === undefined) {
			this.onmessage?.(message);
		} else {
			this.#break(why);
		}
	}

	#problem(error: Error): void {
		this.onerror?.(error);
		const isForeign = error instanceof SyntaxError || error.name === 'ZodError';
		const why = isForeign ? this.#rules.foreignLine() : undefined;
		if (why !== undefined) {
			this.#break(why);
		} else if (!isForeign) {
			this.#brokeWith = error.message;
		}
	}

	#break(why: string): void {
		if (this.#reason === undefined) {
			this.#log.note(`ended: ${why}`);
			this.#end(why);
			void this.#wire.close();
		}
	}

	#end(why: string): void {
		if (this.#reason === undefined) {
			this.#reason = why;
			this.#ended.resolve(why);
			this.onclose?.();
		}
	}
}

/** Method of a request that wants an answer; undefined: a message that wants none. */
function requestIn(body: string): string | undefined {
	const message = JSON.parse(body) as { readonly id?: unknown; readonly method?: string };
	return message.id === undefined ? undefined : message.method;
}

/** The answer to a message that wants none, read whole: the SDK would wait for it without end. */
async function waitForAcceptance(send: Send, ...[address, init]: Parameters<Send>): Promise<Response> {
	const limit = deriveSignal(init?.signal ?? new AbortController().signal, {
		what: 'the acceptance of a message',
		timeoutMs: ACCEPT_MS,
	});
	try {
		const response = await send(address, { ...init, signal: limit.signal });
		const text = await response.text();
		const { status, headers } = response;
		return new Response(response.body === null ? null : text, { status, headers });
	} catch (error) {
		throw limit.signal.aborted ? limit.signal.reason : error;
	} finally {
		limit.dispose();
	}
}

/** Returns the error for a refusal: the credentials of the entry, or the rights of the sign-in, do not suffice. */
function createAccessError(status: number, host: string): ProwessError {
	const remedy =
		status === 401
			? 'Store another token as a secret, and name it in headers: "Authorization": "Bearer ${secret:name}"'
			: 'Sign out of it and in again with more rights, or name another token in headers';
	return new ProwessError('REQUEST_FAILED', `${host} does not let you in (status ${status}). ${remedy}`, {
		host,
		status,
		said: text('{host} does not let you in (status {status}). Sign in again, or name another token in its headers.', {
			host,
			status,
		}),
	});
}
