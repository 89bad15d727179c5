/** An endpoint that sends exactly the bytes it is told to, and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ModelSettings, ProviderKind } from '../../src/protocol/turn/models.ts';
import type { ModelPort } from '../../src/server/models/model-port.ts';
import { providerModel } from '../../src/server/models/provider-model.ts';
import { Refusals } from '../../src/server/models/streams/refusals.ts';

interface RawAnswer {
	readonly status?: number;
	readonly headers?: OutgoingHttpHeaders;
	/** Each one a write of its own. */
	readonly chunks: readonly (string | Uint8Array)[];
	/** Ends the connection after the answer, so that the next request meets a closed one. */
	readonly closes?: boolean;
	/** Never ends the answer. */
	readonly stays?: boolean;
	/** Breaks the connection instead: before a byte, in the middle of the head, or after the chunks. */
	readonly breaks?: 'unanswered' | 'head' | 'body';
}

export interface RawEndpoint {
	readonly requests: readonly Record<string, unknown>[];
	/** The next answers, in order; the last one counts for all that follow. */
	answers: RawAnswer[];
	/** JSON that it says beside answers of models, by path; that of requests to these paths is not kept. */
	beside: Readonly<Record<string, unknown>>;
	readonly baseUrl: string;
	/** Pictures that its models are shown, in base64 by id. */
	readonly images: Map<string, string>;
	/** Headers of each request. */
	readonly headers: readonly IncomingHttpHeaders[];
	/** Paths of the requests. */
	readonly paths: readonly string[];
	/** Each one that was opened. */
	readonly connections: readonly Socket[];
	model(kind: ProviderKind, modelId?: string, known?: ModelSettings): ModelPort;
	/** The endpoint as an Ollama that is to run its model with `window` tokens. */
	ollama(window: number, known?: ModelSettings): ModelPort;
	/** Forgets all requests so far, for runs so long that the requests would fill the memory. */
	forget(): void;
	close(): Promise<void>;
}

export async function startRawEndpoint(): Promise<RawEndpoint> {
	const requests: Record<string, unknown>[] = [];
	const paths: string[] = [];
	const refusals = new Refusals();
	const headers: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		const beside = endpoint.beside[request.url ?? ''];
		if (beside !== undefined || request.method === 'GET') {
			response.writeHead(beside === undefined ? 404 : 200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(beside ?? {}));
			return;
		}
		let text = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			text += chunk;
		});
		request.on('end', () => {
			headers.push(request.headers);
			paths.push(request.url ?? '');
			requests.push(JSON.parse(text) as Record<string, unknown>);
			const answer = (endpoint.answers.length > 1 ? endpoint.answers.shift() : endpoint.answers[0]) ?? { chunks: [] };
			if (answer.breaks === 'unanswered' || answer.breaks === 'head') {
				request.socket.end(answer.breaks === 'head' ? 'HTTP/1.1 200 O' : '');
				return;
			}
			response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
			for (const chunk of answer.chunks) {
				response.write(chunk);
			}
			if (answer.breaks === 'body') {
				request.socket.end();
			}
			if (answer.stays === true || answer.breaks === 'body') return;
			response.end(() => {
				if (answer.closes === true) {
					request.socket.destroy();
				}
			});
		});
	});
	const connections: Socket[] = [];
	server.on('connection', (socket) => connections.push(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	const modelOf = (kind: ProviderKind, modelId: string, known: ModelSettings | undefined, window?: number) =>
		providerModel({
			config: { id: 'acme', kind, baseUrl, models: [] },
			modelId,
			contextWindow: () => 100_000,
			refusals,
			imageData: (id) => images.get(id),
			known,
			ollamaWindow: () => window,
			getKey: () => Promise.resolve('key-canary-0123456789'),
		});
	const images = new Map<string, string>();
	const endpoint: RawEndpoint = {
		baseUrl,
		images,
		requests,
		answers: [],
		beside: {},
		headers,
		paths,
		connections,
		model: (kind, modelId = 'some-model', known) => modelOf(kind, modelId, known),
		ollama: (window, known) => modelOf('openai-compatible', 'm', known, window),
		forget() {
			for (const kept of [requests, headers, paths]) {
				kept.length = 0;
			}
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return endpoint;
}

/** Events of a stream, one for each object. */
export function events(...objects: readonly unknown[]): string {
	return objects.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('');
}
