/**
 * Transport to a server that already runs, over Streamable HTTP, or over the older `sse`. Messages of the server, in
 * answers or on a stream of its own, are held to the same rules as the output of a process. A stream that breaks off is
 * resumed where the server allows it; the SDK does that, and this transport bounds it.
 */
import type { Transport } from '@modelcontextprotocol/client';
import { raceTimeout } from '../../../base/time/bounded-wait.ts';
import { ProwessError } from '../../../protocol/errors/errors.ts';
import { text } from '../../../protocol/text/text.ts';
import { toErrorMessage } from '../../../base/text/message-of.ts';
import { deriveSignal } from '../../../base/time/derived-signal.ts';
import { isHere } from '../../../machine/http/server-here.ts';
import { refuseInnerHost, resolveHost, type Resolve } from '../../../machine/http/resolve-host.ts';
import { isEventStream, streamedFetch } from '../../../machine/http/streamed-fetch.ts';
import { parseTargetUrl } from '../../../machine/http/target-url.ts';
import {
	ACCEPT_MS,
	ENDPOINT_MS,
	LONGEST_RESUMPTION_MS,
	MESSAGE_BYTES,
	QUIET_BYTES,
	RESUMPTION_MS,
	RESUMPTIONS,
	SHORTEST_RESUMPTION_MS,
	STOP_MS,
} from '../limits.ts';
import type * as SdkParts from '../sdk.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { withFormedAnswers } from './http-answers.ts';
import { MessageRules, STOPPED } from './message-rules.ts';
import type { ServerLog } from './server-log.ts';

type HttpMessage = Parameters<Transport['send']>[0];
type Send = ReturnType<typeof streamedFetch>;
type StreamableWire = InstanceType<(typeof SdkParts)['StreamableHTTPClientTransport']>;
type OlderWire = InstanceType<(typeof SdkParts)['SSEClientTransport']>;

interface HttpOptions {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly log: ServerLog;
	readonly resolve: Resolve;
	/** `prowess.http.allowHosts`, as it is now. */
	allowedHosts(): readonly string[];
	/** The transports of the SDK, which is loaded by now. */
	readonly sdk: Pick<typeof SdkParts, 'SSEClientTransport' | 'StreamableHTTPClientTransport'>;
	/** Signs the user in where the server wants it; absent: a header of its entry does. */
	readonly signIn: SignIn | undefined;
	/** True: over the transport of 2024-11-05. */
	readonly isOlder: boolean;
}

/** The server no longer knows the session. Thrown before it has done anything of what was asked, which may be asked again. */
export class SessionOver extends ProwessError {
	readonly #transport: HttpTransport;

	constructor(host: string, transport: HttpTransport) {
		super('MCP_SERVER_FAILED', `${host} no longer knows the session`, { server: host, why: 'its session is over' });
		this.#transport = transport;
	}

	/** Lets go of the session, so that the next use opens another. */
	async close(): Promise<void> {
		await this.#transport.close();
	}
}

export class HttpTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: <T extends HttpMessage>(message: T) => void;
	readonly hasPerRequestStream: boolean;
	readonly #host: string;
	readonly #streamable: StreamableWire | undefined;
	readonly #older: OlderWire | undefined;
	readonly #log: ServerLog;
	readonly #signIn: SignIn | undefined;
	readonly #rules = new MessageRules();
	readonly #ended = Promise.withResolvers<string>();
	/** Waits before a stream is asked for again. */
	readonly #resumptions = new Set<NodeJS.Timeout>();
	/** Streams asked for again since a message came last. */
	#fruitless = 0;
	/** Bytes of all streams since a message came last. */
	#quietBytes = 0;
	#reason: string | undefined;
	/** Error that broke off the stream of an answer last. */
	#brokeWith: string | undefined;
	/** Why a request of ours was not made, or not answered; the SDK passes on its words alone. */
	#refusal: unknown;
	#wasRefused = false;
	#isSessionOver = false;

	/** Throws INVALID_PARAMS or HOST_REFUSED for an address that cannot be used. */
	constructor({ url, headers, log, resolve, allowedHosts, sdk, signIn, isOlder }: HttpOptions) {
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
		this.#host = origin.host;
		this.#log = log;
		this.#signIn = signIn;
		this.hasPerRequestStream = !isOlder;
		const signingIn = signIn && { authProvider: signIn };
		this.#older = isOlder
			? new sdk.SSEClientTransport(origin.url, { fetch: this.#olderFetch(send), ...signingIn })
			: undefined;
		this.#streamable = isOlder
			? undefined
			: new sdk.StreamableHTTPClientTransport(origin.url, {
					fetch: (address, init) => this.#ask(send, address, init),
					...signingIn,
					reconnectionOptions: {
						maxRetries: RESUMPTIONS,
						initialReconnectionDelay: RESUMPTION_MS,
						maxReconnectionDelay: LONGEST_RESUMPTION_MS,
						reconnectionDelayGrowFactor: 2,
					},
					reconnectionScheduler: (resume, delayMs) => this.#resumeLater(resume, delayMs),
				});
	}

	get #wire(): StreamableWire | OlderWire {
		return (this.#streamable ?? this.#older) as StreamableWire | OlderWire;
	}

	/** True when no message was taken at all, in the way of a server that speaks the older transport alone. */
	get wasRefused(): boolean {
		return this.#wasRefused;
	}

	/** Resolves, with why, when it is over. */
	get ended(): Promise<string> {
		return this.#ended.promise;
	}

	get sessionId(): string | undefined {
		return this.#streamable?.sessionId;
	}

	setProtocolVersion(version: string): void {
		this.#wire.setProtocolVersion(version);
	}

	async start(): Promise<void> {
		this.#wire.onmessage = (message: HttpMessage) => this.#take(message);
		this.#wire.onerror = (error: Error) => this.#problem(error);
		this.#wire.onclose = () => this.#end('the connection was closed');
		const started = this.#wire.start().then(
			() => true,
			(error: unknown) => {
				throw this.#refusal ?? error;
			},
		);
		if ((await raceTimeout(started, ENDPOINT_MS)) === undefined) {
			throw new Error(`it did not say within ${ENDPOINT_MS / 1_000} s where it takes messages`);
		}
	}

	async send(message: HttpMessage, options?: Parameters<StreamableWire['send']>[1]): Promise<void> {
		if (this.#reason !== undefined) {
			throw new Error(this.#reason);
		}
		this.#rules.sent(message);
		if (this.#streamable === undefined) {
			await this.#older?.send(message);
			return;
		}
		await this.#streamable.send(message, {
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
		if (this.#streamable !== undefined && !this.#isSessionOver && this.#reason === undefined) {
			const telling = this.#streamable
				.terminateSession()
				.catch((error: unknown) => this.#log.note(toErrorMessage(error)));
			await raceTimeout(telling, STOP_MS);
		}
		this.#end(STOPPED);
		await this.#wire.close();
	}

	/** A request over Streamable HTTP: a message, or the wish for a stream. */
	async #ask(send: Send, ...[address, init]: Parameters<Send>): Promise<Response> {
		if (init?.method === 'GET') return await this.#openStream(send, address, init);
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
		this.#throwIfRefused(response);
		if (init?.method === 'POST') {
			this.#wasRefused = [400, 404, 405].includes(response.status);
			if (this.#wasRefused && new Headers(init.headers).has('mcp-session-id')) {
				const said = await response.text();
				// Many servers say 400 where the protocol has 404.
				if (response.status === 404 || (response.status === 400 && /session/i.test(said))) {
					this.#isSessionOver = true;
					throw new SessionOver(this.#host, this);
				}
				return new Response(said, { status: response.status, headers: response.headers });
			}
		}
		return await this.#watched(response);
	}

	/** The server's own stream, or the rest of one that broke off. Most refusals mean that it has none, which is no error. */
	async #openStream(send: Send, ...[address, init]: Parameters<Send>): Promise<Response> {
		const response = await send(address, init);
		const { status, ok, headers } = response;
		const hasStream = ok && isEventStream(headers.get('content-type'));
		const isRefused = ok ? !hasStream : status >= 400 && status < 500 && status !== 401 && status !== 429;
		if (!isRefused) return await this.#watched(response);
		void response.body?.cancel();
		if (status !== 405) this.#log.note(`opens no stream of its own (status ${status})`);
		return new Response(null, { status: 405 });
	}

	/** Requests of the older transport: one stream for as long as it lasts, and messages to the address that it names. */
	#olderFetch(send: Send): Send {
		let isOpened = false;
		const ask: Send = async (address, init) => {
			if (init?.method === 'POST') {
				const response = await waitForAcceptance(send, address, init);
				this.#throwIfRefused(response);
				return response;
			}
			// Another stream would be another session, which nobody has opened.
			if (isOpened) throw new Error('its stream has ended');
			const response = await send(address, init);
			this.#throwIfRefused(response);
			isOpened = response.ok;
			return await this.#watched(response, () => this.#break('it ended its stream'));
		};
		return async (address, init) => {
			try {
				return await ask(address, init);
			} catch (error) {
				this.#refusal ??= error;
				throw error;
			}
		};
	}

	/** Answers in the form of messages; a stream of events as it arrives, ended where it brings much that is no message. */
	async #watched(response: Response, onEnd = () => {}): Promise<Response> {
		const { status, headers, body } = response;
		if (!response.ok || body === null || !isEventStream(headers.get('content-type'))) {
			return await withFormedAnswers(response);
		}
		const watch = new TransformStream<Uint8Array, Uint8Array>({
			transform: (piece, controller) => {
				this.#quietBytes += piece.length;
				if (this.#quietBytes > QUIET_BYTES) this.#break(`it sent more than ${QUIET_BYTES} bytes without a message`);
				controller.enqueue(piece);
			},
			flush: onEnd,
		});
		return await withFormedAnswers(new Response(body.pipeThrough(watch), { status, headers }));
	}

	#throwIfRefused(response: Response): void {
		const { status } = response;
		if (status === 403) this.#signIn?.throwIfMoreWanted(response);
		if (status === 403 || (status === 401 && this.#signIn === undefined)) throw createAccessError(status, this.#host);
	}

	/** Resumes a stream after the wait that the server wants, or a longer one where streams bring nothing. */
	#resumeLater(resume: () => void, delayMs: number): () => void {
		const shortest = Math.min(RESUMPTION_MS, SHORTEST_RESUMPTION_MS * 2 ** Math.min(this.#fruitless, 10));
		this.#fruitless += 1;
		const timer = setTimeout(
			() => {
				this.#resumptions.delete(timer);
				resume();
			},
			Math.min(LONGEST_RESUMPTION_MS, Math.max(delayMs, shortest)),
		);
		this.#resumptions.add(timer);
		return () => clearTimeout(timer);
	}

	#take(message: HttpMessage): void {
		this.#fruitless = this.#quietBytes = 0;
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
			for (const timer of this.#resumptions) clearTimeout(timer);
			this.#resumptions.clear();
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
