/**
 * A model endpoint that follows a script: one entry per request, in order. Speaks OpenAI's chat completions (streaming) on
 * loopback over plain HTTP, so that it can also do what a real endpoint does only when it fails: cut, stall, send garbage.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Single answer, streamed in the order reasoning, text, tool calls. */
interface ScriptedAnswer {
	readonly reasoning?: string;
	readonly text?: string;
	/** The text, cut here. Instead of `text`. */
	readonly chunks?: readonly string[];
	/** Between chunks. */
	readonly delayMs?: number;
	/** A string `input` goes out as it is: input that is no JSON. */
	readonly toolCalls?: readonly { readonly name: string; readonly input: unknown; readonly callId?: string }[];
	/** Null: the endpoint reports none. `cached`: of the input, what came from its cache. */
	readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null;
	/** Model that it says has answered; absent: the one that was asked, as endpoints do. */
	readonly servedAs?: string;
	/**
	 * End of the answer: properly, with the socket cut, never, with a line that is no JSON, cut by the token limit,
	 * with a finish reason of its own, or with an event that reports an error.
	 */
	readonly then?:
		| 'finish'
		| 'cut'
		| 'stall'
		| 'garbage'
		| 'truncated'
		| { readonly reason: string }
		| { readonly error: Readonly<Record<string, unknown>> };
}

/** A refusal before any stream. `body` replaces OpenAI's error shape. */
interface ScriptedRefusal {
	readonly error: number;
	readonly message?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** The connection ends without a byte. */
interface ScriptedHangUp {
	readonly hangsUp: true;
}

export type ScriptEntry = ScriptedAnswer | ScriptedRefusal | ScriptedHangUp;

/** An answer that begins and never ends. */
export const stalledAnswer: ScriptEntry = { text: 'I look into it.', then: 'stall' };

export interface RecordedRequest {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** The body as it came, for byte comparisons. */
	readonly text: string;
	readonly body: Readonly<Record<string, unknown>>;
}

export interface ModelServer {
	/** Up to and including `/v1`. */
	readonly baseUrl: string;
	/** Paths of the requests that `answers` had an answer for, in the order they came. */
	readonly asked: readonly string[];
	/** Requests for embeddings. */
	readonly embedded: readonly RecordedRequest[];
	/** Chat requests in the order they came; `GET /models` is not among them. */
	readonly requests: readonly RecordedRequest[];
	/** Resolves with the n-th chat request (from 1), also if it came already. */
	request(n: number): Promise<RecordedRequest>;
	/** Resolves when the n-th chat request's connection has ended, whoever ended it. */
	closed(n: number): Promise<void>;
	close(): Promise<void>;
}

/** A script is a list, or a function that answers each request by its number (from 0) and body. */
export type Script = readonly ScriptEntry[] | ((n: number, request: RecordedRequest) => ScriptEntry);

interface ServerOptions {
	readonly models?: readonly string[];
	/** Address of this machine that it listens at; absent: the loopback. */
	readonly host?: string;
	/** Whom each model in the list belongs to. */
	readonly ownedBy?: string;
	/** `system_fingerprint` of each event. */
	readonly fingerprint?: string;
	/** For clients that end before the server does. */
	readonly keepsConnections?: boolean;
	/** Further answers of the server, by path: JSON, a status for an error, or `stall` for no answer at all. */
	readonly answers?: Readonly<Record<string, unknown>>;
	/**
	 * Answers for the texts of a request for embeddings, in the form of OpenAI or of Google; a number is the status of
	 * an error.
	 */
	readonly embeds?: (texts: readonly string[], model: string) => readonly (readonly number[])[] | number;
}

/**
 * Answers a request for embeddings in Google's form. Refuses a request whose parts name another model than its path, or
 * that has no key, as Google does.
 */
function googleEmbeddings(
	{ body, headers }: RecordedRequest,
	model: string,
	embeds: NonNullable<ServerOptions['embeds']>,
): unknown {
	const { requests } = body as {
		readonly requests: readonly {
			readonly model: string;
			readonly content: { readonly parts: readonly [{ readonly text: string }] };
		}[];
	};
	if (headers['x-goog-api-key'] === undefined || requests.some((each) => each.model !== `models/${model}`)) {
		return 400;
	}
	const given = embeds(
		requests.map(({ content }) => content.parts[0].text),
		model,
	);
	return typeof given === 'number' ? given : { embeddings: given.map((values) => ({ values })) };
}

export async function startModelServer(script: Script, options: ServerOptions = {}): Promise<ModelServer> {
	const requests: RecordedRequest[] = [];
	const arrivals: PromiseWithResolvers<RecordedRequest>[] = [];
	const ends: PromiseWithResolvers<void>[] = [];
	const arrival = (n: number) => (arrivals[n] ??= Promise.withResolvers());
	const end = (n: number) => (ends[n] ??= Promise.withResolvers());
	const { models = ['scripted'], ownedBy, fingerprint, answers = {}, host = '127.0.0.1' } = options;
	const { keepsConnections = false, embeds } = options;
	const embedded: RecordedRequest[] = [];
	const asked: string[] = [];

	const server = createServer((request, response) => {
		// A connection kept for the next request would outlive the test that it was made in.
		response.shouldKeepAlive = keepsConnections;
		const path = request.url ?? '/';
		if (Object.hasOwn(answers, path)) {
			asked.push(path);
			answerBeside(response, answers[path]);
			return;
		}
		if (request.method === 'GET' && path.endsWith('/models')) {
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: ownedBy })) }),
			);
			return;
		}
		void bodyOf(request).then((text) => {
			const recorded = { path, headers: request.headers, text, body: JSON.parse(text) as Record<string, unknown> };
			if (embeds !== undefined && path.endsWith('/embeddings')) {
				const { input, model } = recorded.body as { readonly input: readonly string[]; readonly model: string };
				const given = embeds(input, model);
				embedded.push(recorded);
				const data = typeof given === 'number' ? [] : given.map((embedding, index) => ({ index, embedding }));
				answerBeside(response, typeof given === 'number' ? given : { data, usage: { prompt_tokens: 7 } });
				return;
			}
			const [, googles] = /\/models\/([^/:]+):batchEmbedContents$/.exec(path) ?? [];
			if (embeds !== undefined && googles !== undefined) {
				embedded.push(recorded);
				answerBeside(response, googleEmbeddings(recorded, googles, embeds));
				return;
			}
			const n = requests.push(recorded) - 1;
			response.once('close', () => end(n).resolve());
			const entry = typeof script === 'function' ? script(n, recorded) : script[n];
			arrival(n).resolve(recorded);
			const ended = { error: 400, message: `the script has ${n} entries; this is request ${n + 1}` };
			const given = entry ?? ended;
			return path === '/api/chat' && !('error' in given) && !('hangsUp' in given)
				? answerInLines(response, given, recorded.body['model'])
				: answer(response, given, { n, fingerprint, model: recorded.body['model'] });
		});
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	return {
		baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/v1`,
		asked,
		embedded,
		requests,
		request: (n) => arrival(n - 1).promise,
		closed: (n) => end(n - 1).promise,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	request.setEncoding('utf8');
	let text = '';
	for await (const chunk of request) {
		text += chunk as string;
	}
	return text === '' ? '{}' : text;
}

function answerBeside(response: ServerResponse, said: unknown): void {
	if (said === 'stall') {
		return;
	}
	response.writeHead(typeof said === 'number' ? said : 200, { 'content-type': 'application/json' });
	response.end(JSON.stringify(said));
}

/** Which answer it is, and how each of its events is marked. */
interface Answering {
	readonly n: number;
	readonly fingerprint: string | undefined;
	/** Model that was asked. */
	readonly model: unknown;
}

async function answer(response: ServerResponse, entry: ScriptEntry, answering: Answering): Promise<void> {
	if ('hangsUp' in entry) {
		response.socket?.destroy();
		return;
	}
	if ('error' in entry) {
		response.writeHead(entry.error, { 'content-type': 'application/json', ...entry.headers });
		const error = { message: entry.message ?? `scripted ${entry.error}`, type: 'scripted' };
		response.end(entry.body ?? JSON.stringify({ error }));
		return;
	}
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const send = (delta: unknown, finish: string | null = null) =>
		event(response, { ...envelope(answering, entry), choices: [{ index: 0, delta, finish_reason: finish }] });

	send({ role: 'assistant', content: '' });
	if (entry.reasoning !== undefined) {
		send({ reasoning_content: entry.reasoning });
	}
	for (const chunk of entry.chunks ?? (entry.text === undefined ? [] : [entry.text])) {
		send({ content: chunk });
		if (entry.delayMs !== undefined) {
			await pause(entry.delayMs, response);
		}
	}
	for (const [index, call] of (entry.toolCalls ?? []).entries()) {
		const id = call.callId ?? `call_${answering.n + 1}_${index + 1}`;
		const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input);
		const half = Math.ceil(input.length / 2);
		send({
			tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: input.slice(0, half) } }],
		});
		send({ tool_calls: [{ index, function: { arguments: input.slice(half) } }] });
	}
	const { then = 'finish' } = entry;
	if (typeof then === 'object') {
		if ('error' in then) {
			event(response, { error: then.error });
			response.end();
			return;
		}
		send({}, then.reason);
		response.end('data: [DONE]\n\n');
		return;
	}
	switch (then) {
		case 'stall':
			return;
		case 'cut':
			// An end of the socket, not a reset: what was written so far arrives, the end of the answer does not.
			response.socket?.end();
			return;
		case 'garbage':
			response.end('data: {"choices": [{"delta"\n\n');
			return;
		case 'truncated':
			send({}, 'length');
			break;
		case 'finish':
			send({}, entry.toolCalls === undefined ? 'stop' : 'tool_calls');
	}
	if (entry.usage !== null) {
		const { input, output, cached } = entry.usage ?? { input: 10, output: 5 };
		const counted = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
		const usage = { ...counted, ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }) };
		event(response, { ...envelope(answering, entry), choices: [], usage });
	}
	response.end('data: [DONE]\n\n');
}

/** At Ollama's own interface: one JSON text on each line. */
function answerInLines(
	response: ServerResponse,
	{ reasoning, text, toolCalls = [], usage, servedAs }: ScriptedAnswer,
	model: unknown,
): void {
	response.writeHead(200, { 'content-type': 'application/x-ndjson' });
	const line = (message: Record<string, unknown>, more: Record<string, unknown> = {}) =>
		response.write(`${JSON.stringify({ model: servedAs ?? model, message, done: false, ...more })}\n`);
	if (reasoning !== undefined) {
		line({ role: 'assistant', content: '', thinking: reasoning });
	}
	line({ role: 'assistant', content: text ?? '' });
	for (const { name, input } of toolCalls) {
		line({ role: 'assistant', content: '', tool_calls: [{ function: { name, arguments: input } }] });
	}
	const { input = 10, output = 5 } = usage ?? {};
	line({}, { done: true, done_reason: 'stop', prompt_eval_count: input, eval_count: output });
	response.end();
}

function event(response: ServerResponse, data: unknown): void {
	response.write(`data: ${JSON.stringify(data)}\n\n`);
}

function envelope({ n, fingerprint, model }: Answering, { servedAs }: ScriptedAnswer): Record<string, unknown> {
	return {
		id: `chatcmpl-${n + 1}`,
		object: 'chat.completion.chunk',
		created: 1_700_000_000,
		model: servedAs ?? model,
		...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
	};
}

/** Ends early when the reader goes away. */
function pause(ms: number, response: ServerResponse): Promise<void> {
	return new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			response.off('close', end);
			resolve();
		};
		const timer = setTimeout(end, ms);
		response.once('close', end);
	});
}
