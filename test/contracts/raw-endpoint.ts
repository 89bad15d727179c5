/** An endpoint that sends exactly the bytes it is told to, and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelSettings, ProviderKind } from '../../src/protocol/models.ts';
import type { ModelPort } from '../../src/server/models/model-port.ts';
import { providerModel } from '../../src/server/models/provider-model.ts';
import { Refusals } from '../../src/server/models/refusals.ts';

interface RawAnswer {
	readonly status?: number;
	readonly headers?: OutgoingHttpHeaders;
	/** Each one a write of its own. */
	readonly chunks: readonly (string | Uint8Array)[];
	/** Ends the connection after the answer, so that the next request meets a closed one. */
	readonly closes?: boolean;
}

export interface RawEndpoint {
	readonly requests: readonly Record<string, unknown>[];
	/** The next answers, in order; the last one counts for all that follow. */
	answers: RawAnswer[];
	/** Headers of each request. */
	readonly headers: readonly IncomingHttpHeaders[];
	model(kind: ProviderKind, modelId?: string, known?: ModelSettings): ModelPort;
	close(): Promise<void>;
}

export async function startRawEndpoint(): Promise<RawEndpoint> {
	const requests: Record<string, unknown>[] = [];
	const refusals = new Refusals();
	const headers: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			text += chunk;
		});
		request.on('end', () => {
			headers.push(request.headers);
			requests.push(JSON.parse(text) as Record<string, unknown>);
			const answer = (endpoint.answers.length > 1 ? endpoint.answers.shift() : endpoint.answers[0]) ?? { chunks: [] };
			response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers });
			for (const chunk of answer.chunks) {
				response.write(chunk);
			}
			response.end(() => {
				if (answer.closes === true) {
					request.socket.destroy();
				}
			});
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const endpoint: RawEndpoint = {
		requests,
		answers: [],
		headers,
		model: (kind, modelId = 'some-model', known) =>
			providerModel({
				config: {
					id: 'acme',
					kind,
					baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
					models: [],
				},
				modelId,
				contextWindow: () => 100_000,
				refusals,
				known,
				getKey: () => Promise.resolve('key-canary-0123456789'),
			}),
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
